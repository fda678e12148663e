import type { HandlersOf } from '@plumbline/openapi/server'
import { type AuthOptions, accessOf } from '../../kernel/access/authenticate.ts'
import {
  createClient,
  deleteClient,
  listClients,
  rotateClient,
} from '../../kernel/access/client-store.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { forgetTokens } from '../../kernel/access/token-cache.ts'
import { isoTime } from '../../kernel/clock.ts'
import { profileOf } from '../../kernel/profiles.ts'
import type { ClientRow } from '../../kernel/store/tables.ts'
import { findMissing, pointersTo } from '../../shell/api/missing-ids.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { type ClientKey, faultOfNewKey, publicKey } from './client-keys.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers that create, list, rotate and delete OAuth clients. */
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
      const { tenantId, userId = null, jwks } = body
      const fault = await faultOfKeys(jwks)
      if (fault !== null) return problems.invalid(fault)
      const time = now()
      const created = await store.write(async (db) => {
        if (!(await findTenant(db, tenantId))) return null
        const missing = await findMissing(db, tenantId, 'User', pointersTo(userId))
        if (missing !== null) return missing
        return await createClient(db, { ...body, userId, keys: textOf(jwks), now: time })
      })
      if (created === null) {
        return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
      if ('extensions' in created) return problems.invalid(created)
      return reply(201, { ...clientBody(created.row, time), secret: created.secret })
    },
    rotateClient: async ({ params: { clientId }, body, reply, problems }) => {
      const fault = await faultOfKeys(body.jwks)
      if (fault !== null) return problems.invalid(fault)
      const time = now()
      const oldSecretUntil = time + body.overlapSeconds * 1_000
      const keys = textOf(body.jwks)
      const rotated = await store.write((db) =>
        rotateClient(db, clientId, { oldSecretUntil, keys }),
      )
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
  const { last_used_at, old_secret_until, public_keys } = row
  const isOldValid = old_secret_until !== null && now < old_secret_until
  return {
    id,
    tenantId: tenant_id,
    name,
    userId: user_id,
    profile: profileOf(profile),
    access: accessOf(access),
    jwks: public_keys === null ? null : { keys: keysOf(public_keys) },
    createdAt: isoTime(created_at),
    lastUsedAt: isoTime(last_used_at),
    oldSecretExpiresAt: isOldValid ? isoTime(old_secret_until) : null,
  }
}

/** A client's public keys (RFC 7517 §5). */
interface KeySet {
  readonly keys: readonly ClientKey[]
}

/** Returns the problem for the first key that cannot be used. Null if all can. */
async function faultOfKeys({ keys }: KeySet = { keys: [] }) {
  const faults = await Promise.all(keys.map(faultOfNewKey))
  const issues = faults.flatMap((detail, at) =>
    detail === null ? [] : [{ location: 'body' as const, pointer: `/jwks/keys/${at}`, detail }],
  )
  return issues.length === 0 ? null : { extensions: { issues: issues.slice(0, 1) } }
}

function textOf(jwks: KeySet | undefined): string | null {
  return jwks === undefined ? null : JSON.stringify(jwks.keys.map(publicKey))
}

/** Parses the keys `textOf` wrote. */
function keysOf(text: string): ClientKey[] {
  return JSON.parse(text)
}
