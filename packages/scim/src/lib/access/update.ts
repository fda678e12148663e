import type { ResourceReader } from '../endpoint/reader.ts'
import type { WireResource } from '../endpoint/store.ts'
import {
  type Access,
  findGrants,
  type Grant,
  type GroupsById,
  type RolesOfGroups,
  readGroups,
} from './grants.ts'
import { type LinkOptions, linkAccount } from './link.ts'

/** A user's access to store. */
export interface AccessChange<Account, Role> extends Access<Account, Role> {
  /** The user's id. */
  readonly user: string
  /** Whether the user was deleted, so the link to the account ends. */
  readonly isDeleted: boolean
}

/** The `projection` options. */
export interface ProjectionOptions<Context extends object, Account, Role> {
  /** Finds or creates a new user's account. */
  readonly link: LinkOptions<Context, Account>
  /** The roles given by groups. */
  readonly roles: RolesOfGroups<Role>
  /** Returns the users' stored access, by user id; absent before the first `apply`. */
  readonly read: (
    users: readonly string[],
    transaction: Context,
  ) =>
    | Promise<ReadonlyMap<string, Access<Account, Role>>>
    | ReadonlyMap<string, Access<Account, Role>>
  /** Stores the users' access, in the transaction of the write that changed it. */
  readonly apply: (
    changes: readonly AccessChange<Account, Role>[],
    transaction: Context,
  ) => Promise<void> | void
}

/** A user whose access could not be updated. It stays as it is. */
export interface AccessFailure {
  /** The user's id. */
  readonly user: string
  /** `uniqueness`: the user must not be linked to an account. `tooMany`: the user is in more than 1,000 groups. */
  readonly scimType: 'uniqueness' | 'tooMany'
}

/** A change's transaction, and the request that caused it. */
export interface Place<Context> {
  readonly resources: ResourceReader
  readonly transaction: Context
  readonly requestId: string
  /** The groups above the groups already read in this transaction. */
  readonly above: GroupsById
  readonly onFailure: (failure: AccessFailure) => void
}

/** Brings the stored access of locked users up to date. Returns the ids of users whose access was wrong. */
export async function updateAccess<Context extends object, Account, Role>(
  ids: readonly string[],
  { resources, transaction, requestId, above, onFailure }: Place<Context>,
  { link, roles, read, apply }: ProjectionOptions<Context, Account, Role>,
): Promise<readonly string[]> {
  const stored = await read(ids, transaction)
  const users = await readUsers(ids, resources, stored)
  const active = ids.filter((id) => isActive(users.get(id)))
  const groups = await readGroups(active, resources, above)
  const wrong: string[] = []
  const changes: AccessChange<Account, Role>[] = []
  for (const id of ids) {
    const before = stored.get(id)
    const user = users.get(id)
    const grants = findGrants(groups.get(id) ?? [], { above, requestId, roles, before })
    if (grants === null) {
      onFailure({ user: id, scimType: 'tooMany' })
      continue
    }
    const after = { user: id, isActive: isActive(user), isDeleted: user === undefined, grants }
    if (before === undefined) {
      if (user === undefined) continue
      const linked = await linkAccount({ ...link, user, id, transaction })
      if (linked === null) {
        onFailure({ user: id, scimType: 'uniqueness' })
        continue
      }
      // Stored before the next user is linked, because that user may have the same account's address.
      await apply([{ ...after, ...linked }], transaction)
    } else if (after.isDeleted || !isSame(before, after)) {
      changes.push({ ...after, account: before.account })
    } else continue
    wrong.push(id)
  }
  if (changes.length > 0) await apply(changes, transaction)
  return wrong
}

/** Returns the existing users by id: whole if they are to be linked, and otherwise with `active`. */
async function readUsers(
  ids: readonly string[],
  resources: ResourceReader,
  stored: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, WireResource>> {
  const linked = await resources.readAll(
    USER,
    ids.filter((id) => stored.has(id)),
    ['active'],
  )
  const whole = await resources.readAll(
    USER,
    ids.filter((id) => !stored.has(id)),
  )
  return new Map([...linked, ...whole])
}

function isActive(user: WireResource | undefined): boolean {
  return user !== undefined && user.active !== false
}

type Compared<Role> = Pick<Access<unknown, Role>, 'isActive' | 'grants'>

function isSame<Role>(a: Compared<Role>, b: Compared<Role>): boolean {
  const keysOf = ({ grants }: Compared<Role>) =>
    grants.map(({ role, because }: Grant<Role>) => JSON.stringify([role, because.group])).sort()
  return a.isActive === b.isActive && JSON.stringify(keysOf(a)) === JSON.stringify(keysOf(b))
}

/** The resource type names. */
export const USER = 'User'
export const GROUP = 'Group'
