import { HOUR } from '../../kernel/durations.ts'
import type { Store } from '../../kernel/store/store.ts'
import { readFeed } from '../changes/feed.ts'
import { type ChangePage, type ReadChange, readChanges } from '../changes/read-changes.ts'
import { acceptedBy, type DeliveryRow, insertDeliveries } from './deliveries.ts'
import type { SendChange } from './send-change.ts'
import { findWebhook, updateWebhook, type WebhookKey, type WebhookRow } from './store.ts'

/** Options for `deliverPage`. */
export interface PageOptions {
  readonly store: Store
  readonly send: SendChange
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Returns a number from 0 to 1, such as `Math.random`. */
  readonly random: () => number
  /** Whether the next change may be sent. */
  readonly mayContinue: () => boolean
  readonly signal: AbortSignal
  readonly accepted: Accepted
}

/** Accepted changes beyond a webhook's position, which are not sent again. They are lost with the process. */
export interface Accepted {
  /** The epoch of the positions. */
  epoch: string
  readonly positions: Set<number>
}

/** A page's outcome. */
export interface PageOutcome {
  /** Whether more changes can be delivered now. */
  readonly hasMore: boolean
  /** Whether the receiver failed, or is slow. */
  readonly isSlow: boolean
}

/**
 * Delivers a page of changes: one resource's changes in order, different resources concurrently. A failure stops its
 * resource. Then the position moves up to the first change the receiver did not accept.
 */
export async function deliverPage(key: WebhookKey, options: PageOptions): Promise<PageOutcome> {
  const { store, now } = options
  const found = await store.read(
    async (db) => {
      const webhook = await findWebhook(db, key)
      if (webhook === null || webhook.disabled_at !== null) return null
      const range = { after: webhook.position, count: PAGE, now: now() }
      return { webhook, page: await readChanges(db, key.tenant_id, range) }
    },
    { tenantId: key.tenant_id },
  )
  if (found === null) return DONE
  const { webhook, page } = found
  const isAccepted = acceptedBy(webhook)
  if (page === null) {
    await save(options, webhook, { changes: disabled(now(), 'changes-deleted') })
    return DONE
  }
  const accepted = acceptedIn(page.epoch, options)
  const wanted = wantedOf(webhook, page)
  const attempts = await deliver(webhook, wanted, options, accepted)
  for (const { position } of attempts.filter(isAccepted)) accepted.add(position)
  const first = wanted.find(({ position }) => !accepted.has(position))
  const position = first === undefined ? page.next : first.position - 1
  // A failure followed by a success is over.
  const isStuck = ({ position: at }: DeliveryRow): boolean => !accepted.has(at)
  const hasFailed = attempts.some((attempt) => !isAccepted(attempt) && isStuck(attempt))
  // If a page was stopped before the first attempt, the receiver's health is unknown.
  const isHealthy = attempts.length > 0 || first === undefined
  const state = hasFailed ? failed(webhook, attempts, options) : isHealthy ? healthy(now()) : {}
  await save(options, webhook, { changes: { position, ...state }, epoch: page.epoch, attempts })
  for (const old of accepted) if (old <= position) accepted.delete(old)
  const time = attempts.reduce((sum, { duration }) => sum + duration, 0)
  const isSlow = hasFailed || time > attempts.length * SLOW
  return { hasMore: page.hasMore && !hasFailed && first === undefined, isSlow }
}

/** Returns the accepted positions of an epoch, and forgets those of another one. */
function acceptedIn(epoch: string, { accepted }: PageOptions): Set<number> {
  if (accepted.epoch !== epoch) accepted.positions.clear()
  accepted.epoch = epoch
  return accepted.positions
}

interface PageResult {
  readonly changes: Partial<WebhookRow>
  /** The page's epoch; undefined if the webhook's position is not moved. */
  readonly epoch?: string
  readonly attempts?: readonly DeliveryRow[]
}

/** Stores a page's results, unless another process or a restored backup has moved the position meanwhile. */
async function save(
  { store }: PageOptions,
  webhook: WebhookRow,
  { changes, epoch, attempts = [] }: PageResult,
): Promise<void> {
  await store.write(
    async (db) => {
      if (epoch !== undefined && (await readFeed(db, webhook.tenant_id)).epoch !== epoch) return
      const isSaved = await updateWebhook(db, webhook, changes, webhook.position)
      if (isSaved) await insertDeliveries(db, webhook, attempts)
    },
    { tenantId: webhook.tenant_id },
  )
}

