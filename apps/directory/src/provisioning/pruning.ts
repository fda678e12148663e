import { repeatWithPauses } from '../background.ts'
import { findIdAt } from '../store/requests/id-at.ts'
import { deleteRequests, findExcess, type NewRequest } from '../store/requests/write-requests.ts'
import type { Store } from '../store/store.ts'
import { listTenants } from '../store/tokens.ts'

/** How many requests are kept. */
export interface Retention {
  /** Older requests are deleted. */
  readonly days: number
  /** The number of requests of each tenant; the oldest are deleted when a tenth more are stored. */
  readonly rows: number
}

/** The parts of a pruning. */
export interface PruningOptions extends Retention {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** Deletes the requests that are not kept. */
export interface Pruning {
  /** Counts the rows that were added. */
  added(rows: readonly Pick<NewRequest, 'tenantId'>[]): void
  /** Deletes rows if it is due, in small transactions; resolves also if the database is unavailable. */
  run(): Promise<void>
}

/**
 * Creates the pruning of a log. Old rows are deleted once an hour, for every tenant. Excess rows of a tenant are
 * deleted at its first row, and then whenever this process has added a tenth of its limit.
 */
export function createPruning({ store, now, days, rows }: PruningOptions): Pruning {
  const added = new Map<string, number>()
  const due = new Set<string>()
  let nextRun = Number.NEGATIVE_INFINITY
  const removeExcess = async (): Promise<void> => {
    for (const tenantId of due) {
      const upTo = await store.scan((db) => findExcess(db, tenantId, rows))
      if (upTo !== null) await deleteAll(store, tenantId, upTo)
      due.delete(tenantId)
    }
  }
  const removeOld = async (): Promise<void> => {
    const time = now()
    if (time < nextRun) return
    const tenants = await store.read(listTenants)
    for (const tenantId of ['', ...tenants.map(({ id }) => id)]) {
      const kept = await store.read((db) => findIdAt(db, tenantId, time - days * DAY))
      await deleteAll(store, tenantId, kept - 1)
    }
    nextRun = time + HOUR
  }
  const removeAll = async (): Promise<void> => {
    try {
      await removeExcess()
      await removeOld()
    } catch {
      // The next run tries again.
    }
  }
  let running: Promise<void> | null = null
  return {
    added: (batch) => {
      for (const { tenantId } of batch) {
        const count = (added.get(tenantId) ?? rows) + 1
        if (count > rows / 10) due.add(tenantId)
        added.set(tenantId, count > rows / 10 ? 0 : count)
      }
    },
    run: () => {
      running ??= removeAll().finally(() => {
        running = null
      })
      return running
    },
  }
}

async function deleteAll(store: Store, tenantId: string, upTo: number): Promise<void> {
  const step = () => store.background((db) => deleteRequests(db, tenantId, upTo))
  await repeatWithPauses(step, { pause: PAUSE })
}

/** The length of a pause, in durations of the deletion before it. */
const PAUSE = 20
const HOUR = 3_600_000
const DAY = 24 * HOUR
