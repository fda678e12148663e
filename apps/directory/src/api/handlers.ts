import type { OperationInputError } from '@plumbline/openapi'
import { issuesFrom } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import { type AuthOptions, authenticate, forgetTokens } from '../auth.ts'
import type { RequestRecord } from '../request-log.ts'
import { faultOf, isTransient } from '../store/faults.ts'
import {
  createTenant,
  createToken,
  DEFAULT_TENANT,
  findTenant,
  listTenants,
  listTokens,
  revokeToken,
  type TenantRow,
  type TokenRow,
} from '../store/tokens.ts'
import { limitBody } from './body.ts'
import { operations } from './operations.ts'
import { problems } from './problems.ts'

/** The arguments that the router passes to an action. */
interface ApiRequest {
  readonly request: Request
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Answers a request to the management API. */
type ApiHandler = (request: Request, params: ApiRequest['params']) => Promise<Response>

/** The actions of the management API, keyed by the names of its routes. */
export function apiActions(
  auth: AuthOptions,
  recordOf: RecordOf,
): { readonly [Name in keyof typeof operations]: Action } {
  const guards = createGuards(auth, recordOf)
  return {
    getHealth: guards.open(async () => {
      await auth.store.ping()
      return Response.json({ status: 'ok' })
    }),
    ...tenantActions(auth, guards),
    ...tokenActions(auth, guards),
  }
}

/** Returns the facts that are recorded about a request. */
type RecordOf = (request: Request) => RequestRecord

type Action = (routed: ApiRequest) => Promise<Response>

/** Make actions from handlers: for any client, for administrators, and for administrators who send a body. */
type Guards = Readonly<
  Record<'open' | 'guarded' | 'guardedWithBody', (handle: ApiHandler) => Action>
>

function createGuards(auth: AuthOptions, recordOf: RecordOf): Guards {
  const open = (handle: ApiHandler) => apiAction(recordOf, handle)
  const guarded = (handle: ApiHandler) =>
    apiAction(recordOf, async (request, params) => {
      const principal = await authenticate(request, auth)
      if (principal === null) {
        return problems.unauthorized({ headers: { 'WWW-Authenticate': 'Bearer' } })
      }
      if (principal.role === 'admin') return await handle(request, params)
      recordOf(request).tenant = principal.tenantId
      return problems.forbidden()
    })
  const guardedWithBody = (handle: ApiHandler) =>
    guarded(async (request, params) => {
      const limited = await limitBody(request)
      if (limited === 'too-large') return problems.tooLarge()
      if (limited === 'unreadable') {
        return problems.malformed({ detail: 'The body could not be read.' })
      }
      return await handle(limited, params)
    })
  return { open, guarded, guardedWithBody }
}

function tenantActions({ store, now }: AuthOptions, { guarded, guardedWithBody }: Guards) {
  return {
    listTenants: guarded(async () => {
      const tenants = await store.read(listTenants)
      return Response.json({ tenants: tenants.map(tenantBody) })
    }),
    createTenant: guardedWithBody(async (request) => {
      const parsed = await operations.createTenant.parse(request)
      if (isFailure(parsed)) return rejection(parsed.error)
      const row = { ...parsed.data.body, created_at: now() }
      try {
        const tenant = await store.write((db) => createTenant(db, row))
        return Response.json(tenantBody(tenant), { status: 201 })
      } catch (error) {
        if (faultOf(error) !== 'unique') throw error
        return problems.conflict({ detail: `Tenant ${row.id} already exists.` })
      }
    }),
  }
}

function tokenActions({ store, now }: AuthOptions, { guarded, guardedWithBody }: Guards) {
  return {
    listTokens: guarded(async (request) => {
      const parsed = await operations.listTokens.parse(request)
      if (isFailure(parsed)) return rejection(parsed.error)
      const { tenantId } = parsed.data.query
      const owners = tenantId === undefined ? [null, DEFAULT_TENANT] : [tenantId]
      const tokens = await store.read(async (db) => {
        const lists = await Promise.all(owners.map((owner) => listTokens(db, owner)))
        return lists.flat()
      })
      return Response.json({ tokens: tokens.map(tokenBody) })
    }),
    createToken: guardedWithBody(async (request) => {
      const parsed = await operations.createToken.parse(request)
      if (isFailure(parsed)) return rejection(parsed.error)
      const { userId = null, tenantId: asked = DEFAULT_TENANT, ...options } = parsed.data.body
      const tenantId = options.role === 'admin' ? null : asked
      const created = await store.write(async (db) =>
        tenantId === null || (await findTenant(db, tenantId))
          ? await createToken(db, { ...options, tenantId, userId, now: now() })
          : null,
      )
      if (created === null) {
        return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
      return Response.json({ ...tokenBody(created.row), token: created.text }, { status: 201 })
    }),
    revokeToken: guarded(async (request, params) => {
      const parsed = await operations.revokeToken.parse(request, params)
      if (isFailure(parsed)) return rejection(parsed.error)
      const { tokenId } = parsed.data.params
      const revoked = await store.write((db) => revokeToken(db, tokenId))
      if (revoked) forgetTokens(store)
      return revoked ? new Response(null, { status: 204 }) : problems.notFound()
    }),
  }
}

function apiAction(recordOf: RecordOf, handle: ApiHandler): Action {
  return async ({ request, params }) => {
    try {
      return await handle(request, params)
    } catch (error) {
      if (!isTransient(error)) throw error
      recordOf(request).error = error
      return problems.unavailable({ headers: { 'Retry-After': '5' } })
    }
  }
}

/** The response to a request that is not valid: 400, 415 or 422. */
function rejection(error: OperationInputError): Response {
  if (error.code === 'malformed') return problems.malformed({ detail: error.message })
  if (error.code === 'unsupported-media-type') {
    return problems.unsupportedMediaType({ detail: error.message })
  }
  return problems.invalid({ extensions: { issues: issuesFrom(error) } })
}

function tenantBody({ id, name, created_at }: TenantRow) {
  return { id, name, createdAt: new Date(created_at).toISOString() }
}

function tokenBody(row: TokenRow) {
  const { id, tenant_id, name, role, profile, user_id, created_at, last_used_at } = row
  return {
    id,
    tenantId: tenant_id,
    name,
    role,
    profile,
    userId: user_id,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  }
}
