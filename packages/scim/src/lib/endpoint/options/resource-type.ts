import { memoize, optionFault } from '@plumbline/base'
import { isJsonObject, own } from '../../json.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
} from '../../schema/attribute-index.ts'
import { requireDefinitions } from '../../schema/require-definitions.ts'
import type { Attribute, Definitions } from '../../schema/types.ts'
import { fold } from '../../values/fold.ts'
import { ANY, type Forms, requireOptions } from './forms.ts'
import { requireLimit } from './limits.ts'
import type { ResourceStore } from './store.ts'

/** A resource type that an endpoint serves (RFC 7643 §6). */
export interface ResourceType<in Context = unknown> {
  /** The type's name, such as `User`. */
  readonly name: string
  /** The resources' path below the endpoint, such as `/Users`. */
  readonly endpoint: string
  /** A description for people. */
  readonly description?: string | undefined
  /** The core schema, and then the extensions. Clients may send exactly their attributes. */
  readonly definitions: Definitions
  /** The URNs of the extensions each resource must have (RFC 7643 §6); none by default. */
  readonly requiredExtensions?: readonly string[] | undefined
  /** Reads and writes the resources. */
  readonly store: ResourceStore<Context>
}

/** A store whose writes change several tables, or a resource type with such a store. It requires a transaction. */
export interface SeveralTables {
  /** The names of the tables. */
  readonly writesTo: readonly string[]
}

/** A resource store with its definitions, such as `memoryStore` and `sqlStore` return. */
export interface DefinedStore<in Context = unknown> extends ResourceStore<Context> {
  /** The core schema, and then the extensions. */
  readonly definitions: Definitions
}

/** A resource type as `defineResourceType` accepts it: without definitions, it has those of the store. */
export type ResourceTypeOptions<Context = unknown> = Omit<ResourceType<Context>, 'definitions'> &
  (
    | { readonly definitions: Definitions }
    | { readonly definitions?: undefined; readonly store: DefinedStore<Context> }
  )

/**
 * Defines a resource type from a store and definitions (by default the store's). Throws a `TypeError` naming the member
 * if the definitions do not contain a schema or a required extension, if the path does not look like `/Users`, or if
 * the store lacks a function.
 *
 * @example
 * ```ts
 * import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
 * import { defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
 *
 * const store = memoryStore({ definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } })
 * const groups = defineResourceType({ name: 'Group', endpoint: '/Groups', store })
 * Object.keys(groups.definitions) //=> ['urn:ietf:params:scim:schemas:core:2.0:Group']
 * ```
 * @see RFC 7643 §6
 */
export function defineResourceType<Context = unknown, Tables = unknown>(
  type: ResourceTypeOptions<Context> & {
    readonly store: { readonly read: unknown; readonly writesTo?: Tables }
  },
): ResourceType<Context> & (unknown extends Tables ? unknown : SeveralTables)
export function defineResourceType<Context>(
  type: ResourceTypeOptions<Context>,
): ResourceType<Context> {
  const isNamed = isJsonObject(type) && FORMS.name.isValid(type.name)
  requireOptions('defineResourceType', type, FORMS, isNamed ? `${type.name}: ` : undefined)
  const { name, requiredExtensions = [], store } = type
  requireStore(name, store)
  const definitions = type.definitions === undefined ? definitionsOf(store) : type.definitions
  requireDefinitions(`${name}: definitions`, definitions)
  requireExtensions(name, definitions, requiredExtensions)
  const writesTo = own(store, 'writesTo')
  return { ...type, definitions, ...(writesTo !== undefined && { writesTo }) }
}

function definitionsOf(store: object): unknown {
  return 'definitions' in store ? store.definitions : undefined
}

function requireExtensions(name: string, definitions: Definitions, required: unknown): void {
  const { core } = attributeIndex(definitions)
  if (!Array.isArray(required)) {
    throw optionFault(`${name}: requiredExtensions`, 'a list of URNs', required)
  }
  const missing = required.find((urn) => urn === core.id || !Object.hasOwn(definitions, urn))
  if (missing === undefined) return
  throw new TypeError(`${name}: the definition of the required extension ${missing} is missing`)
}

function requireStore(name: string, store: unknown): void {
  if (!isJsonObject(store)) throw optionFault(`${name}: store`, 'an object', store)
  for (const method of METHODS) {
    if (typeof store[method] === 'function') continue
    throw optionFault(`${name}: store.${method}`, 'a function', store[method])
  }
  const { cursors, changeMembers, findMembers, findHolders, lock, removeReferences } = store
  const optional = { changeMembers, findMembers, findHolders, lock, removeReferences }
  for (const [method, found] of Object.entries(optional)) {
    if (found === undefined || typeof found === 'function') continue
    throw optionFault(`${name}: store.${method}`, 'a function', found)
  }
  if (store.needsTurns !== undefined && typeof store.needsTurns !== 'boolean') {
    throw optionFault(`${name}: store.needsTurns`, 'a boolean', store.needsTurns)
  }
  if ((changeMembers === undefined) !== (findMembers === undefined)) {
    throw new TypeError(
      `${name}: a store has either both of changeMembers and findMembers or neither`,
    )
  }
  const { places = {} } = store
  if (!isJsonObject(places) || !Object.values(places).every(Array.isArray)) {
    throw optionFault(`${name}: store.places`, 'lists of types by attribute', places)
  }
  if (cursors === undefined) return
  if (!isJsonObject(cursors)) throw optionFault(`${name}: store.cursors`, 'an object', cursors)
  if (cursors.timeout !== undefined) requireLimit(`${name}: store.cursors.timeout`, cursors.timeout)
}

const FORMS: Forms<ResourceType<never> & SeveralTables> = {
  name: {
    wanted: 'a string such as User',
    isValid: (name) => typeof name === 'string' && name.trim() !== '' && name.isWellFormed(),
    isRequired: true,
  },
  endpoint: {
    wanted: 'a path such as /Users',
    isValid: (path) => typeof path === 'string' && ENDPOINT.test(path),
    isRequired: true,
  },
  description: { wanted: 'a string', isValid: (text) => typeof text === 'string' },
  definitions: ANY,
  requiredExtensions: ANY,
  store: ANY,
  // The endpoint defines a defined type again.
  writesTo: ANY,
}
const METHODS = ['read', 'list', 'create', 'replace', 'delete'] as const
/** Segments a URL does not change: without a percent sign, a query or dot segments. */
const ENDPOINT = /^(?:\/[\w~$-][\w.~$-]*)+$/

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

/** Returns whether resources of a type have members, as groups have. */
export function hasMembers({ index }: Pick<ServedType<never>, 'index'>): boolean {
  return index.core.attributes.get('members')?.multiValued === true
}

/** Returns the schemas of all types, as a profile's clients see them. */
export function definitionsFor(
  types: readonly ServedType<never>[],
  profile: TypeView,
): Definitions {
  return Object.assign({}, ...types.map((type) => type.seenBy(profile).definitions))
}
