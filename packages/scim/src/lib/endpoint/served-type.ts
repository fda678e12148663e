import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
} from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import type { ResourceType } from './resource-type.ts'

/** A resource type, with everything that requests need and that depends only on its definitions. */
export interface ServedType<in Context> extends ResourceType<Context> {
  readonly index: AttributeIndex
  /** The URN of the core schema. */
  readonly core: string
  /** The URNs of the extensions. */
  readonly extensions: readonly string[]
  /** The names of the members that a resource may have, in the spelling of the definitions and folded. */
  readonly members: ReadonlySet<string>
  /** The read-only attributes that other requests may change, such as the groups of a user. */
  readonly computed: readonly AttributeNode[]
}

/** Prepares a resource type once for all requests. */
export function prepareType<Context>(type: ResourceType<Context>): ServedType<Context> {
  const index = attributeIndex(type.definitions)
  const { core } = index
  const extensions = [...index.schemas.values()].flatMap(({ container }) => container ?? [])
  const names = [...[...core.attributes.values()].map(({ name }) => name), ...extensions]
  return {
    ...type,
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
