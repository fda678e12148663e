import type { HandlersOf } from '@plumbline/openapi/server'
import type { Outbox } from '@plumbline/scim/endpoint'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { type Cursor, parseCursor, writeCursor } from '../../kernel/store/cursor.ts'
import type { LiveStreams } from '../../shell/api/live-streams.ts'
import { RECEIVER } from '../../shell/api/receiver-security.ts'
import { streamJson } from '../../shell/api/stream-json.ts'
import { type ApiVerifiers, createPermissionCheck } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { newestCursor, type ReadChange, readChanges } from './read-changes.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers for a tenant's changes. */
export function changeHandlers(
  auth: AuthOptions,
  { live, outbox }: { readonly live: LiveStreams; readonly outbox: Outbox },
): Pick<ApiHandlers, 'listChanges' | 'watchChanges'> {
  const { store, now } = auth
  const isPermitted = createPermissionCheck(auth, [RECEIVER])
  const find = (tenantId: string) => store.read((db) => findTenant(db, tenantId))
  const read = (tenantId: string, after: Cursor | null, count: number) =>
    store.read((db) => readChanges(db, tenantId, { after, count, now: now() }), { tenantId })
  const newest = (tenantId: string) => store.read((db) => newestCursor(db, tenantId, now()))
  return {
    listChanges: async ({ params: { tenantId }, query, signal, reply, problems }) => {
      const { after, count } = query
      if (!(await find(tenantId))) return problems.notFound()
      if (after === 'newest') {
        return reply(200, { changes: [], nextCursor: await newest(tenantId), hasMore: false })
      }
      // A page has up to 4 MiB of JSON. Pages that are read before their turn would fill the memory.
      await store.turns.next(tenantId)
      const page = await read(tenantId, after === undefined ? null : parseCursor(after), count)
      if (page === null) return problems.changesDeleted()
      const facts = { nextCursor: writeCursor(page, page.next), hasMore: page.hasMore }
      const body = streamJson<PageFacts & { changes: [] }>(pieces(page.rows, facts), {
        outbox,
        client: `changes of ${tenantId}`,
        signal,
      })
      return body === null ? problems.unavailable({ detail: UNREAD }) : reply(200, body)
    },
    watchChanges: async ({ params, query, headers, request, signal, ...answers }) => {
      const { tenantId } = params
      if (!(await find(tenantId))) return answers.problems.notFound()
      const start = headers['Last-Event-ID'] ?? query.after ?? (await newest(tenantId))
      if ((await read(tenantId, parseCursor(start), 1)) === null)
        return answers.problems.changesDeleted()
      const stream = live.watch({
        tenantId,
        event: 'change',
        signal,
        after: start,
        // After a restore, the stream ends, and the client's next one is answered with 410.
        read: async (db, last, count) => {
          const after = parseCursor(last)
          const range = { after, count, now: now(), maxBytes: MAX_STREAMED_BYTES }
          const page = await readChanges(db, tenantId, range)
          if (page === null) return null
          const rows = page.rows.map((row) => ({ id: cursorOf(row), json: changeJson(row) }))
          return { rows, hasMore: page.hasMore }
        },
        isAllowed: () => isPermitted(request),
      })
      if (stream === null) {
        return answers.problems.unavailable({ detail: 'Too many clients watch changes.' })
      }
      // Some proxies would buffer the events.
      return answers.reply(200, stream, { headers: { 'X-Accel-Buffering': 'no' } })
    },
  }
}

/** Converts a change to the API form. */
export function changeBody(row: ReadChange) {
  return { cursor: cursorOf(row), ...JSON.parse(row.change) }
}

function cursorOf(row: ReadChange): string {
  return writeCursor(row, row.position)
}

/** Returns the JSON of `changeBody` without parsing the change, whose members may be hundreds. */
function changeJson(row: ReadChange): string {
  return `{"cursor":"${cursorOf(row)}",${row.change.slice(1)}`
}

interface PageFacts {
  readonly nextCursor: string
  readonly hasMore: boolean
}

/** The JSON of a page. */
function pieces(rows: readonly ReadChange[], facts: PageFacts): readonly string[] {
  const changes = rows.map((row, at) => `${at === 0 ? '' : ','}${changeJson(row)}`)
  return ['{"changes":[', ...changes, `],${JSON.stringify(facts).slice(1)}`]
}

const UNREAD = 'Too many pages of changes have not been read yet.'
/** How large (bytes) the changes are that a stream sends in a turn of the event loop, unless one change is larger. */
const MAX_STREAMED_BYTES = 256 * 1024
