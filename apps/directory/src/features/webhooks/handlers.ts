import { randomBytes } from 'node:crypto'
import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { isoTime } from '../../kernel/clock.ts'
import { createId } from '../../kernel/ids.ts'
import { parseCursor, positionIn, writeCursor } from '../../kernel/store/cursor.ts'
import type { Database } from '../../kernel/store/database.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { type Feed, lockFeed, readFeed } from '../changes/feed.ts'
import { newestPosition } from '../changes/read-changes.ts'
import type { Receivers } from './addresses.ts'
import { listDeliveries } from './deliveries.ts'
import { deliveryBody } from './delivery-handlers.ts'
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from './store.ts'
import { readBacklog } from './waiting.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** The server parts that webhooks depend on. */
export interface WebhookSources {
  readonly receivers: Receivers
  /** The issuer of Security Event Tokens; null if `PUBLIC_URL` is not set. */
  readonly publicOrigin: string | null
}

type WebhookHandlers = Pick<
  ApiHandlers,
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'rotateWebhook'
>

/** Handlers for webhooks. */
export function webhookHandlers(options: AuthOptions, sources: WebhookSources): WebhookHandlers {
  const { store, now } = options
  return {
    listWebhooks: async ({ params: { tenantId }, reply, problems }) => {
      const webhooks = await store.read(async (db) => {
        if (!(await findTenant(db, tenantId))) return null
        const all = []
        for (const row of await listWebhooks(db, tenantId)) {
          all.push(await withDelivery(db, row, now))
        }
        return all
      })
      return webhooks === null ? problems.notFound() : reply(200, { webhooks })
    },
    getWebhook: async ({ params: { tenantId, webhookId }, reply, problems }) => {
      const found = await store.read(async (db) => {
        const row = await findWebhook(db, { tenant_id: tenantId, id: webhookId })
        return row && (await withDelivery(db, row, now))
      })
      return found === null ? problems.notFound() : reply(200, found)
    },
    ...creatingHandlers(options, sources),
    ...changingHandlers(options, sources),
    deleteWebhook: async ({ params: { tenantId, webhookId }, reply, problems }) => {
      const key = { tenant_id: tenantId, id: webhookId }
      const isDeleted = await store.write((db) => deleteWebhook(db, key))
      return isDeleted ? reply(204) : problems.notFound()
    },
  }
}

function creatingHandlers(
  { store, now }: AuthOptions,
  { receivers, publicOrigin }: WebhookSources,
): Pick<WebhookHandlers, 'createWebhook'> {
  return {
    createWebhook: async ({ params: { tenantId }, body, reply, problems }) => {
      const { url, kinds, format, audience } = body
      const fault = receivers.check(url)
      if (fault !== null) return problems.invalid(invalid('url', fault))
      if (format === 'set' && publicOrigin === null) return problems.invalid(NO_ISSUER)
      if ((format === 'set') !== (audience !== null)) return problems.invalid(WRONG_AUDIENCE)
      const webhook = { tenantId, url, kinds, audience, now: now() }
      const created = await store.write((db) => create(db, webhook))
      if (created === null) return problems.notFound()
      if (created !== 'full') {
        const { id, createdAt, cursor, secret } = created
        return reply(201, { id, url, kinds, format, audience, createdAt, cursor, secret })
      }
      return problems.notAllowed({ detail: `Delete one of the ${MAX_WEBHOOKS} webhooks first.` })
    },
  }
}

interface NewWebhook {
  readonly tenantId: string
  readonly url: string
  readonly kinds: readonly string[] | null
  readonly audience: string | null
  readonly now: number
}

/** Creates a webhook for changes from now on; null without its tenant. */
async function create(db: Database, { tenantId, url, kinds, audience, now }: NewWebhook) {
  if (!(await findTenant(db, tenantId))) return null
  // Makes other requests wait before creating a webhook.
  await lockFeed(db, tenantId)
  if ((await listWebhooks(db, tenantId)).length >= MAX_WEBHOOKS) return 'full'
  const row: WebhookRow = {
    tenant_id: tenantId,
    id: createId(now),
    url,
    secret: createSecret(),
    created_at: now,
    kinds: kinds && JSON.stringify(kinds),
    audience,
    old_secret: null,
    old_secret_until: null,
    ...enabled(now),
    position: await newestPosition(db, tenantId, now),
  }
  await insertWebhook(db, row)
  return { ...webhookBody(row, await readFeed(db, tenantId), now), secret: row.secret }
}

function changingHandlers(
  options: AuthOptions,
  { receivers }: Pick<WebhookSources, 'receivers'>,
): Pick<WebhookHandlers, 'changeWebhook' | 'rotateWebhook'> {
  const { now } = options
  return {
    changeWebhook: async ({ params, body, reply, problems }) => {
      const fault = body.url === undefined ? null : receivers.check(body.url)
      if (fault !== null) return problems.invalid(invalid('url', fault))
      const changed = await update(options, params, (row, feed, newest) =>
        changesOf(body, row, { feed, newest, now: now() }),
      )
      if (changed !== null && 'fault' in changed) return problems.invalid(changed.fault)
      return changed === null ? problems.notFound() : reply(200, changed)
    },
    rotateWebhook: async ({ params, body: { overlapSeconds }, reply, problems }) => {
      const secret = createSecret()
      const old_secret_until = now() + overlapSeconds * 1_000
      const rotate = (row: WebhookRow) => ({ secret, old_secret: row.secret, old_secret_until })
      if ((await update(options, params, rotate)) === null) return problems.notFound()
      return reply(200, { secret, oldSecretExpiresAt: new Date(old_secret_until).toISOString() })
    },
  }
}

