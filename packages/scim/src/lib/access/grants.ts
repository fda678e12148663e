import { optionFault } from '@plumbline/base'
import type { WireResource } from '../endpoint/options/store.ts'
import type { ResourceReader } from '../endpoint/read/resource-reader.ts'
import { isJsonObject } from '../json.ts'
import { type AccountId, isId, type RoleId, requireAccount, requireBoolean } from './link.ts'

/** Why a user has a role: a group gives it, and a request made the user a group member. */
export interface Grant<Role extends RoleId> {
  readonly role: Role
  readonly because: {
    /** The id of the group giving the role. The user is a direct member, or in a group below it. */
    readonly group: string
    /** The request that gave the role, or `reconcile`. */
    readonly requestId: string
  }
}

/** A user's access, as the application stored it. */
export interface Access<Account extends AccountId, Role extends RoleId> {
  readonly account: Account
  /** False for a deactivated and a deleted user: end the account's sessions. Then `grants` is empty. */
  readonly isActive: boolean
  readonly grants: readonly Grant<Role>[]
}

/** A user's access to store. */
export interface AccessChange<Account extends AccountId, Role extends RoleId>
  extends Access<Account, Role> {
  /** The user's id. */
  readonly user: string
  /** Whether the user was deleted, so the link to the account ends. */
  readonly isDeleted: boolean
}

/**
 * Returns the roles a group gives, in the context's tenant. The group has `id`, `externalId` and `displayName`, which a
 * tenant's client chooses: another tenant may have a group with the same ones. It is asked once for each group in a
 * write.
 */
export type RolesOfGroup<Context, Role extends RoleId> = (
  group: WireResource,
  context: Context,
) => Promise<readonly Role[]> | readonly Role[]

/** The groups with resources of one type as direct members, keyed by resource id. */
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
  const direct = await readLevel(USER, users, resources)
  let added = 0
  let level = direct
  for (let depth = 0; level.size > 0; depth += 1) {
    // Then a user is in too many groups, some of which are not read.
    if (depth > MAX_GROUPS || added > MAX_GROUPS * users.length) break
    const found = [...level.values()].flat().map(({ id }) => String(id))
    const ids = [...new Set(found)].filter((id) => !above.has(id))
    level = await readLevel(GROUP, ids, resources)
    for (const [id, groups] of level) above.set(id, groups)
    added += ids.length
  }
  return direct
}

async function readLevel(
  resourceType: string,
  ids: readonly string[],
  resources: ResourceReader,
): Promise<GroupsById> {
  if (ids.length === 0) return new Map()
  const found = await resources.groupsOf(resourceType, ids)
  return new Map(
    ids.map((id) => {
      // Other resource types may have members, too.
      const groups = (found.get(id) ?? []).filter((one) => one.resourceType === GROUP)
      return [id, groups.map(({ resource }) => resource)]
    }),
  )
}

/**
 * Finds the roles a user's groups, and those above them, give now. A role the user already had keeps its request. If
 * these groups are too many, `isComplete` is false, and the user keeps only roles from the first ones.
 */
export async function findGrants<Role extends RoleId>(
  groups: readonly WireResource[],
  {
    above,
    requestId,
    rolesOf,
    before,
  }: {
    readonly above: GroupsById
    readonly requestId: string
    readonly rolesOf: (group: WireResource) => Promise<readonly Role[]>
    readonly before: Access<AccountId, Role> | undefined
  },
): Promise<{ readonly grants: readonly Grant<Role>[]; readonly isComplete: boolean }> {
  const earlier = new Map(before?.grants.map((grant) => [keyOf(grant), grant]))
  const grants = new Map<string, Grant<Role>>()
  const first = groups.slice(0, MAX_GROUPS)
  const found = new Map(first.map((group) => [String(group.id), group]))
  let isComplete = groups.length <= MAX_GROUPS
  // The loop adds the groups above each group to the map.
  for (const [group, resource] of found) {
    const parents = above.get(group)
    if (parents === undefined) isComplete = false
    for (const role of await rolesOf(resource)) {
      const grant = { role, because: { group, requestId } }
      grants.set(keyOf(grant), earlier.get(keyOf(grant)) ?? grant)
    }
    for (const one of parents ?? []) {
      if (found.has(String(one.id))) continue
      if (found.size < MAX_GROUPS) found.set(String(one.id), one)
      else isComplete = false
    }
  }
  const kept = [...grants].filter(([key]) => isComplete || earlier.has(key))
  return { grants: kept.map(([, grant]) => grant), isComplete }
}

/** Asks for the roles of each group once. */
export function rememberRoles<Context, Role extends RoleId>(
  roles: RolesOfGroup<Context, Role>,
  context: Context,
): (group: WireResource) => Promise<readonly Role[]> {
  const known = new Map<unknown, readonly Role[]>()
  return async (group) => {
    const found = known.get(group.id) ?? requireRoles(await roles(group, context))
    known.set(group.id, found)
    return found
  }
}

/** A string is not a list: its letters would be roles. */
function requireRoles<Role extends RoleId>(found: readonly Role[]): readonly Role[] {
  if (!Array.isArray(found)) throw optionFault('the result of roles', 'a list of roles', found)
  for (const role of found) requireRole('a role of roles', role)
  return found
}

function requireRole(place: string, role: unknown): void {
  if (!isId(role)) throw optionFault(place, 'a string, an integer or a bigint', role)
}

/** Returns the stored access of some users. Throws a TypeError if a driver returned something else. */
export function requireAccess<Account extends AccountId, Role extends RoleId>(
  found: ReadonlyMap<string, Access<Account, Role>>,
  users: readonly string[],
): Map<string, Access<Account, Role>> {
  if (!(found instanceof Map)) throw optionFault('the result of read', 'a Map', found)
  // The ids of one column have one type.
  const [id = ''] = found.keys()
  if (typeof id !== 'string') throw optionFault('a key of read', "a user's id (a string)", id)
  const stored = new Map<string, Access<Account, Role>>()
  for (const user of users) {
    const access = found.get(user)
    if (access === undefined) continue
    requireStored(access)
    stored.set(user, access)
  }
  return stored
}

function requireStored(access: unknown): void {
  if (!isJsonObject(access)) throw optionFault('a value of read', 'an object', access)
  const { account, isActive, grants } = access
  requireAccount('account of read', account as AccountId)
  requireBoolean('isActive of read', isActive)
  if (!Array.isArray(grants)) throw optionFault('grants of read', 'a list', grants)
  for (const grant of grants) {
    const { role, because } = Object(grant)
    requireRole('a role of read', role)
    for (const name of ['group', 'requestId']) {
      const value: unknown = Object(because)[name]
      if (typeof value !== 'string') throw optionFault(`because.${name} of read`, 'a string', value)
    }
  }
}

/** Identifies a role and the group that gives it. */
export function keyOf({ role, because: { group } }: Grant<RoleId>): string {
  return JSON.stringify([String(role), group])
}

const MAX_GROUPS = 1_000
/** The resource type names. */
export const USER = 'User'
export const GROUP = 'Group'
/** How many users are read and stored together. */
export const FEW = 100
