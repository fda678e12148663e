import { type AnyTable, type Predicate, rawSql, type SqlStatement } from '@remix-run/data-table'
import { chunksOf } from '../chunks.ts'
import { equals, every, oneOf } from '../predicates.ts'
import type { TenantScope } from '../scope.ts'
import { countWithin, MOST_IN_PAGE, MOST_IN_RESOURCE } from '../sizes.ts'
import { readRows } from '../tables.ts'
import type { Listing, Stored } from './list.ts'

/** A range of rows to read from a table. */
export interface Range {
  readonly where: Predicate
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
  const few = await select(scope, listing, { ...range, limit: Math.min(limit, FEW) })
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
): Promise<readonly Row[]> {
  const statement =
    buildEqualityStatement(listing, range) ??
    compileStatement(db, listing.table, listing.read, range)
  return readRows<Row>(db, statement)
}

/** Reads the sizes of rows. Databases return a size without reading the value. */
async function readSizes<Row>(
  { db }: TenantScope,
  { table, large }: Listing<Row>,
  range: Range,
): Promise<readonly number[]> {
  const { text, values } = compileStatement(db, table, [String(large)], range)
  // The query library does not select functions. The first `from` comes after the names of columns.
  const sizes = text.replace(/select .*? from /, `select octet_length(${large}) as size from `)
  const rows = await readRows<{ readonly size: unknown }>(db, rawSql(sizes, [...values]))
  return rows.map(({ size }) => Number(size))
}

/** The statement that the query library builds for a range. */
function compileStatement(
  db: TenantScope['db'],
  table: AnyTable,
  columns: readonly string[],
  { where, orderBy, limit, offset = 0 }: Range,
): SqlStatement {
  const [statement] = db.adapter.compileSql({
    kind: 'select',
    table,
    select: columns.map((column) => ({ column, alias: column })),
    distinct: false,
    joins: [],
    where: [where],
    groupBy: [],
    having: [],
    orderBy: orderBy.map(([column, direction]) => ({ column, direction })),
    limit,
    ...(offset > 0 ? { offset } : {}),
  })
  if (statement === undefined) throw new Error('a select is one statement')
  return statement
}

/**
 * The statement for a range that compares a few columns with strings, as identity providers do; null for any
 * other range. It is built here because the query library takes as long to build it as SQLite to run it.
 */
function buildEqualityStatement<Row>(
  { select }: Listing<Row>,
  { where, orderBy, limit, offset = 0 }: Range,
): SqlStatement | null {
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
  const text = `${select} ${conditions}order by ${order} limit ${limit} offset ${offset}`
  return rawSql(text, values)
}

const MOST_CONDITIONS = 16
/** This many rows always fit into a page, whatever their sizes. */
const FEW = MOST_IN_PAGE / MOST_IN_RESOURCE
