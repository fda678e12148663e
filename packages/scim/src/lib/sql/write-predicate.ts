import {
  compare,
  type Exists,
  logical,
  type Match,
  type Predicate,
} from '../predicate/predicate.ts'
import { type Fragment, joinFragments, raw, sql } from './fragment.ts'
import { writeColumn, writeName } from './names.ts'
import { type DialectRules, likePattern, listOf, OPERATORS } from './rules.ts'

/** How the columns of a predicate are written. */
export interface WriteOptions {
  readonly rules: DialectRules
  /** The table of the columns; null to write them without a table. */
  readonly table: string | null
}

/** Writes a predicate as a condition of SQL. */
export function writePredicate(predicate: Predicate, options: WriteOptions): Fragment {
  switch (predicate.type) {
    case 'comparison':
      return writeComparison(predicate, options)
    case 'in':
      return writeIn(predicate, options)
    case 'foldedIn': {
      const column = writeColumn(predicate.column, options.table, options.rules)
      const values = predicate.values.map((value) => options.rules.folded(foldLetters(value)))
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

/** The values of a column without a type may be strings and numbers. */
function writeIn(
  { column: name, values }: Predicate & { readonly type: 'in' },
  options: WriteOptions,
): Fragment {
  const { rules, table } = options
  const column = writeColumn(name, table, rules)
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
    return sql`${rules.fold(column)} = ${rules.folded(foldLetters(only))}`
  }
  const pattern = likePattern(pieces.map(foldLetters))
  return sql`${rules.fold(column)} like ${rules.folded(pattern)} escape '!'`
}

/** Folds ASCII letters, as databases do. */
function foldLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function writeExists({ join, where, negated }: Exists, { rules, table }: WriteOptions): Fragment {
  const pairs = join.on.map(
    ([column, own]) =>
      sql`${writeColumn(column, ELEMENT, rules)} = ${writeColumn(own, table, rules)}`,
  )
  const conditions = [...pairs, writePredicate(where, { rules, table: ELEMENT })]
  const source = sql`${writeName(join.table, rules)} as ${writeName(ELEMENT, rules)}`
  const exists = sql`exists (select 1 from ${source} where ${joinFragments(conditions, ' and ')})`
  return negated ? sql`not ${exists}` : exists
}

/** The alias of the other table, which may be the same table. */
const ELEMENT = 'element'
