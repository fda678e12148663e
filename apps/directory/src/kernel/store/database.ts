import { bindList, type Fragment, joinFragments, raw, sql } from '@plumbline/scim/internal'
import type { SqlValue } from '@plumbline/scim/sql'

/** An open transaction, or a connection for one statement. */
export interface Database {
  /** Runs a statement. */
  exec(statement: Fragment): Promise<StatementResult>
}

/** A statement's result. */
export interface StatementResult {
  /** Empty for a statement that does not return rows. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** How many rows the statement wrote. */
  readonly affectedRows: number
}

/** Runs statements, one after the other. */
export async function execAll(db: Database, statements: readonly Fragment[]): Promise<void> {
  for (const statement of statements) await db.exec(statement)
}

/** Runs a statement whose rows have the columns of `Row`. */
export async function readRows<Row>(db: Database, statement: Fragment): Promise<readonly Row[]> {
  const { rows } = await db.exec(statement)
  return rows as readonly unknown[] as readonly Row[]
}

/** Runs a statement whose result is at most one row. */
export async function readRow<Row>(db: Database, statement: Fragment): Promise<Row | null> {
  return (await readRows<Row>(db, statement))[0] ?? null
}

/** Inserts rows with the same columns as the first one. A SQLite statement accepts 32,766 values. */
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

/** Changes columns in the rows that meet a condition; returns how many rows matched. */
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

/** Converts a value for a statement. Throws a TypeError for a type the directory does not store. */
function bindable(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  throw new TypeError(`a column cannot contain a value of the type ${typeof value}`)
}
