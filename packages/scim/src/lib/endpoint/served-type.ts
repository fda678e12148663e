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

/** A resource type, with everything that requests need and that depends only on its definitions. */
export interface ServedType<in Context> extends ResourceType<Context> {
  readonly index: AttributeIndex
  /** The URN of the core schema. */
  readonly core: string
  /** The URNs of the extensions. */
  readonly extensions: readonly string[]
  /** The names of the members a resource may have, in the spelling of the definitions and folded. */
  readonly members: ReadonlySet<string>
  /** The read-only attributes that other requests may change, such as a user's groups. */
  readonly computed: readonly AttributeNode[]
  /** The stores that remove references to a deleted resource. */
  readonly referring: readonly ResourceStore<Context>[]
  /** The type as the clients of a profile see it. */
  readonly seenBy: (profile: TypeView) => ServedType<Context>
}

/** How the clients of a profile see resource types. */
export interface TypeView {
  /**
   * Attributes that do not exist for its clients, by the resource type's name: attributes of the core schema that
   * are never returned, such as a user's password.
   */
  readonly omit?: Readonly<Record<string, readonly string[]>>
  /**
   * The `canonicalValues` that `/Schemas` has for the `type` of a multi-valued attribute if its definition lists none.
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

/** The type without what a profile omits. */
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

/** A multi-valued attribute, with canonical values of its `type`. */
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

/** The parts that depend on the definitions alone. */
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
