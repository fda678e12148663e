import { sql } from '@plumbline/scim/internal'
import { type Database, readRow } from './database.ts'

/** The process that does some work. */
export interface LeaseRow {
  /** Empty if the work is free. */
  readonly holder: string
  /** Counts the renewals. Another process takes the lease if the count stays the same for a while. */
  readonly beat: number
}

/** Reads a lease; null before the first use. */
export async function readLease(db: Database, name: string): Promise<LeaseRow | null> {
  return await readRow(db, sql`select holder, beat from leases where name = ${name}`)
}

/** Takes or renews a lease, unless another process has changed it since it was read. Returns whether it succeeded. */
export async function writeLease(
  db: Database,
  name: string,
  holder: string,
  read: LeaseRow | null,
): Promise<boolean> {
  const { affectedRows } = await db.exec(
    read === null
      ? sql`insert into leases (name, holder, beat) values (${name}, ${holder}, 1)
          on conflict (name) do nothing`
      : sql`update leases set holder = ${holder}, beat = beat + 1
          where name = ${name} and holder = ${read.holder} and beat = ${read.beat}`,
  )
  return affectedRows === 1
}
