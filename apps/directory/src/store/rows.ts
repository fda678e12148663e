import { type Predicate, rawSql, type SqlStatement } from '@remix-run/data-table'
import type { Listing } from './list.ts'
import type { Scope } from './scope.ts'

/** Which of the rows of a table are read. */
export interface Range {
  readonly where: Predicate
  readonly orderBy: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  readonly limit: number
  readonly offset?: number
}

/** Reads rows, without the columns that are only there to be found by. */
export async function rowsIn<Row>(
  { db }: Scope,
  listing: Listing<Row>,
  range: Range,
): Promise<Row[]> {
  const statement = matching(listing, range)
  if (statement !== null) return ((await db.exec(statement)).rows ?? []) as Row[]
  const { where, orderBy, limit, offset = 0 } = range
  let query = db
    .query(listing.table)
    .where(where as never)
    .limit(limit)
  for (const [column, direction] of orderBy) query = query.orderBy(column as never, direction)
  if (offset > 0) query = query.offset(offset)
  return (await query.select(...(listing.read as readonly never[])).all()) as Row[]
}

/**
 * The statement that compares a few columns with strings, as identity providers do; null for any other
 * range. It is written here because the query library takes as long to write it as SQLite to run it.
 */
function matching<Row>(
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
  // As values, these two numbers would make SQLite take more than twice as long.
  const text = `${select} ${conditions}order by ${order} limit ${limit} offset ${offset}`
  return rawSql(text, values)
}

const MOST_CONDITIONS = 16
