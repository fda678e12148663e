import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { originOf, receivedOf } from '../../kernel/requests/received.ts'
import { setupLinkPath } from '../../kernel/requests/setup-path.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { createSetupLink, deleteSetupLink, listSetupLinks, type SetupLinkRow } from './store.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers that create, list and revoke set-up links. */
export function setupHandlers({
  store,
  now,
}: AuthOptions): Pick<ApiHandlers, 'listSetupLinks' | 'createSetupLink' | 'revokeSetupLink'> {
  return {
    listSetupLinks: async ({ query: { tenantId }, reply }) => {
      const rows = await store.read((db) => listSetupLinks(db, tenantId))
      return reply(200, { links: rows.map(linkBody) })
    },
    createSetupLink: async ({ request, body, reply, problems }) => {
      const { tenantId, name, lifetimeSeconds } = body
      const time = now()
      const created = await store.write(async (db) =>
        (await findTenant(db, tenantId))
          ? await createSetupLink(db, {
              tenant_id: tenantId,
              name,
              created_at: time,
              expires_at: time + lifetimeSeconds * 1_000,
            })
          : null,
      )
      if (created === null) {
        return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
      const url = `${originOf(request, receivedOf(request))}${setupLinkPath(created.text)}`
      return reply(201, { ...linkBody(created.row), url })
    },
    revokeSetupLink: async ({ params: { linkId }, reply, problems }) => {
      const revoked = await store.write((db) => deleteSetupLink(db, linkId))
      return revoked ? reply(204) : problems.notFound()
    },
  }
}

function linkBody({ id, tenant_id, name, created_at, ...row }: SetupLinkRow) {
  return {
    id,
    tenantId: tenant_id,
    name,
    createdAt: new Date(created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    openedAt: row.opened_at === null ? null : new Date(row.opened_at).toISOString(),
    tokenId: row.token_id,
  }
}
