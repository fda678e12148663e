import type { Discovery } from '@plumbline/scim/discovery'
import type { ResourceStore } from '../store/resource-store.ts'
import type { TenantTable } from '../store/tenants/delete-tenant.ts'

/** Everything that is particular to one type of resource. */
export interface ResourceType {
  /** The type's name, such as `User`. */
  readonly name: string
  readonly description: string
  /** The path of its resources below the SCIM endpoints, such as `/Users`. */
  readonly endpoint: string
  /** The table of its resources. `extensions` has their extension attributes, and `last_modified` a time. */
  readonly table: string
  /** Tables with parts of its resources, such as values and members. Their keys start with its id. None by default. */
  readonly partTables?: readonly TenantTable[]
  /** The core schema, and then the extensions. */
  readonly definitions: Discovery.Definitions
  /**
   * Attributes, in lower case, with an index and nearly unique values. Attributes whose values many resources
   * share, such as familyName, are omitted.
   */
  readonly lookups: readonly string[]
  /** Such attributes with several values for a resource, which take more than one statement; none by default. */
  readonly valueLookups?: readonly string[]
  /** The attribute the logs show for each request, such as `userName`; none by default. */
  readonly loggedName?: string
  /** The attributes of unique keys, keyed by the name of each key and by its columns. */
  readonly uniqueKeys: Readonly<Record<string, string>>
  readonly store: ResourceStore
  /** The URNs of the extensions that each resource must have; none by default. */
  readonly requiredExtensions?: readonly string[]
  /** The definitions and the store of the type with more extensions, which a tenant has registered. */
  readonly extend: (
    extensions: readonly Discovery.SchemaDefinition[],
  ) => Pick<ResourceType, 'definitions' | 'store'>
}

/** Definitions with more extensions. */
export function extendDefinitions(
  definitions: Discovery.Definitions,
  extensions: readonly Discovery.SchemaDefinition[],
): Discovery.Definitions {
  return { ...definitions, ...Object.fromEntries(extensions.map((one) => [one.id, one])) }
}
