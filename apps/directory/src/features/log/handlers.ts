import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { ONE_STATEMENT } from '../../kernel/store/store.ts'
import type { LiveStreams } from '../../shell/api/live-streams.ts'
import { type ApiVerifiers, createPermissionCheck } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import type { RequestEntry, RequestExchange } from './entry.ts'
import { findLater, findRequest, findRequests, type RequestRow } from './find-requests.ts'
import { lastIdOf } from './id-at.ts'
import type { ProvisioningLog } from './provisioning-log.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** The server parts that log requests. */
export interface RequestSources {
  /** Null if this server does not log requests. */
  readonly provisioning: ProvisioningLog | null
  readonly live: LiveStreams
}

type RequestHandlers = Pick<ApiHandlers, 'listRequests' | 'watchRequests' | 'getRequest'>

/** Handlers for the provisioning log. */
export function requestHandlers(
  auth: AuthOptions,
  { provisioning, live }: RequestSources,
): RequestHandlers {
  const { store } = auth
  return {
    listRequests: async ({ query, signal, reply }) => {
      const { tenantId = '', user, requestId, status, from, to, cursor, count } = query
      const wanted = {
        tenantId,
        user,
        requestId,
        status,
        count: count + 1,
        from: timeOf(from),
        to: timeOf(to),
        before: cursor === undefined ? undefined : Number(cursor),
      }
      // Parts of the query may lack an index, so other requests don't wait for it.
      const rows = await store.scan((db) => findRequests(db, wanted), { signal, tenantId })
      const requests = rows.slice(0, count).map(requestBody)
      const last = rows.length > count ? requests.at(-1) : undefined
      const { dropped } = provisioning?.counts() ?? { dropped: 0 }
      return reply(200, { requests, dropped, ...(last && { nextCursor: last.number }) })
    },
    ...watchingHandlers(auth, live),
    getRequest: async ({ params, query: { tenantId = '' }, reply, problems }) => {
      const row = await store.read(
        (db) => findRequest(db, tenantId, Number(params.requestNumber)),
        ONE_STATEMENT,
      )
      if (row === null) return problems.notFound()
      const exchange: RequestExchange | null = row.exchange && JSON.parse(row.exchange)
      return reply(200, { ...requestBody(row), exchange })
    },
  }
}

function watchingHandlers(
  auth: AuthOptions,
  live: LiveStreams,
): Pick<RequestHandlers, 'watchRequests'> {
  const { store } = auth
  const isAdministrator = createPermissionCheck(auth)
  return {
    watchRequests: async ({ request, signal, query, headers, ...answers }) => {
      const { tenantId = '', after } = query
      const last =
        headers['Last-Event-ID'] ?? after ?? (await store.read((db) => lastIdOf(db, tenantId)))
      const stream = live.watch({
        tenantId,
        event: 'request',
        signal,
        after: String(last),
        read: async (db, id, count) => {
          const rows = (await findLater(db, tenantId, Number(id), count)).map((row) => ({
            id: String(row.id),
            json: JSON.stringify(requestBody(row)),
          }))
          return { rows, hasMore: rows.length === count }
        },
        isAllowed: () => isAdministrator(request),
      })
      if (stream === null) {
        return answers.problems.unavailable({ detail: 'Too many clients watch requests.' })
      }
      // Some proxies would buffer the events.
      return answers.reply(200, stream, { headers: { 'X-Accel-Buffering': 'no' } })
    },
  }
}

/** Converts a logged request to the API form. */
export function requestBody(row: RequestRow) {
  const parsed: RequestEntry = JSON.parse(row.entry)
  const {
    requestId,
    milliseconds,
    tokenId,
    rejection,
    ignored = [],
    attribute = null,
    ...entry
  } = parsed
  return {
    number: String(row.id),
    requestId,
    time: new Date(row.time).toISOString(),
    milliseconds,
    tenantId: row.tenant_id === '' ? null : row.tenant_id,
    tokenId,
    rejection,
    ...entry,
    resourceId: row.resource_id,
    status: row.status,
    attribute,
    ignored,
  }
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
