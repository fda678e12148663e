import { createWrite, type WriteOptions, type WriteRequest } from '../imports/write-requests.ts'
import {
  deleteChanges,
  readNewest,
  released,
  type UndoneChange,
} from '../store/changes/connection.ts'
import { lockFeed, writeFeed } from '../store/changes/feed.ts'
import { reversalOf } from './reversal.ts'

/** An undo's result. */
export interface Undone {
  /** How many changes were undone. */
  readonly undone: number
  /** Changes not undone, for example because a user's old name is now another user's. */
  readonly failed: readonly FailedReversal[]
  /** Whether the time ran out before all were undone. The connection still waits: call it again. */
  readonly hasMore: boolean
}

/** A failed reversal: the change's position, and the reason. */
export interface FailedReversal {
  readonly position: number
  readonly reason: string
}

/** Thrown if an undo would include too many changes already seen by consumers. */
export class TooFarError extends Error {
  override readonly name: string = 'TooFarError'
}

/**
 * Restores a tenant's state after a given change: sends requests that undo each later change, the newest first. A
 * waiting change is undone together with its row, so consumers never see either. Changes already seen by consumers are
 * undone in one transaction, and their reversals become new changes. At the end, the connection is active.
 */
export async function undoChanges(
  options: WriteOptions,
  { after, deadline }: { readonly after: number; readonly deadline: number },
): Promise<Undone> {
  const { store, tenantId, now } = options
  const feed = await store.write((db) => lockFeed(db, tenantId), { tenantId })
  const heldAfter = feed.heldAfter ?? feed.position
  const seen = await store.read((db) =>
    readNewest(db, tenantId, { after, until: heldAfter, count: MOST_SEEN + 1 }),
  )
  if (seen.length > MOST_SEEN) throw new TooFarError()
  const undo = createUndo(options)
  const waiting = { after: Math.max(after, heldAfter), until: Number.MAX_SAFE_INTEGER }
  for (;;) {
    const count = STEP + undo.failed.length
    const newest = await store.read((db) => readNewest(db, tenantId, { ...waiting, count }))
    const rows = newest.filter(({ position }) => !undo.isFailed(position)).slice(0, STEP)
    if (rows.length === 0) break
    if (now() > deadline) return { ...undo.result(), hasMore: true }
    await undo.waiting(rows)
  }
  await undo.seen(seen)
  await store.write(
    async (db) => await writeFeed(db, tenantId, released(await lockFeed(db, tenantId))),
    { tenantId },
  )
  return { ...undo.result(), hasMore: false }
}

function createUndo(options: WriteOptions) {
  const { tenantId, schemas, now } = options
  const write = createWrite(options)
  const failed: FailedReversal[] = []
  let undone = 0
  const prepare = (rows: readonly UndoneChange[]): Prepared[] =>
    rows.flatMap((row) => {
      const requests = reversalOf(row, schemas.types, now())
      if (requests !== null) return [{ row, requests }]
      failed.push({ position: row.position, reason: 'its resource type does not exist any more' })
      return []
    })
  /** Undoes changes in one transaction; after a rejection, repeats without the rejected change. */
  const undo = async (prepared: readonly Prepared[], isSilent: boolean): Promise<void> => {
    if (prepared.length === 0) return
    const requests = prepared.flatMap((one) => one.requests)
    const rejected = await write(requests, {
      isSilent,
      finish: async (db) => {
        if (!isSilent) return
        let bytes = 0
        for (const { row } of prepared) {
          bytes += await deleteChanges(db, tenantId, {
            after: row.position - 1,
            until: row.position,
          })
        }
        const feed = await lockFeed(db, tenantId)
        await writeFeed(db, tenantId, { ...feed, bytes: feed.bytes - bytes })
      },
    })
    if (rejected === null) {
      undone += prepared.length
      return
    }
    const at = rowOf(prepared, rejected.at)
    const one = prepared[at]
    if (one === undefined) return
    failed.push({ position: one.row.position, reason: rejected.reason })
    if (isSilent) await undo(prepared.slice(0, at), isSilent)
    const rest = isSilent ? prepared.slice(at + 1) : prepared.filter((other) => other !== one)
    await undo(rest, isSilent)
  }
  return {
    failed,
    isFailed: (position: number) => failed.some((one) => one.position === position),
    waiting: (rows: readonly UndoneChange[]) => undo(prepare(rows), true),
    seen: (rows: readonly UndoneChange[]) => undo(prepare(rows), false),
    result: () => ({ undone, failed }),
  }
}

interface Prepared {
  readonly row: UndoneChange
  readonly requests: readonly WriteRequest[]
}

/** Returns the index of a request's change. */
function rowOf(prepared: readonly Prepared[], at: number): number {
  let end = 0
  return prepared.findIndex(({ requests }) => {
    end += requests.length
    return at < end
  })
}

/** How many waiting changes are undone in one transaction. */
const STEP = 50
/** The most changes undone after consumers have seen them. */
const MOST_SEEN = 1_000
