import { unwrap } from '@plumbline/result'
import type { Expression } from '../filter/tree.ts'
import type { IndexedColumnMap } from '../predicate/columns.ts'
import { compare, type Exists, logical, type Predicate } from '../predicate/predicate.ts'
import { flatten } from '../predicate/rows.ts'
import { cellOf, requireExact } from './cells.ts'
import type { Dialect } from './dialect.ts'
import { rulesOf } from './dialect.ts'
import { filterToPredicate, type PredicateFilter } from './filter-to-predicate.ts'
import { type Fragment, joinFragments, raw, type SqlValue, sql } from './fragment.ts'
import { writeColumn, writeName } from './names.ts'
import type { DialectRules } from './rules.ts'
import { isServed } from './served.ts'
import type { ValueIndex } from './value-index/value-index.ts'
import { writePredicate } from './write-predicate.ts'

/** Options for `narrowFilter`. */
export interface NarrowFilterOptions {
  /** Runs a statement and returns its rows, keyed by column name. */
  readonly run: (statement: Fragment) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The database. `mysql` includes MariaDB. */
  readonly dialect: Dialect
  /** The column with resource ids, which value tables reference. */
  readonly id: string
  /** Columns with a single value throughout the statement, as in `predicateToSql`. None by default. */
  readonly known?: Readonly<Record<string, SqlValue>> | undefined
  /** Whether every string column has a binary collation, as in `predicateToSql`. False by default. */
  readonly isBinary?: boolean | undefined
  /** The index of multi-valued attributes whose entries the columns contain. None by default. */
  readonly index?: Pick<ValueIndex, 'table' | 'on'> | undefined
}

/** A filter divided between the database and memory, with the ids of the resources that look-ups found. */
export interface NarrowedFilter extends PredicateFilter {
  /** Whether a look-up found more than 1,000 rows and no other condition selects few resources. */
  readonly isBroad: boolean
}

/**
 * Translates a filter as `filterToPredicate` does, and looks up values through the indexes of other tables. For a value
 * found in at most 1,000 rows, the condition lists the ids of the resources with it. For more frequent values, the
 * database tests resources one by one in list order and stops when the page is full. At most 10 values are looked up.
 *
 * Throws `400 invalidFilter` when a value does not fit the type of a typed or folded column.
 */
export async function narrowFilter(
  expression: Expression,
  columns: IndexedColumnMap,
  { dialect, isBinary, known = {}, ...options }: NarrowFilterOptions,
): Promise<NarrowedFilter> {
  const search = {
    ...options,
    known,
    rules: rulesOf(dialect, isBinary),
    left: MAX_LOOKUPS,
    hasMany: false,
  }
  const { where, residual } = await translate(expression, columns, search)
  if (where === null) return { where, residual, isBroad: false }
  const { predicate, isFew } = await lookUp(where, search)
  return { where: predicate, residual, isBroad: search.hasMany && !isFew }
}

/** A search and the look-up state. */
interface Search extends Pick<NarrowFilterOptions, 'run' | 'id' | 'index'> {
  readonly known: Readonly<Record<string, SqlValue>>
  readonly rules: DialectRules
  /** How many more values may be looked up. */
  left: number
  /** Whether one of these values has many rows. */
  hasMany: boolean
}

/** Translates a filter. It is translated again if the index contains hashed keys, which is rare. */
async function translate(
  expression: Expression,
  columns: IndexedColumnMap,
  search: Search,
): Promise<PredicateFilter> {
  const paths = new Set<string>()
  const hasHashes = (path: string): boolean => {
    paths.add(path)
    return false
  }
  const translated = unwrap(filterToPredicate(expression, columns, { hasHashes }))
  const hashed = new Set<string>()
  for (const path of paths) if (await hasRows(path, search)) hashed.add(path)
  if (hashed.size === 0) return translated
  return unwrap(filterToPredicate(expression, columns, { hasHashes: (path) => hashed.has(path) }))
}

/** Returns whether the index has rows for a path; true without an index. */
async function hasRows(path: string, search: Search): Promise<boolean> {
  const { index, rules, run } = search
  if (index === undefined) return true
  const { conditions } = knownRows(Object.entries(index.on), search)
  const ofPath = sql`${writeColumn('attribute', ROWS, rules)} = ${path}`
  const from = rowsOf(index.table, [...conditions, ofPath], rules)
  return (await run(sql`select 1 ${from} limit 1`)).length > 0
}

interface LookedUp {
  readonly predicate: Predicate
  /** Whether only few resources meet the condition. */
  readonly isFew: boolean
}

