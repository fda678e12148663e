import type { ResourceReader } from '../endpoint/reader.ts'
import type { WireResource } from '../endpoint/store.ts'
import { ScimError } from '../error.ts'

/** Why a user has a role: a group gives it, and a request made the user a member of it. */
export interface Grant<Role> {
  readonly role: Role
  readonly because: {
    /** The id of the group that gives the role. The user is a direct member of it, or in a group below it. */
    readonly group: string
    /** The request that gave the role, or `reconcile`. */
    readonly requestId: string
  }
}

/** The access of a user, as the application stores it. */
export interface Access<Account, Role> {
  readonly account: Account
  /** False for a deactivated and a deleted user: end the sessions of the account. Then `grants` is empty. */
  readonly isActive: boolean
  readonly grants: readonly Grant<Role>[]
}

/** The transaction of a change, and the request that caused it. */
export interface Place<Context> {
  readonly resources: ResourceReader
  readonly transaction: Context
  readonly requestId: string
}

/**
 * The roles that groups give: a table by `externalId:…`, `displayName:…` or `id:…` of the group, or a function of it. The
 * group has `id`, `externalId` and `displayName`.
 */
export type RolesOfGroups<Role> =
  | Readonly<Record<`${'externalId' | 'displayName' | 'id'}:${string}`, Role | readonly Role[]>>
  | ((group: WireResource) => readonly Role[])

/** The roles that the groups of a user give it now. A role that it had keeps its request. */
export async function findGrants<Context, Role>(
  user: string,
  {
    resources,
    requestId,
    roles,
    before,
  }: Place<Context> & {
    readonly roles: RolesOfGroups<Role>
    readonly before: Access<unknown, Role> | null
  },
): Promise<readonly Grant<Role>[]> {
  const earlier = new Map(before?.grants.map((grant) => [keyOf(grant), grant]))
  const grants = new Map<string, Grant<Role>>()
  const ids = new Set([user])
  // The set grows by the groups above each.
  for (const id of ids) {
    // The first id is that of the user.
    if (ids.size > MOST_GROUPS + 1) {
      throw new ScimError(400, 'the user is in too many groups', { scimType: 'tooMany' })
    }
    for (const { resource } of await resources.groupsOf(id)) {
      const group = String(resource.id)
      ids.add(group)
      for (const role of rolesOf(roles, resource)) {
        const grant = { role, because: { group, requestId } }
        grants.set(keyOf(grant), earlier.get(keyOf(grant)) ?? grant)
      }
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
