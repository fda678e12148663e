import { fold } from '@plumbline/scim'
import { RESOURCE_TYPES } from '../../../kernel/resources/resource-types.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { searchResources, stringOf } from '../../../shell/console/search-resources.ts'

/** A logged request, rejected because a value is taken. */
export interface ConflictingRequest {
  readonly scimType: string | null
  /** The attribute whose value is taken. */
  readonly attribute: string | null
  readonly resourceType: string | null
  readonly exchange: { readonly body?: unknown } | null
}

/** The resource holding a unique value. */
export interface Owner {
  /** The resource type's name. */
  readonly type: string
  readonly id: string
  readonly attribute: string
}

/** Finds the resource with the value that caused a `409 uniqueness`; null if it isn't known. */
export async function findOwner(
  context: Pick<ConsoleContext, 'scim'>,
  tenantId: string,
  { scimType, attribute, resourceType: type, exchange }: ConflictingRequest,
): Promise<Owner | null> {
  const found = RESOURCE_TYPES.find(({ name }) => name === type)
  if (scimType !== 'uniqueness' || found === undefined) return null
  const value = attribute === null ? null : findSent(exchange?.body, attribute)
  if (attribute === null || value === null) return null
  const { resources } = await searchResources(context, {
    tenantId,
    endpoint: found.endpoint,
    filter: `${attribute} eq ${JSON.stringify(value)}`,
    attributes: ['id'],
  })
  const id = stringOf(resources[0]?.id)
  return id === '' ? null : { type: found.name, id, attribute }
}

/** Finds an attribute's value in the body of a POST, PUT or PATCH. */
function findSent(body: unknown, attribute: string): string | null {
  const sent = memberOf(body, attribute)
  if (typeof sent === 'string') return sent
  const operations = memberOf(body, 'operations')
  for (const operation of Array.isArray(operations) ? operations : []) {
    const value = memberOf(operation, 'value')
    const path = memberOf(operation, 'path')
    const isTarget = typeof path === 'string' && fold(path) === fold(attribute)
    const found = isTarget ? value : memberOf(value, attribute)
    if (typeof found === 'string') return found
  }
  return null
}

/** Returns an object's member, in any letter case (RFC 7643 §2.1). */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const wanted = fold(name)
  return Object.entries(value).find(([key]) => fold(key) === wanted)?.[1]
}