function wantedOf({ kinds }: WebhookRow, { rows }: ChangePage): readonly ReadChange[] {
  if (kinds === null) return rows
  const wanted: readonly string[] = JSON.parse(kinds)
  return rows.filter(({ change }) => wanted.includes(JSON.parse(change).type))
}

/**
 * Sends changes, and returns the attempts. A failure stops its resource, and all of them if the receiver seems to be down. If it
 * accepts most, the stopped resources are tried once more: a page almost always has one of 3 % that fail.
 */
async function deliver(
  webhook: WebhookRow,
  wanted: readonly ReadChange[],
  { send, mayContinue, signal }: PageOptions,
  known: ReadonlySet<number>,
): Promise<readonly DeliveryRow[]> {
  const attempts: DeliveryRow[] = []
  const accepted = new Set(known)
  let failures = 0
  const isAccepted = acceptedBy(webhook)
  // After an earlier failure, a receiver gets one change at a time, and the first failure is enough.
  const isFailing = webhook.attempts > 0
  const isDown = () => failures > attempts.length - failures + (isFailing ? 0 : CONCURRENT - 1)
  const work = async (queues: (readonly ReadChange[])[]): Promise<void> => {
    for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
      for (const change of queue) {
        if (accepted.has(change.position)) continue
        if (isDown() || !mayContinue()) return
        const attempt = await send(webhook, change, signal)
        // The server is stopping: the receiver has not failed.
        if (signal.aborted && !isAccepted(attempt)) return
        attempts.push(attempt)
        if (!isAccepted(attempt)) {
          failures += 1
          break
        }
        accepted.add(change.position)
      }
    }
  }
  const deliverAll = async (): Promise<void> => {
    const queues = queuesOf(wanted)
    const count = isFailing ? 1 : CONCURRENT
    await Promise.all(Array.from({ length: count }, () => work(queues)))
  }
  await deliverAll()
  if (failures > 0 && attempts.length > 2 * failures) await deliverAll()
  return attempts
}

/** Groups changes per resource. */
function queuesOf(changes: readonly ReadChange[]): (readonly ReadChange[])[] {
  const queues = new Map<string, ReadChange[]>()
  for (const change of changes) {
    const resource = resourceOf(change)
    queues.set(resource, [...(queues.get(resource) ?? []), change])
  }
  return [...queues.values()]
}

function resourceOf({ change }: ReadChange): string {
  const { resourceType, id } = JSON.parse(change)
  return `${resourceType} ${id}`
}

function healthy(now: number): Partial<WebhookRow> {
  return { attempts: 0, next_attempt_at: now, failing_since: null }
}

function failed(
  webhook: WebhookRow,
  made: readonly DeliveryRow[],
  { now, random }: PageOptions,
): Partial<WebhookRow> {
  const time = now()
  const isNew = webhook.failing_since === null || made.some(acceptedBy(webhook))
  const failing_since = isNew ? time : webhook.failing_since
  const attempts = (isNew ? 0 : webhook.attempts) + 1
  const pause = PAUSES[attempts - 1] ?? HOUR
  const next_attempt_at = time + Math.round(pause * (0.8 + 0.4 * random()))
  // A clock that is ahead for a moment does not disable a webhook: three days have many attempts.
  const isOver = attempts >= LEAST_ATTEMPTS && time - (failing_since ?? time) >= MAX_FAILURE_MS
  const end = isOver ? disabled(time, 'failing') : {}
  return { attempts, failing_since, next_attempt_at, ...end }
}

function disabled(
  disabled_at: number,
  disabled_reason: WebhookRow['disabled_reason'],
): Partial<WebhookRow> {
  return { disabled_at, disabled_reason }
}

const DONE: PageOutcome = { hasMore: false, isSlow: false }
/** How many changes are read into memory. */
const PAGE = 50
/** How many changes a receiver gets concurrently. */
const CONCURRENT = 4
/** The mean answer time (ms) above which a receiver is slow. */
const SLOW = 1_000
/** The pauses (ms) after the first failures; an hour after all others. */
const PAUSES = [5_000, 30_000, 120_000, 600_000, 1_800_000]
/** How long (ms) a receiver may fail before its webhook is disabled. */
const MAX_FAILURE_MS = 72 * HOUR
/** How many attempts fail before that. */
const LEAST_ATTEMPTS = 24
