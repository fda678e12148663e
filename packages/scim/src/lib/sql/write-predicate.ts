import {
  compare,
  type Exists,
  logical,
  type Match,
  type Predicate,
} from '../predicate/predicate.ts'
import { flatten } from '../predicate/rows.ts'
import { foldAscii } from '../values/fold.ts'
import {
  type Fragment,
  joinFragments,
  plannedForValues,
  raw,
  type SqlValue,
  sql,
} from './fragment.ts'
import { writeColumn, writeName } from './names.ts'
import { type DialectRules, likePattern, listOf, OPERATORS } from './rules.ts'
import { isServed } from './served.ts'

/** How a predicate's columns are written. */
export interface WriteOptions {
  readonly rules: DialectRules
  /** The table to qualify columns with; null to write them unqualified. */
  readonly table: string | null
  /** Columns with a single value throughout the statement. Selections compare with that value. */
  readonly known?: Readonly<Record<string, SqlValue>> | undefined
  /** Whether the statement needs all rows, so selections need not run row by row; false by default. */
  readonly isWhole?: boolean | undefined
}

/** Writes a predicate as an SQL condition. */
export function writePredicate(predicate: Predicate, options: WriteOptions): Fragment {
  switch (predicate.type) {
    case 'comparison':
      return writeComparison(predicate, options)
    case 'in':
      return writeIn(predicate, options)
    case 'foldedIn': {
      const column = writeColumn(predicate.column, options.table, options.rules)
      const values = predicate.values.map((value) => options.rules.folded(foldAscii(value)))
      return sql`${options.rules.fold(column)} in ${listOf(values)}`
    }
    case 'match':
      return writeMatch(predicate, options)
    case 'null': {
      const column = writeColumn(predicate.column, options.table, options.rules)
      return predicate.negated ? sql`${column} is not null` : sql`${column} is null`
    }
    case 'logical': {
      const { operator, operands } = predicate
      if (operands.length === 0) return raw(operator === 'and' ? '1 = 1' : '1 = 0')
      const parts = operands.map((operand) => writePredicate(operand, options))
      return sql`(${joinFragments(parts, ` ${operator} `)})`
    }
    case 'exists':
      return writeExists(predicate, options)
  }
}

function writeComparison(
  { column: name, operator, value }: Predicate & { readonly type: 'comparison' },
  { rules, table }: WriteOptions,
): Fragment {
  const column = writeColumn(name, table, rules)
  if (typeof value === 'string') return rules.compareText(column, operator, value)
  if (value instanceof Date) return rules.compareTimestamp(column, operator, value)
  return sql`${column} ${OPERATORS[operator]} ${writeNumber(value, rules)}`
}

/** A column without a type may contain strings and numbers. */
function writeIn(
  { column: name, values }: Predicate & { readonly type: 'in' },
  options: WriteOptions,
): Fragment {
  const { rules, table } = options
  const column = writeColumn(name, table, rules)
  // With `null`, an index finds immediately that no row matches.
  if (values.length === 0) return sql`${column} in (null)`
  const texts = values.filter((value) => typeof value === 'string')
  const dates = values.filter((value) => value instanceof Date)
  const numbers = values.flatMap((value) =>
    typeof value === 'string' || value instanceof Date ? [] : writeNumber(value, rules),
  )
  const parts = [
    ...(texts.length > 0 ? [rules.textIn(column, texts)] : []),
    ...(numbers.length > 0 ? [sql`${column} in ${listOf(numbers)}`] : []),
  ]
  if (dates.length > 0) {
    const equal = dates.map((date) => compare(name, 'eq', date))
    parts.push(writePredicate(logical('or', equal), options))
  }
  const [only] = parts
  return parts.length === 1 && only ? only : sql`(${joinFragments(parts, ' or ')})`
}

function writeNumber(value: number | bigint | boolean, rules: DialectRules): Fragment {
  return typeof value === 'bigint' ? rules.integer(value) : sql`${value}`
}

function writeMatch(
  { column: name, pieces, folded, negated }: Match,
  { rules, table }: WriteOptions,
): Fragment {
  const column = writeColumn(name, table, rules)
  const condition = folded ? writeFolded(column, pieces, rules) : rules.match(column, pieces)
  return negated ? sql`not ${condition}` : condition
}

function writeFolded(column: Fragment, pieces: readonly string[], rules: DialectRules): Fragment {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) {
    return sql`${rules.fold(column)} = ${rules.folded(foldAscii(only))}`
  }
  const pattern = likePattern(pieces.map(foldAscii))
  return sql`${rules.fold(column)} like ${rules.folded(pattern)} escape '!'`
}

function writeExists(exists: Exists, options: WriteOptions): Fragment {
  const { join, where, negated } = exists
  const { rules, table, known = {} } = options
  // A selection nested in another, from the same table, needs its own alias.
  const alias = table === ELEMENT ? OTHER : ELEMENT
  const pairs = join.on.map(([column, own]) => {
    const value = Object.hasOwn(known, own) ? known[own] : undefined
    return sql`${writeColumn(column, alias, rules)} = ${value ?? writeColumn(own, table, rules)}`
  })
  // In the other table, known columns have that table's names.
  const inner = Object.fromEntries(
    join.on.flatMap(([column, own]) =>
      Object.hasOwn(known, own) ? [[column, known[own] ?? null]] : [],
    ),
  )
  const conditions = [...pairs, writePredicate(where, { ...options, table: alias, known: inner })]
  const source = sql`${writeName(join.table, rules)} as ${writeName(alias, rules)}`
  const end = raw(isForEachRow(exists, options) ? ' limit 1 offset 0' : '')
  const selected = sql`exists (select 1 from ${source} where ${joinFragments(conditions, ' and ')}${end})`
  const written = negated ? sql`not ${selected}` : selected
  return join.plan === 'for values' ? plannedForValues(written) : written
}

/** Returns whether a selection runs for each row rather than as a join. */
function isForEachRow(
  { join: { plan, indexed = [] }, where, negated }: Exists,
  { rules, isWhole = false }: WriteOptions,
): boolean {
  if (plan !== undefined || isWhole) return plan === 'for each row' && !isWhole
  // Without names, every column compared for equality may have an index.
  const named = indexed.length === 0 ? null : indexed
  const isJoined = rules.joinsSelections && negated
  return isJoined && !flatten(where, 'and').some((one) => isServed(one, named))
}

/** The other table's alias; it may be the same table. */
const ELEMENT = 'element'
const OTHER = 'other'