interface ChangedWebhook {
  readonly url?: string | undefined
  readonly kinds?: readonly string[] | null | undefined
  readonly audience?: string | undefined
  readonly cursor?: string | undefined
  readonly enabled?: boolean | undefined
}

interface Rejected {
  readonly fault: ReturnType<typeof invalid>
}

/** Changes a webhook in a transaction, and returns it; null if it does not exist, and a fault without changes. */
function update(
  { store, now }: AuthOptions,
  { tenantId, webhookId }: { readonly tenantId: string; readonly webhookId: string },
  find: (row: WebhookRow, feed: Feed, newest: number) => Partial<WebhookRow> | Rejected,
) {
  return store.write(async (db) => {
    const key = { tenant_id: tenantId, id: webhookId }
    const row = await findWebhook(db, key)
    if (row === null) return null
    const newest = await newestPosition(db, tenantId, now())
    const changes = find(row, await readFeed(db, tenantId), newest)
    if ('fault' in changes) return changes
    await write(db, row, changes)
    return await withDelivery(db, (await findWebhook(db, key)) ?? row, now)
  })
}

async function write(
  db: Database,
  row: WebhookRow,
  { position = row.position, ...others }: Partial<WebhookRow>,
): Promise<void> {
  if (Object.keys(others).length > 0) await updateWebhook(db, row, others)
  // A delivery may have moved the webhook meanwhile, which must not go back.
  if (position > row.position) await updateWebhook(db, row, { position }, row.position)
}

interface FeedState {
  readonly feed: Feed
  /** The newest change's position, as consumers see it. */
  readonly newest: number
  readonly now: number
}

/** Returns the changed columns, or why the request is rejected. */
function changesOf(
  { url, kinds, audience, cursor, enabled: isEnabled }: ChangedWebhook,
  row: WebhookRow,
  { feed, newest, now }: FeedState,
): Partial<WebhookRow> | Rejected {
  if (audience !== undefined && row.audience === null) return { fault: WRONG_AUDIENCE }
  const wanted = cursor === undefined ? 0 : positionIn(feed, parseCursor(cursor))
  if (wanted === null) return { fault: WRONG_EPOCH }
  // Deleted changes can't be delivered any more, and waiting changes can't be skipped.
  const oldest = isEnabled === true ? feed.deletedTo : 0
  const skipped = Math.min(wanted, newest)
  const position = Math.max(row.position, oldest, skipped)
  return {
    ...(url !== undefined && { url }),
    ...(kinds !== undefined && { kinds: kinds && JSON.stringify(kinds) }),
    ...(audience !== undefined && { audience }),
    ...(position > row.position && { position, ...untried(now) }),
    ...(isEnabled === true && enabled(now)),
    ...(isEnabled === false && disable(row, now)),
  }
}

function enabled(now: number) {
  return { ...untried(now), disabled_at: null, disabled_reason: null }
}

/** Resets the failures. */
function untried(now: number) {
  return { attempts: 0, next_attempt_at: now, failing_since: null }
}

function disable({ disabled_at }: WebhookRow, now: number): Partial<WebhookRow> {
  return disabled_at === null ? { disabled_at: now, disabled_reason: 'administrator' } : {}
}

function webhookBody(row: WebhookRow, feed: Feed, now: number) {
  const isDisabled = row.disabled_at !== null
  const isFailing = !isDisabled && row.failing_since !== null
  const isRotated = row.old_secret_until !== null && row.old_secret_until > now
  const kinds: string[] | null = row.kinds === null ? null : JSON.parse(row.kinds)
  return {
    id: row.id,
    url: row.url,
    kinds,
    audience: row.audience,
    format: row.audience === null ? ('standard' as const) : ('set' as const),
    state: isDisabled
      ? ('disabled' as const)
      : isFailing
        ? ('failing' as const)
        : ('active' as const),
    createdAt: new Date(row.created_at).toISOString(),
    cursor: writeCursor(feed, row.position),
    failingSince: isoTime(row.failing_since),
    nextAttemptAt: isFailing ? isoTime(row.next_attempt_at) : null,
    disabledAt: isoTime(row.disabled_at),
    disabledReason: row.disabled_reason,
    oldSecretExpiresAt: isRotated ? isoTime(row.old_secret_until) : null,
  }
}

/** Builds a webhook's body with its waiting changes and its newest delivery. */
async function withDelivery(db: Database, row: WebhookRow, now: () => number) {
  const feed = await readFeed(db, row.tenant_id)
  const body = webhookBody(row, feed, now())
  const { next, count } = await readBacklog(db, row, feed)
  const backlog = { next: next === null ? null : writeCursor(feed, next), waiting: count }
  const [last] = await listDeliveries(db, row, { before: undefined, count: 1 })
  if (last === undefined) return { ...body, ...backlog, lastDelivery: null }
  const { attemptedAt, status, isAccepted } = deliveryBody(row, last, feed)
  return { ...body, ...backlog, lastDelivery: { attemptedAt, status, isAccepted } }
}

function invalid(name: string, detail: string) {
  return { extensions: { issues: [{ location: 'body', pointer: `/${name}`, detail }] } } as const
}

function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

const NO_ISSUER = invalid('format', 'needs PUBLIC_URL of the server, which is the issuer of tokens')
const WRONG_AUDIENCE = invalid('audience', 'must be given with the format set, and only with it')
const WRONG_EPOCH = invalid('cursor', 'belongs to the feed before a backup was restored')
const MAX_WEBHOOKS = 20
