import { setTimeout } from 'node:timers/promises'
import type { Store } from '../store/store.ts'
import {
  deleteRows,
  listDeleted,
  removeTenant,
  TENANT_TABLES,
} from '../store/tenants/delete-tenant.ts'

/** The parts of a deletion. */
export interface TenantDeletionOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** How often (ms) marked tenants are looked up; 5 seconds by default. */
  readonly interval?: number
}

/** Deletes the tenants that are marked for deletion, in the background. */
export interface TenantDeletion {
  /** Starts to look up marked tenants. */
  start(): void
  /** Deletes the rows of all marked tenants; resolves also if the database is unavailable. */
  run(): Promise<void>
  /** Stops after the current transaction. Another process, or the next start, continues. */
  close(): Promise<void>
}

/**
 * Creates the deletion of tenants. Rows are deleted in small transactions, which take at most a fifth of the time. The
 * tenant itself is deleted last, when no request that was authenticated before its deletion can add a row any more.
 * Every process may do this at the same time.
 */
export function createTenantDeletion({
  store,
  now,
  interval = 5_000,
}: TenantDeletionOptions): TenantDeletion {
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null

  const deleteAll = async (): Promise<void> => {
    const marked = await store.read(listDeleted).catch(() => [])
    for (const { id, deleted_at } of marked) {
      const isLast = now() - (deleted_at ?? 0) >= LATEST_WRITE
      // The next run tries again. A tenant whose rows cannot be deleted does not stop the others.
      await deleteTenant(store, id, { isLast, signal }).catch(() => undefined)
    }
  }
  const run = (): Promise<void> => {
    running ??= deleteAll().finally(() => {
      running = null
    })
    return running
  }
  return {
    start: () => {
      timer = setInterval(run, interval).unref()
    },
    run,
    close: async () => {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}

async function deleteTenant(
  store: Store,
  tenantId: string,
  { isLast, signal }: { readonly isLast: boolean; readonly signal: AbortSignal },
): Promise<void> {
  for (const table of TENANT_TABLES) {
    for (let isLeft = true; isLeft; ) {
      signal.throwIfAborted()
      const started = performance.now()
      isLeft = await store.background((db) => deleteRows(db, table, tenantId))
      if (!isLeft) continue
      // Most of the time is left to requests.
      await setTimeout((performance.now() - started) * PAUSE, undefined, { signal, ref: false })
    }
  }
  if (isLast) await store.background((db) => removeTenant(db, tenantId))
}

/** The length of a pause, in durations of the deletion before it. */
const PAUSE = 4
/**
 * How long (ms) after the mark a request may still add a row: its token is accepted for a second, it takes up to half a
 * minute, and its entry of the provisioning log is stored within a minute.
 */
const LATEST_WRITE = 120_000
