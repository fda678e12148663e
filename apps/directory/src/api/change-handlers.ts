import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../auth/authenticate.ts'
import { newestPosition, type ReadChange, readChanges } from '../store/changes/read-changes.ts'
import { findTenant } from '../store/tokens.ts'
import type { LiveStreams } from './live-streams.ts'
import type { apiDocument } from './operations.ts'
import { type ApiVerifiers, createAdministratorCheck } from './verifiers.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers for a tenant's changes. */
export function changeHandlers(
  auth: AuthOptions,
  { live }: { readonly live: LiveStreams },
): Pick<ApiHandlers, 'listChanges' | 'watchChanges'> {
  const { store, now } = auth
  const isAdministrator = createAdministratorCheck(auth)
  const find = (tenantId: string) => store.read((db) => findTenant(db, tenantId))
  const read = (tenantId: string, after: number | null, count: number) =>
    store.read((db) => readChanges(db, tenantId, { after, count, now: now() }), { tenantId })
  const newest = (tenantId: string) => store.read((db) => newestPosition(db, tenantId, now()))
  return {
    listChanges: async ({ params: { tenantId }, query: { after, count }, reply, problems }) => {
      if (!(await find(tenantId))) return problems.notFound()
      if (after === 'newest') {
        const nextCursor = String(await newest(tenantId))
        return reply(200, { changes: [], nextCursor, hasMore: false })
      }
      const page = await read(tenantId, numberOf(after), count)
      if (page === null) return problems.changesDeleted()
      const { rows, next, hasMore } = page
      return reply(200, { changes: rows.map(changeBody), nextCursor: String(next), hasMore })
    },
    watchChanges: async ({ params, query, headers, request, signal, ...answers }) => {
      const { tenantId } = params
      if (!(await find(tenantId))) return answers.problems.notFound()
      const start = numberOf(headers['Last-Event-ID'] ?? query.after) ?? (await newest(tenantId))
      if ((await read(tenantId, start, 1)) === null) return answers.problems.changesDeleted()
      const stream = live.watch({
        ...{ event: 'change', signal, after: start },
        read: async (db, after, count) => {
          const page = await readChanges(db, tenantId, { after, count, now: now() })
          if (page === null) return null
          return page.rows.map((row) => ({ number: row.position, data: changeBody(row) }))
        },
        isAllowed: () => isAdministrator(request),
      })
      if (stream === null) {
        return answers.problems.unavailable({ detail: 'Too many clients watch changes.' })
      }
      // Some proxies would buffer the events.
      return answers.reply(200, stream, { headers: { 'X-Accel-Buffering': 'no' } })
    },
  }
}

/** Converts a change to its API form. */
export function changeBody({ position, change }: ReadChange) {
  return { cursor: String(position), ...JSON.parse(change) }
}

function numberOf(cursor: string | undefined): number | null {
  return cursor === undefined ? null : Number(cursor)
}
