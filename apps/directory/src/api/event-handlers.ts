import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../auth/authenticate.ts'
import { eventKeys } from '../changes/event-keys.ts'
import { eventId, writeSecurityEvent } from '../changes/security-event.ts'
import { createId } from '../ids.ts'
import { originOf, receivedOf } from '../requests/received.ts'
import {
  advanceReceiver,
  deleteReceiver,
  findReceiver,
  insertReceiver,
  listReceivers,
  type ReceiverRow,
} from '../store/changes/event-receivers.ts'
import { newestPosition, type ReadChange, readChanges } from '../store/changes/read-changes.ts'
import type { Database } from '../store/database.ts'
import { findTenant } from '../store/tokens.ts'
import type { LiveStreams } from './live-streams.ts'
import type { apiDocument } from './operations.ts'
import type { ApiVerifiers } from './verifiers.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

type EventHandlers = Pick<
  ApiHandlers,
  'listReceivers' | 'createReceiver' | 'deleteReceiver' | 'pollEvents' | 'getKeys'
>

/** Handlers for Security Event Tokens. */
export function eventHandlers(
  { store, now }: AuthOptions,
  { live }: { readonly live: LiveStreams },
): EventHandlers {
  const read = ({ tenant_id, position }: ReceiverRow, count: number) =>
    store.read((db) => readChanges(db, tenant_id, { after: position, count, now: now() }), {
      tenantId: tenant_id,
    })
  const signed = async (rows: readonly ReadChange[], receiver: ReceiverRow, issuer: string) => {
    const { tenant_id, audience } = receiver
    const { signing: key } = await eventKeys(store, now())
    const sets: Record<string, string> = {}
    for (const change of rows) {
      const row = { ...change, tenant_id }
      sets[eventId(row)] = await writeSecurityEvent(row, { issuer, audience, key })
    }
    return sets
  }
  return {
    ...receiverHandlers({ store, now }),
    pollEvents: async ({ params, body, request, signal, reply, problems }) => {
      const { tenantId, receiverId } = params
      const { maxEvents = MOST_EVENTS, returnImmediately, ack, setErrs } = body
      const ids = new Set([...ack, ...Object.keys(setErrs)])
      const find = (db: Database) => findReceiver(db, tenantId, receiverId)
      const receiver = await (ids.size === 0
        ? store.read(find)
        : store.write(async (db) => {
            const row = await find(db)
            return row && (await acknowledge(db, row, { ids, now: now() }))
          }))
      if (receiver === null) return problems.notFound()
      const count = Math.min(maxEvents, MOST_EVENTS)
      let page = await read(receiver, Math.max(1, count))
      if (page?.rows.length === 0 && !returnImmediately && count > 0) {
        await waitForChange(live, receiver, { signal, now })
        page = await read(receiver, count)
      }
      if (page === null) return problems.changesDeleted()
      if (count === 0) return reply(200, { sets: {}, moreAvailable: page.rows.length > 0 })
      const sets = await signed(page.rows, receiver, originOf(request, receivedOf(request)))
      return reply(200, { sets, moreAvailable: page.hasMore })
    },
    getKeys: async ({ reply }) => {
      const { published } = await eventKeys(store, now())
      return reply(200, { keys: [...published] })
    },
  }
}

function receiverHandlers({
  store,
  now,
}: Pick<AuthOptions, 'store' | 'now'>): Pick<
  EventHandlers,
  'listReceivers' | 'createReceiver' | 'deleteReceiver'
> {
  return {
    listReceivers: async ({ params: { tenantId }, reply, problems }) => {
      const rows = await store.read(async (db) =>
        (await findTenant(db, tenantId)) ? await listReceivers(db, tenantId) : null,
      )
      return rows === null ? problems.notFound() : reply(200, { receivers: rows.map(receiverBody) })
    },
    createReceiver: async ({ params: { tenantId }, body, reply, problems }) => {
      const row = await store.write(async (db) => {
        if (!(await findTenant(db, tenantId))) return null
        const position = await newestPosition(db, tenantId, now())
        const facts = { tenant_id: tenantId, id: createId(now()), created_at: now() }
        const created = { ...facts, name: body.name, audience: body.audience, position }
        await insertReceiver(db, created)
        return created
      })
      return row === null ? problems.notFound() : reply(201, receiverBody(row))
    },
    deleteReceiver: async ({ params: { tenantId, receiverId }, reply, problems }) => {
      const isDeleted = await store.write((db) => deleteReceiver(db, tenantId, receiverId))
      return isDeleted ? reply(204) : problems.notFound()
    },
  }
}

/** Advances a receiver past acknowledged changes, up to the first unacknowledged one. */
async function acknowledge(
  db: Database,
  row: ReceiverRow,
  { ids, now }: { readonly ids: ReadonlySet<string>; readonly now: number },
): Promise<ReceiverRow> {
  const { tenant_id } = row
  const newest = await newestPosition(db, tenant_id, now)
  let { position } = row
  while (position < newest && ids.has(eventId({ tenant_id, position: position + 1 }))) {
    position += 1
  }
  if (position > row.position) await advanceReceiver(db, row, position)
  return { ...row, position }
}

/** Waits for the next change, at most some seconds. */
async function waitForChange(
  live: LiveStreams,
  row: ReceiverRow,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<void> {
  const stream = live.watch({
    ...{ event: 'change', after: row.position, signal, isAllowed: async () => true },
    read: async (db, after) => {
      const page = await readChanges(db, row.tenant_id, { after, count: 1, now: now() })
      return page?.rows.map(({ position }) => ({ number: position, data: null })) ?? null
    },
  })
  const reader = stream?.getReader()
  // A stream starts with the client's reconnection time. Without changes, a comment follows.
  await reader?.read()
  await reader?.read()
  await reader?.cancel()
}

function receiverBody({ id, name, audience, position, created_at }: ReceiverRow) {
  const createdAt = new Date(created_at).toISOString()
  return { id, name, audience, cursor: String(position), createdAt }
}

/** The maximum number of tokens in an answer. */
const MOST_EVENTS = 100