async function lookUp(predicate: Predicate, search: Search): Promise<LookedUp> {
  if (predicate.type === 'exists' && !predicate.negated) return await lookUpRows(predicate, search)
  if (predicate.type !== 'logical' || predicate.operands.length === 0) {
    return { predicate, isFew: false }
  }
  const isAll = predicate.operator === 'and'
  const found: LookedUp[] = []
  for (const operand of predicate.operands) {
    const isNarrow = isAll && found.some(({ isFew }) => isFew)
    found.push(isNarrow ? { predicate: operand, isFew: false } : await lookUp(operand, search))
  }
  const isFew = isAll ? found.some((one) => one.isFew) : found.every((one) => one.isFew)
  return { predicate: { ...predicate, operands: found.map((one) => one.predicate) }, isFew }
}

async function lookUpRows(exists: Exists, search: Search): Promise<LookedUp> {
  const own = knownRows(exists.join.on, search)
  if (own.owner === null) return { predicate: exists, isFew: false }
  for (const one of exists.lookups ?? indexedConditions(exists)) {
    if (search.left === 0) break
    search.left -= 1
    const ids = await findOwners(exists.join.table, one, own, search)
    if (ids.length <= MAX_OWNERS) {
      const few = oneOf(search.id, [...new Set(ids)])
      return { predicate: one === exists.where ? few : logical('and', [few, exists]), isFew: true }
    }
    search.hasMany = true
  }
  return { predicate: exists, isFew: false }
}

/** Returns the conditions on a value table that the table's indexes serve. */
function indexedConditions({ join: { indexed = [] }, where }: Exists): readonly Predicate[] {
  if (indexed.length === 0) return []
  return isServed(where, indexed)
    ? [where]
    : flatten(where, 'and').filter((one) => isServed(one, indexed))
}

/** Identifies the rows in a value table that may belong to a statement's resources. */
interface KnownRows {
  /** The column with resource ids; null if the rows cannot be identified. */
  readonly owner: string | null
  /** The conditions on the other connecting columns. */
  readonly conditions: readonly Fragment[]
  /** The values of these columns. */
  readonly known: Readonly<Record<string, SqlValue>>
}

function knownRows(on: Exists['join']['on'], { id, known, rules }: Search): KnownRows {
  const owner = on.find(([, own]) => own === id)?.[0] ?? null
  const others = on.filter(([column]) => column !== owner)
  const values = others.map(([column, own]) => [column, known[own] ?? null] as const)
  // Without a column's value, the rows could belong to another tenant.
  if (values.some(([, value]) => value === null)) return NOT_KNOWN
  const conditions = values.map(
    ([column, value]) => sql`${writeColumn(column, ROWS, rules)} = ${value}`,
  )
  return { owner, conditions, known: Object.fromEntries(values) }
}

/** Returns the resource ids in matching rows, and more than `MAX_OWNERS` ids if there are more rows. */
async function findOwners(
  table: string,
  where: Predicate,
  { owner, conditions, known }: KnownRows,
  { rules, run }: Search,
): Promise<readonly (string | number | bigint)[]> {
  const condition = writePredicate(where, { rules, table: ROWS, known })
  const selected = sql`${writeColumn(owner ?? '', ROWS, rules)} as ${writeName('owner', rules)}`
  const from = rowsOf(table, [...conditions, condition], rules)
  const rows = await run(sql`select ${selected} ${from} limit ${raw(String(MAX_OWNERS + 1))}`)
  return rows.flatMap((row) => {
    const id = cellOf(row, 'owner')
    if (typeof id === 'number') requireExact(id, `${table}.${owner}`)
    return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? id : []
  })
}

function rowsOf(table: string, conditions: readonly Fragment[], rules: DialectRules): Fragment {
  const source = sql`${writeName(table, rules)} as ${writeName(ROWS, rules)}`
  return sql`from ${source} where ${joinFragments(conditions, ' and ')}`
}

/** Builds `column in (values)`; an empty list selects no row. */
function oneOf(column: string, values: readonly (string | number | bigint)[]): Predicate {
  const [only] = values
  if (only !== undefined && values.length === 1) return compare(column, 'eq', only)
  return { type: 'in', column, values }
}

const NOT_KNOWN: KnownRows = { owner: null, conditions: [], known: {} }
/** The other table's alias, different from the aliases in selections. */
const ROWS = 'v'
/** The maximum number of rows for which a condition lists resource ids. */
const MAX_OWNERS = 1_000
/** The maximum number of values looked up in one search. */
const MAX_LOOKUPS = 10
