import type { HandlersOf } from '@plumbline/openapi/server'
import { fold } from '@plumbline/scim'
import type { AuthOptions, Principal } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { type Extension, readExtensions } from '../scim/extension-rows.ts'
import { bodyOf, extensionOf } from './body.ts'
import { checkUrn } from './faults.ts'
import { changeExtension } from './store.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, { readonly token: () => Principal }>

type Reading = 'listSchemas' | 'getSchema'
type Changing = 'createSchema' | 'replaceSchema' | 'deleteSchema'

/** Handlers for tenants' extension schemas. */
export function extensionHandlers(auth: AuthOptions): Pick<ApiHandlers, Reading | Changing> {
  return { ...readingHandlers(auth), ...changingHandlers(auth) }
}

function readingHandlers({ store }: AuthOptions): Pick<ApiHandlers, Reading> {
  const read = (tenantId: string): Promise<readonly Extension[] | null> =>
    store.read(async (db) =>
      (await findTenant(db, tenantId)) === null ? null : await readExtensions(db, tenantId),
    )
  return {
    listSchemas: async ({ params: { tenantId }, reply, problems }) => {
      const extensions = await read(tenantId)
      if (extensions === null) return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      return reply(200, { schemas: extensions.map(bodyOf) })
    },
    getSchema: async ({ params: { tenantId, schemaId }, reply, problems }) => {
      const found = (await read(tenantId))?.find((one) => isSame(one.definition.id, schemaId))
      return found === undefined ? problems.notFound() : reply(200, bodyOf(found))
    },
  }
}

function changingHandlers(auth: AuthOptions): Pick<ApiHandlers, Changing> {
  return {
    createSchema: async ({ params: { tenantId }, body, reply, problems }) => {
      const next = extensionOf(body)
      const change = { tenantId, urn: body.id, next, check: checkExtensionSet(next) }
      const outcome = await changeExtension(auth, change, { isNew: true })
      switch (outcome.type) {
        case 'changed':
          return reply(201, bodyOf(outcome.extension))
        case 'conflict':
          return problems.conflict({ detail: sentence(outcome.reason) })
        default:
          return problems.notFound({ detail: `Tenant ${tenantId} not found.` })
      }
    },
    replaceSchema: async ({ params: { tenantId, schemaId }, body, reply, problems }) => {
      if (!isSame(body.id, schemaId)) {
        return problems.invalid(OTHER_ID)
      }
      const next = extensionOf(body)
      const change = { tenantId, urn: schemaId, next, check: checkExtensionSet(next) }
      const outcome = await changeExtension(auth, change, { isNew: false })
      switch (outcome.type) {
        case 'changed':
          return reply(200, bodyOf(outcome.extension))
        case 'conflict':
          return problems.conflict({ detail: sentence(outcome.reason) })
        default:
          return problems.notFound()
      }
    },
    deleteSchema: async ({ params: { tenantId, schemaId }, reply, problems }) => {
      const change = { tenantId, urn: schemaId, next: null, check: () => null }
      const outcome = await changeExtension(auth, change, { isNew: false })
      switch (outcome.type) {
        case 'changed':
          return reply(204)
        case 'conflict':
          return problems.conflict({ detail: sentence(outcome.reason) })
        default:
          return problems.notFound()
      }
    },
  }
}

/** Checks a tenant's limits, and that its schemas' URNs are distinct. */
function checkExtensionSet(next: Extension): (others: readonly Extension[]) => string | null {
  return (others) => {
    const urns = others.map(({ definition }) => definition.id)
    const [fault] = checkUrn(next.definition.id, urns)
    if (fault !== undefined) return `the URN ${fault.message}`
    const all = [...others, next]
    if (all.length > MAX_SCHEMAS) return `a tenant has at most ${MAX_SCHEMAS} schemas`
    const bytes = all.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0)
    if (bytes <= MAX_BYTES) return null
    return `the schemas of a tenant have at most ${MAX_BYTES / 2 ** 10} KiB of JSON`
  }
}

function isSame(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
}

const OTHER_ID = {
  extensions: {
    issues: [{ location: 'body', pointer: '/id', detail: 'must be the URN in the path' }],
  },
} as const
/** Each server process keeps schemas for up to 100 tenants in memory. */
const MAX_SCHEMAS = 20
const MAX_BYTES = 256 * 2 ** 10
