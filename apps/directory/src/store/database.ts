import { type Fragment, joinFragments, raw, type SqlValue, sql } from '@plumbline/scim/sql'

/** An open transaction, or a connection for one statement. */
export interface Database {
  /** Runs a statement. */
  exec(statement: Fragment): Promise<StatementResult>
}

/** The result of a statement. */
export interface StatementResult {
  /** Empty for a statement that does not return rows. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** The rows the statement wrote. */
  readonly affectedRows: number
}

/** Runs statements, one after the other. */
export async function execAll(db: Database, statements: readonly Fragment[]): Promise<void> {
  for (const statement of statements) await db.exec(statement)
}

/** Runs a statement that reads rows, and names the columns of `Row`. */
export async function readRows<Row>(db: Database, statement: Fragment): Promise<readonly Row[]> {
  const { rows } = await db.exec(statement)
  return rows as readonly unknown[] as readonly Row[]
}

/** Runs a statement that reads at most one row. */
export async function readRow<Row>(db: Database, statement: Fragment): Promise<Row | null> {
  return (await readRows<Row>(db, statement))[0] ?? null
}

/** Inserts rows, which have the columns of the first one. A statement of SQLite accepts 32,766 values. */
export async function insertRows<Row extends object>(
  db: Database,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const places = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row))
    return sql`(${bindList(columns.map((column) => bindable(values.get(column))))})`
  })
  await db.exec(
    sql`insert into ${raw(table)} (${raw(columns.join(', '))}) values ${joinFragments(places, ', ')}`,
  )
}

/** Changes the columns of the rows that meet a condition; returns how many there are. */
export async function updateRows(
  db: Database,
  table: string,
  changes: object,
  where: Fragment,
): Promise<number> {
  const assignments = Object.entries(changes).map(
    ([column, value]) => sql`${raw(column)} = ${bindable(value)}`,
  )
  const statement = sql`update ${raw(table)} set ${joinFragments(assignments, ', ')} where ${where}`
  return (await db.exec(statement)).affectedRows
}

/** A value of a row. Throws a TypeError for one the directory does not store. */
function bindable(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  throw new TypeError(`a column cannot contain a value of the type ${typeof value}`)
}

/** Values as they are bound in a list. */
export function bindList(values: readonly SqlValue[]): Fragment {
  return joinFragments(
    values.map((value) => sql`${value}`),
    ', ',
  )
}
