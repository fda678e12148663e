import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../../kernel/store/database.ts'
import { StoreUnavailableError } from '../../kernel/store/store.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRule } from './change-rules.ts'

/** The resources preventing a schema change. */
export interface Holders {
  /** Their number, at most `MAX_COUNTED`. */
  readonly count: number
  readonly isMore: boolean
  /** The first one's reason. */
  readonly reason: string
}

/** A schema change whose rules are checked. */
export interface CheckedChange {
  readonly tenantId: string
  /** The resource type's table. */
  readonly table: string
  readonly urn: string
  readonly rules: readonly ChangeRule[]
}

/** Finds the resources preventing a schema change; null if no resource does. */
export async function findHolders(db: Database, change: CheckedChange): Promise<Holders | null> {
  const counted = createCounter(change)
  await eachPage(db, change, sql`extensions is not null`, counted.add)
  // A resource without extensions can only break a rule that requires one.
  const isAbsenceBroken = change.rules.some(({ isBroken }) => isBroken(undefined))
  if (isAbsenceBroken) {
    await eachPage(db, change, sql`extensions is null`, counted.add)
  }
  return counted.found()
}

/**
 * Finds the resources preventing a schema change, among those changed since a time. Rejects if too many were:
 * the search would delay their writers.
 */
export async function findRecentHolders(
  db: Database,
  change: CheckedChange,
  since: number,
): Promise<Holders | null> {
  const counted = createCounter(change)
  const { tenantId, table } = change
  const rowsFrom = (offset: number) => sql`
    select id, extensions from ${rowsOf(tenantId, table)} and last_modified >= ${since}
    order by last_modified, id limit ${raw(String(PAGE))} offset ${offset}`
  for (let offset = 0; !counted.isFull(); offset += PAGE) {
    if (offset > MAX_RECENT) {
      throw new StoreUnavailableError('too many resources of the tenant are being changed')
    }
    const rows = await readRows<Row>(db, rowsFrom(offset))
    for (const row of rows) counted.add(row)
    if (rows.length < PAGE) break
  }
  return counted.found()
}

interface Row {
  readonly id: string
  readonly extensions: string | null
}

function createCounter({ urn, rules }: CheckedChange) {
  let count = 0
  let reason: string | null = null
  const isFull = (): boolean => count > MAX_COUNTED
  return {
    isFull,
    /** Returns whether to continue counting. */
    add: ({ extensions }: Row): boolean => {
      const all: Readonly<Record<string, unknown>> =
        extensions === null ? {} : JSON.parse(extensions)
      const value = Object.hasOwn(all, urn) ? all[urn] : undefined
      const broken = rules.find(({ isBroken }) => isBroken(value))
      if (broken !== undefined) {
        count += 1
        reason ??= broken.reason
      }
      return !isFull()
    },
    found: (): Holders | null =>
      reason === null ? null : { count: Math.min(count, MAX_COUNTED), isMore: isFull(), reason },
  }
}

async function eachPage(
  db: Database,
  { tenantId, table }: CheckedChange,
  condition: Fragment,
  visit: (row: Row) => boolean,
): Promise<void> {
  const rowsAfter = (id: string) => sql`
    select id, extensions from ${rowsOf(tenantId, table)} and ${condition} and id > ${id}
    order by id limit ${raw(String(PAGE))}`
  for (let last = ''; ; ) {
    const rows = await readRows<Row>(db, rowsAfter(last))
    for (const row of rows) if (!visit(row)) return
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? ''
  }
}

/** A page's rows have up to 256 KiB each. */
const PAGE = 64
/** More resources are not counted. */
const MAX_COUNTED = 100
const MAX_RECENT = 1_000
