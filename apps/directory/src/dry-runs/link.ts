import { fold, PATCH_OP_SCHEMA } from '@plumbline/scim'
import type { WireResource } from '@plumbline/scim/endpoint'
import type { Profile } from '../profiles.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { storableFolded } from '../store/column-text.ts'
import { findMatches } from '../store/find-matches.ts'
import { BASE, type Tenant } from './tenant.ts'

/**
 * A resource the provider links instead of creating a new one, and the response: the resource afterwards, or an
 * error.
 */
export interface Linked {
  readonly resourceType: string
  readonly id: string
  readonly response: Response
}

/**
 * Writes a rejected POST's attributes to the resource with the same name, as if the provider had found it by a
 * query. Other attributes and members stay. Returns null if no resource, or more than one, has the name.
 */
export async function link(
  tenant: Tenant,
  request: Request,
  profile: Profile,
): Promise<Linked | null> {
  const { pathname } = new URL(request.url)
  const type = tenant.schemas.types.find(({ endpoint }) => pathname === pathOf(endpoint))
  if (type === undefined) return null
  const sent: WireResource = await request.json()
  const id = await findByName(tenant, type, sent)
  if (id === null) return null
  const url = `${BASE}${type.endpoint}/${id}`
  const read = () => tenant.send(new Request(`${url}?excludedAttributes=members`))
  const { method, ...write } = writing(type, await (await read()).json(), sent)
  const init = { method, headers: request.headers, body: JSON.stringify(write.body) }
  const written = await tenant.send(new Request(url, init), profile)
  return { resourceType: type.name, id, response: written.ok ? await read() : written }
}

function pathOf(endpoint: string): string {
  return new URL(`${BASE}${endpoint}`).pathname
}

async function findByName(
  { store, id }: Tenant,
  { table, naming: { attribute, column } }: ResourceType,
  sent: WireResource,
): Promise<string | null> {
  const [, given] = Object.entries(sent).find(([name]) => fold(name) === fold(attribute)) ?? []
  const name = storableFolded(attribute, given)
  if (name === null) return null
  const keys = { ids: [], externalIds: [], names: [name] }
  const found = await store.read((db) => findMatches(db, id, { table, nameColumn: column }, keys))
  const [only = null, other] = found
  return other === undefined && only !== null ? only.id : null
}

/** Builds the request to write the sent attributes. A group is patched, because it may have many members. */
function writing({ store }: ResourceType, existing: WireResource, sent: WireResource) {
  if (store.changeMembers === undefined) return { method: 'PUT', body: merged(existing, sent) }
  const assigned = Object.entries(sent).filter(
    ([name, value]) => PATCHED.includes(fold(name)) && !isEmpty(value),
  )
  const Operations = assigned.map(([path, value]) => ({ op: 'add', path, value }))
  return { method: 'PATCH', body: { schemas: [PATCH_OP_SCHEMA], Operations } }
}

/** Merges attributes into a resource, and recursively into its complex attributes. Empty values change nothing. */
function merged(existing: WireResource, sent: WireResource): WireResource {
  const given = Object.entries(sent).filter(([, value]) => !isEmpty(value))
  const names = new Set(given.map(([name]) => fold(name)))
  const kept = Object.entries(existing).filter(([name]) => !names.has(fold(name)))
  const current = new Map(Object.entries(existing).map(([name, value]) => [fold(name), value]))
  return Object.fromEntries([
    ...kept,
    ...given.map(([name, value]) => {
      const before = current.get(fold(name))
      const isComplex = isObject(before) && isObject(value)
      return [name, isComplex ? merged(before, value) : value] as const
    }),
  ])
}

function isObject(value: unknown): value is WireResource {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

const PATCHED = ['externalid', 'members']
