import type { Discovery } from '@plumbline/scim/discovery'
import type { ResourceStore } from '../store/resource-store.ts'

/** Everything that is particular to one type of resource. */
export interface ResourceType {
  /** The name of the type, such as `User`. */
  readonly name: string
  readonly description: string
  /** The path of its resources below the SCIM endpoints, such as `/Users`. */
  readonly endpoint: string
  /** The core schema, and then the extensions. */
  readonly definitions: Discovery.Definitions
  /**
   * Attributes, in lower case, with an index and nearly unique values. Attributes whose values many resources
   * share, such as familyName, are omitted.
   */
  readonly lookups: readonly string[]
  /** The attributes of unique keys, keyed by the name of each key and by its columns. */
  readonly uniqueKeys: Readonly<Record<string, string>>
  readonly store: ResourceStore
}
