import type { ResourceReader } from '../endpoint/reader.ts'
import type { WireResource } from '../endpoint/store.ts'

/** Why a user has a role: a group gives it, and a request made the user a group member. */
export interface Grant<Role> {
  readonly role: Role
  readonly because: {
    /** The id of the group giving the role. The user is its direct member, or in a group below it. */
    readonly group: string
    /** The request that gave the role, or `reconcile`. */
    readonly requestId: string
  }
}

/** A user's access, as stored by the application. */
export interface Access<Account, Role> {
  readonly account: Account
  /** False for a deactivated and a deleted user: end the account's sessions. Then `grants` is empty. */
  readonly isActive: boolean
  readonly grants: readonly Grant<Role>[]
}

/**
 * The roles given by groups: a table by the group's `externalId:…`, `displayName:…` or `id:…`, or a function with the
 * group as its argument. The group has `id`, `externalId` and `displayName`.
 */
export type RolesOfGroups<Role> =
  | Readonly<Record<`${'externalId' | 'displayName' | 'id'}:${string}`, Role | readonly Role[]>>
  | ((group: WireResource) => readonly Role[])

/** The groups with resources of one type as direct members, by the resources' ids. */
export type GroupsById = Map<string, readonly WireResource[]>

/**
 * Returns the users' groups, and adds the groups above them, as far as they are not known. Each level is read for all
 * users together. A user and a group may have the same id.
 */
export async function readGroups(
  users: readonly string[],
  resources: ResourceReader,
  above: GroupsById,
): Promise<GroupsById> {
  const direct = await readLevel('User', users, resources)
  let added = 0
  let level = direct
  for (let depth = 0; level.size > 0; depth += 1) {
    // Then a user is in too many groups, some of which are not read.
    if (depth > MOST_GROUPS || added > MOST_GROUPS * users.length) break
    const found = [...level.values()].flat().map(({ id }) => String(id))
    const ids = [...new Set(found)].filter((id) => !above.has(id))
    level = await readLevel('Group', ids, resources)
    for (const [id, groups] of level) above.set(id, groups)
    added += ids.length
  }
  return direct
}

async function readLevel(
  resourceType: 'User' | 'Group',
  ids: readonly string[],
  resources: ResourceReader,
): Promise<GroupsById> {
  if (ids.length === 0) return new Map()
  const found = await resources.groupsOf(resourceType, ids)
  return new Map(ids.map((id) => [id, (found.get(id) ?? []).map(({ resource }) => resource)]))
}

/**
 * Finds the roles now given by a user's groups and those above them; null if these are too many. A role the user
 * already had keeps its request.
 */
export function findGrants<Role>(
  groups: readonly WireResource[],
  {
    above,
    requestId,
    roles,
    before,
  }: {
    readonly above: GroupsById
    readonly requestId: string
    readonly roles: RolesOfGroups<Role>
    readonly before: Access<unknown, Role> | undefined
  },
): readonly Grant<Role>[] | null {
  const earlier = new Map(before?.grants.map((grant) => [keyOf(grant), grant]))
  const grants = new Map<string, Grant<Role>>()
  const found = new Map(groups.map((group) => [String(group.id), group]))
  // The map grows by the groups above each group.
  for (const [group, resource] of found) {
    const parents = above.get(group)
    if (parents === undefined || found.size > MOST_GROUPS) return null
    for (const role of rolesOf(roles, resource)) {
      const grant = { role, because: { group, requestId } }
      grants.set(keyOf(grant), earlier.get(keyOf(grant)) ?? grant)
    }
    for (const one of parents) {
      if (!found.has(String(one.id))) found.set(String(one.id), one)
    }
  }
  return [...grants.values()]
}

function rolesOf<Role>(roles: RolesOfGroups<Role>, group: WireResource): readonly Role[] {
  if (typeof roles === 'function') return roles(group)
  const table: Readonly<Record<string, Role | readonly Role[]>> = roles
  return ['externalId', 'displayName', 'id'].flatMap((name) => {
    const key = `${name}:${group[name]}`
    if (group[name] === undefined || !Object.hasOwn(table, key)) return []
    const found = table[key] as Role | readonly Role[]
    return Array.isArray(found) ? found : [found as Role]
  })
}

function keyOf<Role>({ role, because: { group } }: Grant<Role>): string {
  return JSON.stringify([role, group])
}

const MOST_GROUPS = 1_000
