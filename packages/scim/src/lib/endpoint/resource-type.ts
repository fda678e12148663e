import { attributeIndex } from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import type { ResourceStore } from './store.ts'

/** A type of resource that an endpoint serves (RFC 7643 §6). */
export interface ResourceType<in Context = unknown> {
  /** The name of the type, such as `User`. */
  readonly name: string
  /** The path of its resources below the endpoint, such as `/Users`. */
  readonly endpoint: string
  /** A description for people. */
  readonly description?: string | undefined
  /** The core schema, and then the extensions. Clients may send exactly their attributes. */
  readonly definitions: Definitions
  /** The URNs of the extensions that each resource must have (RFC 7643 §6); none by default. */
  readonly requiredExtensions?: readonly string[] | undefined
  /** Reads and writes the resources. */
  readonly store: ResourceStore<Context>
}

/**
 * Defines a type of resource by its definitions and its store. Throws a `TypeError` if the definitions do not
 * contain a schema or a required extension, or if the path does not have the form `/Users`.
 *
 * @example
 * ```ts
 * import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
 * import { defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
 *
 * const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
 * const store = memoryStore({ definitions })
 * const groups = defineResourceType({ name: 'Group', endpoint: '/Groups', definitions, store })
 * groups.name //=> 'Group'
 * ```
 * @see RFC 7643 §6
 */
export function defineResourceType<Context = unknown>(
  type: ResourceType<Context>,
): ResourceType<Context> {
  const { core } = attributeIndex(type.definitions)
  const missing = type.requiredExtensions?.find(
    (urn) => urn === core.id || !Object.hasOwn(type.definitions, urn),
  )
  if (missing !== undefined) {
    throw new TypeError(
      `${type.name}: the definition of the required extension ${missing} is missing`,
    )
  }
  if (!ENDPOINT.test(type.endpoint)) {
    throw new TypeError(
      `${type.name}: endpoint must be a path such as /Users, not ${type.endpoint}`,
    )
  }
  return type
}

/** Segments that a URL does not change: without a percent, a query or dot segments. */
const ENDPOINT = /^(?:\/[\w~$-][\w.~$-]*)+$/
