import type { Discovery } from '@plumbline/scim/discovery'
import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import type { ResourceStore } from './resource-store.ts'

/** A resource type with its store. */
export interface StoredType extends ResourceType {
  readonly store: ResourceStore
  /** The URNs of the extensions each resource must have; none by default. */
  readonly requiredExtensions?: readonly string[]
  /** Returns the type's definitions and store with more extensions, which a tenant registered. */
  readonly extend: (
    extensions: readonly Discovery.SchemaDefinition[],
  ) => Pick<StoredType, 'definitions' | 'store'>
}

/** Adds extensions to definitions. */
export function extendDefinitions(
  definitions: Discovery.Definitions,
  extensions: readonly Discovery.SchemaDefinition[],
): Discovery.Definitions {
  return { ...definitions, ...Object.fromEntries(extensions.map((one) => [one.id, one])) }
}
