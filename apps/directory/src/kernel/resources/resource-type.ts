import type { Discovery } from '@plumbline/scim/discovery'
import type { ResourceStore } from '../../features/scim/resource-store.ts'
import type { TenantTable } from '../../features/tenants/delete-tenant.ts'

/** Everything specific to one resource type. */
export interface ResourceType {
  /** The type's name, such as `User`. */
  readonly name: string
  readonly description: string
  /** Its path below the SCIM endpoints, such as `/Users`. */
  readonly endpoint: string
  /** Its table. `extensions` has the extension attributes, and `last_modified` a time. */
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
  /** Lookup attributes with several values per resource, which take more than one statement; none by default. */
  readonly valueLookups?: readonly string[]
  /** The attribute that names a resource, and the column with its value in lower case. */
  readonly naming: {
    readonly attribute: string
    readonly column: string
    readonly isUnique: boolean
  }
  /** The attribute the logs show for each request, such as `userName`; none by default. */
  readonly loggedName?: string
  /** The attributes with unique keys, keyed by each key's name and by its columns. */
  readonly uniqueKeys: Readonly<Record<string, string>>
  readonly store: ResourceStore
  /** The extensions each resource must have, by URN; none by default. */
  readonly requiredExtensions?: readonly string[]
  /** Returns the type's definitions and store with more extensions, registered by a tenant. */
  readonly extend: (
    extensions: readonly Discovery.SchemaDefinition[],
  ) => Pick<ResourceType, 'definitions' | 'store'>
}

/** Adds extensions to definitions. */
export function extendDefinitions(
  definitions: Discovery.Definitions,
  extensions: readonly Discovery.SchemaDefinition[],
): Discovery.Definitions {
  return { ...definitions, ...Object.fromEntries(extensions.map((one) => [one.id, one])) }
}

/** Returns the type with a name, which must exist. */
export function typeNamed(types: readonly ResourceType[], wanted: string): ResourceType {
  const found = types.find(({ name }) => name === wanted)
  if (found === undefined) throw new TypeError(`the resource type ${wanted} does not exist`)
  return found
}
