import type { HandlersOf } from '@plumbline/openapi/server'
import { type AuthOptions, accessOf } from '../auth/authenticate.ts'
import { forgetTokens } from '../auth/token-cache.ts'
import { profileOf } from '../profiles.ts'
import { createClient, deleteClient, listClients, rotateSecret } from '../store/clients.ts'
import type { ClientRow } from '../store/tables.ts'
import { findTenant } from '../store/tokens.ts'
import type { apiDocument } from './operations.ts'
import type { ApiVerifiers } from './verifiers.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** The handlers that create, list, rotate and delete OAuth clients. */
export function clientHandlers({
  store,
  now,
}: AuthOptions): Pick<
  ApiHandlers,
  'listClients' | 'createClient' | 'rotateClient' | 'deleteClient'
> {
  return {
    listClients: async ({ query: { tenantId }, reply }) => {
      const rows = await store.read((db) => listClients(db, tenantId))
      const time = now()
      return reply(200, { clients: rows.map((row) => clientBody(row, time)) })
    },
    createClient: async ({ body, reply, problems }) => {
      const { tenantId, userId = null } = body
      const time = now()
      const created = await store.write(async (db) =>
        (await findTenant(db, tenantId))
          ? await createClient(db, { ...body, userId, now: time })
          : null,
      )
      if (created === null) {
        return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
      return reply(201, { ...clientBody(created.row, time), secret: created.secret })
    },
    rotateClient: async ({ params: { clientId }, body, reply, problems }) => {
      const time = now()
      const until = time + body.overlapSeconds * 1_000
      const rotated = await store.write((db) => rotateSecret(db, clientId, until))
      if (rotated === null) return problems.notFound()
      forgetTokens(store)
      return reply(200, { ...clientBody(rotated.row, time), secret: rotated.secret })
    },
    deleteClient: async ({ params: { clientId }, reply, problems }) => {
      if (!(await store.write((db) => deleteClient(db, clientId)))) return problems.notFound()
      forgetTokens(store)
      return reply(204)
    },
  }
}

function clientBody(row: ClientRow, now: number) {
  const { id, tenant_id, name, profile, access, user_id, created_at } = row
  const { last_used_at, old_secret_until } = row
  const isOldValid = old_secret_until !== null && now < old_secret_until
  return {
    ...{ id, tenantId: tenant_id, name, userId: user_id },
    profile: profileOf(profile),
    access: accessOf(access),
    createdAt: timeText(created_at),
    lastUsedAt: last_used_at === null ? null : timeText(last_used_at),
    oldSecretExpiresAt: isOldValid ? timeText(old_secret_until) : null,
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString()
}
