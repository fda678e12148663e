import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { DEFAULT_TENANT } from '../../kernel/access/tenant-store.ts'
import { forgetTokens } from '../../kernel/access/token-cache.ts'
import { isoTime } from '../../kernel/clock.ts'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import { faultOf } from '../../kernel/store/faults.ts'
import { ONE_STATEMENT } from '../../kernel/store/store.ts'
import type { TenantRow } from '../../kernel/store/tables.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { changeConnection } from '../connections/store.ts'
import {
  changeTenant,
  createTenant,
  listTenantPage,
  markDeleted,
  readTenant,
  type TenantPosition,
} from './store.ts'
import { summarizeEach } from './summaries.ts'
import { summarizeTenants, type TenantSummary } from './summarize-tenants.ts'
import { stateOf } from './tenant-state.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

type TenantHandlers = Pick<
  ApiHandlers,
  'listTenants' | 'createTenant' | 'getTenant' | 'changeTenant' | 'deleteTenant'
>

/** Handlers for tenants. */
export function tenantHandlers(options: AuthOptions): TenantHandlers {
  const { store, now } = options
  return {
    listTenants: async ({ query: { summary, cursor, count }, signal, reply }) => {
      const after = cursor === undefined ? null : positionOf(cursor)
      const rows = await store.read((db) => listTenantPage(db, after, count + 1), { signal })
      const shown = rows.slice(0, count)
      const last = rows.length > count ? shown.at(-1) : undefined
      const tenants = await showTenants(options, shown, summary ? signal : null)
      return reply(200, { tenants, ...(last && { nextCursor: cursorOf(last) }) })
    },
    createTenant: async ({ body: { id, name, connection = 'active' }, reply, problems }) => {
      const row = { id, name, created_at: now() }
      try {
        const created = await store.write(async (db) => {
          if (connection === 'review')
            await changeConnection(db, id, { state: 'review', now: now() })
          return await createTenant(db, row)
        })
        forgetTokens(store)
        return reply(201, tenantBody(created))
      } catch (error) {
        if (faultOf(error) !== 'unique') throw error
        const existing = await store.read((db) => readTenant(db, row.id))
        const state = existing?.deleted_at == null ? 'already exists' : 'is being deleted'
        return problems.conflict({ detail: `Tenant ${row.id} ${state}.` })
      }
    },
    getTenant: async ({ params: { tenantId }, query: { summary }, signal, ...answers }) => {
      const row = await store.read((db) => readTenant(db, tenantId), ONE_STATEMENT)
      if (row === null) return answers.problems.notFound()
      if (!summary) return answers.reply(200, tenantBody(row))
      const counted = { types: RESOURCE_TYPES, now: now() }
      // The counts read many rows, so other requests don't wait for them.
      const [found] = await store.scan((db) => summarizeTenants(db, [row.id], counted), { signal })
      return answers.reply(200, {
        ...tenantBody(row),
        ...(found && { summary: summaryBody(row, found, counted.now) }),
      })
    },
    ...changingHandlers(options),
  }
}

function changingHandlers({
  store,
  now,
}: AuthOptions): Pick<TenantHandlers, 'changeTenant' | 'deleteTenant'> {
  return {
    changeTenant: async ({ params: { tenantId }, body, reply, problems }) => {
      const change = { ...body, now: now() }
      const row = await store.write((db) => changeTenant(db, tenantId, change))
      forgetTokens(store)
      if (row === null) return problems.notFound()
      if (row.deleted_at === null) return reply(200, tenantBody(row))
      return problems.notAllowed({ detail: `Tenant ${tenantId} is being deleted.` })
    },
    deleteTenant: async ({ params: { tenantId }, reply, problems }) => {
      if (tenantId === DEFAULT_TENANT) {
        return problems.notAllowed({
          detail: 'The next start would create the tenant default again. It can be disabled.',
        })
      }
      const row = await store.write((db) => markDeleted(db, tenantId, now()))
      forgetTokens(store)
      return row === null ? problems.notFound() : reply(202, tenantBody(row))
    },
  }
}

/** Converts tenants to their API form. With a signal, adds their summaries; aborting it stops the counting. */
async function showTenants(
  { store, now }: AuthOptions,
  rows: readonly TenantRow[],
  signal: AbortSignal | null,
) {
  if (signal === null) return rows.map(tenantBody)
  const ids = rows.map(({ id }) => id)
  const time = now()
  const summaries = await summarizeEach(store, ids, { types: RESOURCE_TYPES, now: time, signal })
  return rows.map((row, at) => {
    const summary = summaries[at] ?? null
    return { ...tenantBody(row), summary: summary && summaryBody(row, summary, time) }
  })
}

/** Converts a summary to the API form, with the tenant's state. */
export function summaryBody(tenant: TenantRow, summary: TenantSummary, now: number) {
  const { lastRequestAt, nextExpiry, webhooks, ...counts } = summary
  const { oldestChangeAt, ...numbers } = webhooks
  return {
    ...counts,
    state: stateOf(tenant, summary, now),
    webhooks: { ...numbers, oldestChangeAt: isoTime(oldestChangeAt) },
    lastRequestAt: isoTime(lastRequestAt),
    nextExpiry: nextExpiry && {
      tokenId: nextExpiry.id,
      name: nextExpiry.name,
      expiresAt: new Date(nextExpiry.expires_at).toISOString(),
    },
  }
}

function tenantBody({ id, name, created_at, disabled_at, deleted_at }: TenantRow) {
  return {
    id,
    name,
    createdAt: new Date(created_at).toISOString(),
    disabledAt: isoTime(disabled_at),
    deletedAt: isoTime(deleted_at),
  }
}

function cursorOf({ created_at, id }: TenantPosition): string {
  return `${created_at}.${id}`
}

function positionOf(cursor: string): TenantPosition {
  const point = cursor.indexOf('.')
  return { created_at: Number(cursor.slice(0, point)), id: cursor.slice(point + 1) }
}
