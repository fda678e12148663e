import { memoize } from '../memoize.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
} from '../schema/attribute-index.ts'
import type { Attribute, Definitions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'
import type { ResourceType } from './resource-type.ts'
import type { ResourceStore } from './store.ts'

/** A resource type, with the facts requests need, computed once from the definitions. */
export interface ServedType<in Context> extends ResourceType<Context> {
  readonly index: AttributeIndex
  /** The core schema's URN. */
  readonly core: string
  /** The extensions' URNs. */
  readonly extensions: readonly string[]
  /** The names of the members a resource may have, as spelled in the definitions and folded. */
  readonly members: ReadonlySet<string>
  /** The read-only attributes other requests may change, such as a user's groups. */
  readonly computed: readonly AttributeNode[]
  /** The stores that remove references to a deleted resource. */
  readonly referring: readonly ResourceStore<Context>[]
  /** The type as a profile's clients see it. */
  readonly seenBy: (profile: TypeView) => ServedType<Context>
}

/** How a profile's clients see resource types. */
export interface TypeView {
  /**
   * Attributes that do not exist for these clients, per resource type name: core schema attributes that are never
   * returned, such as a user's password.
   */
  readonly omit?: Readonly<Record<string, readonly string[]>>
  /**
   * The `canonicalValues` shown in `/Schemas` for the `type` of a multi-valued attribute if the definition lists none.
   * Other values are accepted as before (RFC 7643 §2.3.1).
   */
  readonly canonicalTypes?: readonly string[]
}

/** Prepares a resource type once for all requests. */
export function prepareType<Context>(
  type: ResourceType<Context>,
  all: readonly ResourceType<Context>[],
): ServedType<Context> {
  const referring = all.flatMap(({ store }) =>
    store.removeReferences === undefined ? [] : [store],
  )
  const served: ServedType<Context> = {
    ...type,
    ...factsOf(type.definitions),
    referring,
    seenBy: memoize((profile) => narrow(served, profile)),
  }
  return served
}

/** Returns the type without the attributes a profile omits. */
function narrow<Context>(
  type: ServedType<Context>,
  { omit, canonicalTypes }: TypeView,
): ServedType<Context> {
  const omitted = omit?.[type.name] ?? []
  if (omitted.length === 0 && canonicalTypes === undefined) return type
  const definitions = Object.fromEntries(
    Object.entries(type.definitions).map(([urn, { attributes, ...definition }]) => {
      const kept = attributes.filter(({ name }) => urn !== type.core || !omitted.includes(name))
      return [urn, { ...definition, attributes: kept.map((one) => withTypes(one, canonicalTypes)) }]
    }),
  )
  return { ...type, definitions, ...factsOf(definitions) }
}

/** Adds the canonical values to the `type` in a multi-valued attribute. */
function withTypes(
  attribute: Attribute,
  canonicalValues: readonly string[] | undefined,
): Attribute {
  const { multiValued, subAttributes } = attribute
  if (canonicalValues === undefined || !multiValued || subAttributes === undefined) return attribute
  const parts = subAttributes.map((part) =>
    part.name === 'type' ? { canonicalValues, ...part } : part,
  )
  return { ...attribute, subAttributes: parts }
}

/** Returns the parts that depend only on the definitions. */
function factsOf(
  definitions: Definitions,
): Pick<ServedType<never>, 'index' | 'core' | 'extensions' | 'members' | 'computed'> {
  const index = attributeIndex(definitions)
  const { core } = index
  const extensions = [...index.schemas.values()].flatMap(({ container }) => container ?? [])
  const names = [...[...core.attributes.values()].map(({ name }) => name), ...extensions]
  return {
    index,
    core: core.id,
    extensions,
    members: new Set(names.flatMap((name) => [name, fold(name)])),
    computed: [...index.schemas.values()].flatMap(({ attributes }) =>
      [...attributes.values()].filter(isComputed),
    ),
  }
}

/** `id` never changes, and `meta` contains the version itself. */
function isComputed({ name, mutability, returned }: AttributeNode): boolean {
  return mutability === 'readOnly' && returned !== 'never' && name !== 'id' && name !== 'meta'
}
