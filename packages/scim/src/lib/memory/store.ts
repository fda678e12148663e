import { ANY, type Forms, requireOptions } from '../endpoint/options/forms.ts'
import type {
  ListAnswer,
  ListRequest,
  ResourceStore,
  View,
  WireResource,
} from '../endpoint/options/store.ts'
import { uniquenessError } from '../error.ts'
import type { Expression } from '../filter/tree.ts'
import { isJsonObject, own } from '../json.ts'
import { takePage } from '../list/page.ts'
import { attributeIndex } from '../schema/attribute-index.ts'
import { requireDefinitions } from '../schema/require-definitions.ts'
import type { Definitions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import { createKeyIndex, type KeyIndex } from './key-index.ts'
import { createMemberships, type Memberships } from './memberships.ts'

/** The `memoryStore` options. */
export interface MemoryStoreOptions {
  /** The resource type's definitions. They say which attributes are unique. */
  readonly definitions: Definitions
  /** The store of groups with members in this store. The members' `groups` are computed from it. */
  readonly groups?: MemoryStore | undefined
}

/** A store in memory. */
export interface MemoryStore extends ResourceStore {
  /** The definitions from the options, which `defineResourceType` accepts. */
  readonly definitions: Definitions
  /** Returns the groups with a resource as a member, as the resource's `groups` lists them. */
  readonly groupsOf: (id: string) => readonly WireResource[]
  /** Removes a resource from the members of all groups. */
  readonly leaveGroups: (id: string) => void
}

/**
 * Creates an in-memory store for tests, examples and small services.
 *
 * It fits any definitions. It enforces the uniqueness they define: `409 uniqueness`, in any letter case unless an
 * attribute is `caseExact`. Look-ups by `id`, by a unique attribute and by `externalId` do not read the other
 * resources. Resources it returns are frozen. It stores passwords as they are sent. Throws a `TypeError` naming an
 * invalid option.
 *
 * @example
 * ```ts
 * import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { memoryStore } from '@plumbline/scim/endpoint'
 *
 * const groups = memoryStore({ definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } })
 * const users = memoryStore({ definitions: { [USER_DEFINITION.id]: USER_DEFINITION }, groups })
 * users.groupsOf('1') //=> []
 * ```
 */
export function memoryStore(options: MemoryStoreOptions): MemoryStore {
  const { definitions, groups } = requireMemoryOptions(options)
  const stored = new Map<string, Stored>()
  const state: State = {
    stored,
    keys: createKeyIndex(definitions),
    memberships: createMemberships((id) => stored.get(id)?.wire),
    groups,
  }
  return {
    definitions,
    // A PATCH reads and replaces in two calls, and a transaction in memory does not isolate them.
    needsTurns: true,
    cursors: {},
    read: async (id, _, { view }) => {
      const found = stored.get(id)
      return found === undefined ? null : showOf(state, view)(found)
    },
    list: async (_, request) => list(state, request),
    create: async (resource) => create(state, resource),
    replace: async (id, resource) => replace(state, id, resource),
    delete: async (id) => remove(state, id),
    ...(attributeIndex(definitions).core.attributes.has('members') && {
      findHolders: async (values: readonly string[]) =>
        values.flatMap((value) =>
          state.memberships.groupsOf(value).map((group) => ({ value, group: String(group.value) })),
        ),
      removeReferences: async (id: string) => leaveGroups(state, id),
    }),
    groupsOf: state.memberships.groupsOf,
    leaveGroups: (id) => leaveGroups(state, id),
  }
}

function requireMemoryOptions(options: MemoryStoreOptions): MemoryStoreOptions {
  requireOptions<MemoryStoreOptions>('memoryStore', options, FORMS)
  requireDefinitions('memoryStore: definitions', options.definitions)
  return options
}

const FORMS: Forms<MemoryStoreOptions> = {
  definitions: ANY,
  groups: {
    wanted: 'a store in memory',
    isValid: (groups) =>
      isJsonObject(groups) &&
      [groups.groupsOf, groups.leaveGroups].every((one) => typeof one === 'function'),
  },
}

interface Stored {
  /** The attributes clients write. */
  readonly content: WireResource
  readonly revision: number
  /** With `id` and `meta`. */
  readonly wire: WireResource
}

interface State {
  readonly stored: Map<string, Stored>
  readonly keys: KeyIndex
  readonly memberships: Memberships
  readonly groups: MemoryStore | undefined
}

/** Returns the function that shows a resource with the computed attributes a request needs. */
function showOf({ groups }: State, view: View): (found: Stored) => WireResource {
  if (groups === undefined || !view.needs('groups')) return ({ wire }) => wire
  return ({ wire }) => withGroups(wire, groups)
}

function withGroups(wire: WireResource, groups: MemoryStore): WireResource {
  const memberships = groups.groupsOf(String(wire.id))
  return memberships.length === 0 ? wire : { ...wire, groups: memberships }
}

function list(state: State, request: ListRequest): ListAnswer {
  const { filter, sortBy, cursor, view } = request
  const { stored, keys } = state
  const all = stored.size
  const isPage = filter === null && sortBy === null && cursor === null
  const found = isPage ? takePage(stored.values(), request) : candidates(filter, stored, keys)
  const resources = found.map(showOf(state, view))
  if (!isPage) return { resources }
  return { resources, totalResults: all, applied: ['filter', 'sort', 'page'] }
}

/** Returns the resources that may match a filter: those with an indexed attribute's value, or all. */
function candidates(
  filter: Expression | null,
  stored: ReadonlyMap<string, Stored>,
  keys: KeyIndex,
): Stored[] {
  const ids = filter === null ? null : keys.find(filter)
  if (ids === null) return [...stored.values()]
  return [...ids].flatMap((id) => stored.get(id) ?? [])
}

function create(state: State, resource: WireResource): WireResource {
  const id = crypto.randomUUID()
  const now = new Date().toISOString()
  return write(state, id, resource, { created: now, lastModified: now, revision: 1 }).wire
}

function replace(state: State, id: string, resource: WireResource): WireResource | null {
  const before = state.stored.get(id)
  if (before === undefined) return null
  // RFC 7644 §3.5.2.1: a request without effect does not change lastModified.
  const isSame = areSameValues(null, before.content, resource)
  const after = isSame ? before : rewrite(state, id, resource, before)
  return state.groups === undefined ? after.wire : withGroups(after.wire, state.groups)
}

function rewrite(state: State, id: string, resource: WireResource, before: Stored): Stored {
  const created = own(Object(before.wire.meta), 'created')
  const lastModified = new Date().toISOString()
  return write(state, id, resource, { created, lastModified, revision: before.revision + 1 })
}

/** Throws a ScimError, `409`, if a unique value is taken; nothing is changed then. */
function write(
  { stored, keys, memberships }: State,
  id: string,
  resource: WireResource,
  { created, lastModified, revision }: { created: unknown; lastModified: string; revision: number },
): Stored {
  const conflict = keys.findTaken(id, resource)
  if (conflict !== null) throw uniquenessError(conflict)
  const content = freeze(structuredClone(resource))
  const meta = { created, lastModified, version: `W/"${revision}"` }
  const entry = { content, revision, wire: freeze({ ...content, id, meta }) }
  keys.set(id, content)
  memberships.set(id, content)
  stored.set(id, entry)
  return entry
}

function remove(state: State, id: string): boolean {
  const { stored, keys, memberships, groups } = state
  if (!stored.delete(id)) return false
  keys.set(id, {})
  memberships.set(id, {})
  leaveGroups(state, id)
  groups?.leaveGroups(id)
  return true
}

function leaveGroups(state: State, id: string): void {
  for (const { value } of state.memberships.groupsOf(id)) {
    const group = state.stored.get(String(value))
    if (group === undefined) continue
    const members: readonly unknown[] = Array.isArray(group.content.members)
      ? group.content.members
      : []
    const left = members.filter((member) => fold(String(own(Object(member), 'value'))) !== fold(id))
    const { members: _, ...rest } = group.content
    rewrite(state, String(value), left.length === 0 ? rest : { ...rest, members: left }, group)
  }
}

/** Freezes a JSON value with all its parts. */
function freeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) freeze(part)
  }
  return Object.freeze(value)
}
