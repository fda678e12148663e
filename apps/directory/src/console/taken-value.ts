import type { ConsoleContext } from './context.ts'
import { searchResources, stringOf } from './search-resources.ts'

/** A logged request that was rejected because a value is taken. */
export interface ConflictingRequest {
  readonly scimType: string | null
  readonly detail: string | null
  readonly resourceType: string | null
  readonly exchange: { readonly body?: unknown } | null
}

/** The resource that has a value which must be unique. */
export interface Owner {
  readonly type: 'User' | 'Group'
  readonly id: string
  readonly attribute: string
}

/** Finds the resource that has the value of a request rejected with `409 uniqueness`; null if it is not known. */
export async function findOwner(
  context: Pick<ConsoleContext, 'scim'>,
  tenantId: string,
  { scimType, detail, resourceType: type, exchange }: ConflictingRequest,
): Promise<Owner | null> {
  if (scimType !== 'uniqueness' || (type !== 'User' && type !== 'Group')) return null
  const attribute = TAKEN.exec(detail ?? '')?.[1]
  const value = attribute === undefined ? null : findSent(exchange?.body, attribute)
  if (attribute === undefined || value === null) return null
  const { resources } = await searchResources(context, {
    tenantId,
    endpoint: `/${type}s`,
    filter: `${attribute} eq ${JSON.stringify(value)}`,
    attributes: ['id'],
  })
  const id = stringOf(resources[0]?.id)
  return id === '' ? null : { type, id, attribute }
}

/** The value of an attribute in the body of a POST, a PUT or a PATCH. */
function findSent(body: unknown, attribute: string): string | null {
  const sent = memberOf(body, attribute)
  if (typeof sent === 'string') return sent
  const operations = memberOf(body, 'operations')
  for (const operation of Array.isArray(operations) ? operations : []) {
    const value = memberOf(operation, 'value')
    const path = memberOf(operation, 'path')
    const isTarget = typeof path === 'string' && path.toLowerCase() === attribute.toLowerCase()
    const found = isTarget ? value : memberOf(value, attribute)
    if (typeof found === 'string') return found
  }
  return null
}

/** A member of an object, in any letter case (RFC 7643 §2.1). */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const wanted = name.toLowerCase()
  return Object.entries(value).find(([key]) => key.toLowerCase() === wanted)?.[1]
}

/** The messages of the directory, which name the attribute. */
const TAKEN = /^the ([a-z]\w*) is already taken/i
