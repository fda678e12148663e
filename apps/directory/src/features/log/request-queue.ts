import type { NewRequest } from './write-requests.ts'

/** Requests waiting to be stored. */
export interface RequestQueue {
  /** Adds a request; returns false, and drops it, if the queue is full or the tenant exceeds its share. */
  add(row: NewRequest): boolean
  /** Whether a tenant's request would be dropped now. */
  isFull(tenantId: string): boolean
  /** Returns the oldest requests, or the oldest of some, without removing them. */
  first(count: number, isWanted?: (row: NewRequest) => boolean): readonly NewRequest[]
  remove(removed: readonly NewRequest[]): void
  readonly size: number
}

/** A queue's limits. */
export interface QueueLimits {
  readonly rows: number
  /** The maximum number of code units. */
  readonly length: number
}

/** Creates a queue. A tenant may fill half of it, so it cannot crowd out the others. */
export function createRequestQueue({
  rows: mostRows,
  length: mostLength,
}: QueueLimits): RequestQueue {
  let rows: NewRequest[] = []
  let length = 0
  const counts = new Map<string, { rows: number; length: number }>()
  const isFull = (tenantId: string, added = 0): boolean => {
    const own = counts.get(tenantId) ?? NOTHING
    return (
      rows.length >= mostRows ||
      length + added > mostLength ||
      own.rows >= mostRows / 2 ||
      own.length + added > mostLength / 2
    )
  }
  return {
    isFull,
    add: (row) => {
      const added = lengthOf(row)
      if (isFull(row.tenantId, added)) return false
      const own = counts.get(row.tenantId) ?? NOTHING
      counts.set(row.tenantId, { rows: own.rows + 1, length: own.length + added })
      rows.push(row)
      length += added
      return true
    },
    first: (count, isWanted = () => true) => rows.filter(isWanted).slice(0, count),
    remove: (all) => {
      const gone = new Set(all)
      for (const row of gone) {
        const removed = lengthOf(row)
        length -= removed
        const own = counts.get(row.tenantId) ?? NOTHING
        if (own.rows <= 1) counts.delete(row.tenantId)
        else counts.set(row.tenantId, { rows: own.rows - 1, length: own.length - removed })
      }
      rows = rows.filter((row) => !gone.has(row))
    },
    get size() {
      return rows.length
    },
  }
}

/** A row's length in code units; the small columns count as a constant. */
function lengthOf({ entry, exchange }: NewRequest): number {
  return entry.length + (exchange?.length ?? 0) + SMALL_COLUMNS
}

const NOTHING = { rows: 0, length: 0 }
const SMALL_COLUMNS = 200
