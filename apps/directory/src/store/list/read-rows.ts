import {
  type AnyTable,
  getTableName,
  type Predicate,
  rawSql,
  type SqlStatement,
} from '@remix-run/data-table'
import { chunksOf } from '../chunks.ts'
import { joinConditions, joined, type SqlCondition } from '../condition.ts'
import { equals, every, oneOf } from '../predicates.ts'
import type { TenantScope } from '../scope.ts'
import { countWithin, MOST_IN_PAGE, MOST_IN_RESOURCE } from '../sizes.ts'
import { readRows } from '../tables.ts'
import type { Listing, Stored } from './list.ts'
import { writePredicate } from './write-predicate.ts'

/** A range of rows to read from a table. */
export interface Range {
  readonly where: Predicate
  /** Another condition, which predicates of the query library cannot express. */
  readonly condition?: SqlCondition | null
  readonly orderBy: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  readonly limit: number
  readonly offset?: number
}

/** The first rows of a range. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  /** Whether the range has more rows, which were too large to read with these. */
  readonly isCut: boolean
}

/**
 * Reads the first rows of a range that fit into `most` bytes together, without the columns that are only for
 * filters and sorting. A few rows are always read. For more rows, their sizes are read first.
 */
export async function rowsIn<Row>(
  scope: TenantScope,
  listing: Listing<Row>,
  range: Range,
  most = MOST_IN_PAGE,
): Promise<Rows<Row>> {
  const { limit, offset = 0 } = range
  if (listing.large === null) return { rows: await select(scope, listing, range), isCut: false }
  const few = await select(
    scope,
    listing,
    { ...range, limit: Math.min(limit, FEW) },
    listing.readFirst?.(scope.dialect),
  )
  if (few.length < FEW) return { rows: few, isCut: false }
  const rest = { ...range, limit: limit - FEW, offset: offset + FEW }
  const sizes = await readSizes(scope, listing, rest)
  const left = most - few.reduce((sum, row) => sum + listing.sizeOf(row), 0)
  const count = left > 0 ? countWithin(sizes, left) : 0
  const more = count === 0 ? [] : await select(scope, listing, { ...rest, limit: count })
  return { rows: [...few, ...more], isCut: count < sizes.length }
}

/** Reads rows by their ids, in the order of the ids. The caller bounds their sizes. */
export async function rowsById<Row extends Stored>(
  scope: TenantScope,
  listing: Listing<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  const found = new Map<string, Row>()
  for (const some of chunksOf(ids)) {
    const where = every([equals('tenant_id', scope.tenantId), oneOf('id', some)])
    const range = { where, orderBy: [['id', 'asc']] as const, limit: some.length }
    for (const row of await select(scope, listing, range)) found.set(row.id, row)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

function select<Row>(
  { db }: TenantScope,
  listing: Listing<Row>,
  range: Range,
  columns = listing.read,
): Promise<readonly Row[]> {
  const statement =
    buildEqualityStatement(listing.table, columns, range) ??
    writeStatement(listing.table, columns, range)
  return readRows<Row>(db, statement)
}

/** Reads the sizes of rows. Databases return a size without reading the value. */
async function readSizes<Row>(
  { db }: TenantScope,
  { table, large, sizeSql = `octet_length(${large})` }: Listing<Row>,
  range: Range,
): Promise<readonly number[]> {
  const statement = writeStatement(table, `${sizeSql} as size`, range)
  const rows = await readRows<{ readonly size: unknown }>(db, statement)
  return rows.map(({ size }) => Number(size))
}

/** The number of rows of a range, whatever its limit. */
export async function countRows<Row>(
  { db }: TenantScope,
  { table }: Listing<Row>,
  range: Pick<Range, 'where' | 'condition'>,
): Promise<number> {
  const { text, values } = joined(selectionOf(range))
  const statement = `select count(*) as count from ${getTableName(table)} where ${text}`
  const [row] = await readRows<{ readonly count: unknown }>(db, rawSql(statement, [...values]))
  return Number(row?.count)
}

/** The statement that reads columns of a range. */
function writeStatement(
  table: AnyTable,
  columns: string,
  { orderBy, limit, offset = 0, ...selection }: Range,
): SqlStatement {
  const { text, values } = selectionOf(selection)
  const order = orderBy.map(([column, direction]) => `${column} ${direction}`).join(', ')
  const skipped = offset > 0 ? ` offset ${offset}` : ''
  const from = `from ${getTableName(table)} where ${text}`
  return rawSql(`select ${columns} ${from} order by ${order} limit ${limit}${skipped}`, [...values])
}

function selectionOf({ where, condition }: Pick<Range, 'where' | 'condition'>): SqlCondition {
  const made = writePredicate(where)
  return condition ? joinConditions('and', [made, condition]) : made
}

/**
 * The statement for a range that compares a few columns with strings, as identity providers do; null for any
 * other range. It is built here because the query library takes as long to build it as SQLite to run it.
 */
function buildEqualityStatement(
  table: AnyTable,
  columns: string,
  { where, condition = null, orderBy, limit, offset = 0 }: Range,
): SqlStatement | null {
  if (condition !== null) return null
  let conditions = ''
  const values: string[] = []
  // SQLite reads a flat list of conditions as a tree as deep as the list is long, up to 1,000 levels.
  const left: Predicate[] = [where]
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (values.length === MOST_CONDITIONS) return null
    if (at.type === 'logical' && at.operator === 'and') {
      left.push(...at.predicates)
    } else if (
      at.type === 'comparison' &&
      at.operator === 'eq' &&
      at.valueType === 'value' &&
      typeof at.value === 'string'
    ) {
      conditions += `${conditions === '' ? 'where' : 'and'} ${at.column} = ? `
      values.push(at.value)
    } else {
      return null
    }
  }
  const order = orderBy.map(([column, direction]) => `${column} ${direction}`).join(', ')
  // With these two numbers as parameters, SQLite would take more than twice as long.
  const from = `from ${getTableName(table)} ${conditions}`
  const text = `select ${columns} ${from}order by ${order} limit ${limit} offset ${offset}`
  return rawSql(text, values)
}

const MOST_CONDITIONS = 16
/** This many rows always fit into a page, whatever their sizes. */
const FEW = MOST_IN_PAGE / MOST_IN_RESOURCE
