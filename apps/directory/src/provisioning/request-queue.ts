import type { NewRequest } from '../store/requests/write-requests.ts'

/** Requests that wait to be stored. */
export interface RequestQueue {
  /** Adds a request; returns false, and drops it, if the queue is full or the tenant has more than its share. */
  add(row: NewRequest): boolean
  /** Whether a request of a tenant would be dropped now. */
  isFull(tenantId: string): boolean
  /** The oldest requests, which stay in the queue. */
  first(count: number): readonly NewRequest[]
  /** Removes the oldest requests. */
  remove(count: number): void
  readonly size: number
}

/** A queue's limits. */
export interface QueueLimits {
  readonly rows: number
  /** The number of code units. */
  readonly length: number
}

/** Creates a queue. A tenant may fill half of it, so that it cannot drop the requests of the others. */
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
    first: (count) => rows.slice(0, count),
    remove: (count) => {
      for (const row of rows.slice(0, count)) {
        const removed = lengthOf(row)
        length -= removed
        const own = counts.get(row.tenantId) ?? NOTHING
        if (own.rows <= 1) counts.delete(row.tenantId)
        else counts.set(row.tenantId, { rows: own.rows - 1, length: own.length - removed })
      }
      rows = rows.slice(count)
    },
    get size() {
      return rows.length
    },
  }
}

/** The code units of a row, without the small columns. */
function lengthOf({ entry, exchange }: NewRequest): number {
  return entry.length + (exchange?.length ?? 0) + SMALL_COLUMNS
}

const NOTHING = { rows: 0, length: 0 }
const SMALL_COLUMNS = 200
