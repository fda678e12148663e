import type { Discovery } from '@plumbline/scim/discovery'
import type { TenantTable } from '../store/tenant-rows.ts'

/** A resource type's facts, without its store, which `features/scim` has. */
export interface ResourceType {
  /** The type's name, such as `User`. */
  readonly name: string
  readonly description: string
  /** The path below the SCIM endpoints, such as `/Users`. */
  readonly endpoint: string
  /** Its table. `extensions` has the extension attributes, and `last_modified` a time. */
  readonly table: string
  /**
   * Tables with parts of the resources, such as values and members. Their keys start with the resource's id. None by
   * default.
   */
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
}

/** Returns the type with a name, which must exist. */
export function typeNamed<Type extends ResourceType>(types: readonly Type[], wanted: string): Type {
  const found = types.find(({ name }) => name === wanted)
  if (found === undefined) throw new TypeError(`the resource type ${wanted} does not exist`)
  return found
}
