import type { Change } from '../endpoint/changes.ts'
import type { TransactingEndpoint } from '../endpoint/endpoint.ts'
import type { OnChange } from '../endpoint/options.ts'
import type { ResourceReader } from '../endpoint/reader.ts'
import type { WireResource } from '../endpoint/store.ts'
import { type Access, findGrants, type Grant, type Place, type RolesOfGroups } from './grants.ts'
import { type LinkOptions, linkAccount } from './link.ts'

/** The access of a user to store. */
export interface AccessChange<Account, Role> extends Access<Account, Role> {
  /** The id of the user. */
  readonly user: string
  /** Whether the user was deleted, so the link to the account ends. */
  readonly isDeleted: boolean
}

/** The `projection` options. */
export interface ProjectionOptions<Context extends object, Account, Role> {
  /** Finds or creates the account of a new user. */
  readonly link: LinkOptions<Context, Account>
  /** The roles that groups give. */
  readonly roles: RolesOfGroups<Role>
  /** Returns the stored access of a user; null before the first. */
  readonly read: (
    user: string,
    transaction: Context,
  ) => Promise<Access<Account, Role> | null> | Access<Account, Role> | null
  /** Stores the access of a user, in the transaction of the write that changed it. */
  readonly apply: (
    change: AccessChange<Account, Role>,
    transaction: Context,
  ) => Promise<void> | void
}

/** The result of `reconcile`. */
export interface Reconciled {
  /** The number of users that were compared. */
  readonly checked: number
  /** The ids of the users whose stored access was wrong. */
  readonly repaired: readonly string[]
}

/** Users and groups as accounts and roles of an application. */
export interface Projection<Context extends object, Role> {
  /** The `onChange` of the endpoint. */
  readonly onChange: OnChange<Context>
  /** Returns why a user has roles; an empty list without an account. */
  readonly explain: (user: string, transaction: Context) => Promise<readonly Grant<Role>[]>
  /**
   * Compares the access of every user with the stored one, and repairs it. Each user has a transaction of its own, which
   * locks the user, so writes run in between.
   *
   * @param endpoint the endpoint with this projection
   * @param context the context of a client, which names its tenant
   */
  readonly reconcile: (
    endpoint: TransactingEndpoint<Context>,
    context: Context,
  ) => Promise<Reconciled>
}

/**
 * Keeps the accounts and the roles of an application equal to the users and groups that a client provisions.
 *
 * A new user is linked to an account by an attribute that you name, and only if your application has verified its value:
 * otherwise a client could take over an account with its address. Groups give roles. A deactivated or deleted user loses
 * everything in the same transaction. `409 uniqueness` rejects a user whose account belongs to another user or is not
 * verified. A user in more than 1,000 groups is `400 tooMany`.
 *
 * The resource types are `User` and `Group`; changes of others are ignored. A change of a group's members costs a few queries for each member that it adds or removes, and a change of its name or
 * `externalId` for each of its members.
 *
 * @example
 * ```ts
 * import { type Access, projection } from '@plumbline/scim/access'
 *
 * const stored = new Map<string, Access<string, string>>()
 * const access = projection<object, string, string>({
 *   link: { attribute: 'externalId', find: () => null, create: ({ userName }) => `account of ${userName}` },
 *   roles: { 'displayName:Finance': 'billing', 'externalId:00g1': 'admin' },
 *   read: (user) => stored.get(user) ?? null,
 *   apply: ({ user, isDeleted, ...rest }) => void (isDeleted ? stored.delete(user) : stored.set(user, rest)),
 * })
 * await access.explain('u1', {}) //=> []
 * ```
 */
export function projection<Context extends object, Account, Role>({
  link,
  roles,
  read,
  apply,
}: ProjectionOptions<Context, Account, Role>): Projection<Context, Role> {
  /** Brings the stored access of a user up to date. Returns whether it was wrong. */
  const update = async (id: string, place: Place<Context>): Promise<boolean> => {
    const { resources, transaction } = place
    const user = await resources.read(USER, id, { lock: true })
    const before = await read(id, transaction)
    if (user === null) {
      if (before === null) return false
      const { account } = before
      await apply({ user: id, account, isActive: false, isDeleted: true, grants: [] }, transaction)
      return true
    }
    const account =
      before === null ? await linkAccount({ ...link, user, id, transaction }) : before.account
    const isActive = user.active !== false
    const grants = isActive ? await findGrants(id, { ...place, roles, before }) : []
    if (before !== null && before.isActive === isActive && areSame(before.grants, grants)) {
      return false
    }
    await apply({ user: id, account, isActive, isDeleted: false, grants }, transaction)
    return true
  }
  return {
    onChange: async (changes, { transaction, resources }) => {
      const [{ requestId } = { requestId: '' }] = changes
      const users = await affectedUsers(changes, resources)
      // Two writes that lock the same users lock them in the same order.
      for (const id of [...users].sort()) await update(id, { resources, transaction, requestId })
    },
    explain: async (user, transaction) => (await read(user, transaction))?.grants ?? [],
    reconcile: async ({ transact }, context) => {
      const repaired: string[] = []
      let checked = 0
      for (let next: string | null | undefined; next !== null; ) {
        const after = next
        const page = await transact(context, ({ page }) => page(USER, after))
        for (const id of page.ids) {
          const wasWrong = await transact(context, (resources, transaction) =>
            update(id, { resources, transaction, requestId: 'reconcile' }),
          )
          checked += 1
          if (wasWrong) repaired.push(id)
        }
        next = page.next
      }
      return { checked, repaired }
    },
  }
}

/** The ids of users whose access may have changed. */
async function affectedUsers(
  changes: readonly Change[],
  resources: ResourceReader,
): Promise<ReadonlySet<string>> {
  const users = new Set<string>()
  const groups = new Set<string>()
  for (const change of changes) {
    if (change.resourceType === USER) users.add(change.id)
    else if (change.resourceType !== GROUP) continue
    else if ('added' in change) {
      for (const id of [...change.added, ...change.removed]) groups.add(id)
    } else if ('attributes' in change) groups.add(change.id)
  }
  // A member is a user, or a group whose members are affected in turn.
  for (const id of groups) {
    users.add(id)
    const group = await resources.read(GROUP, id)
    for (const member of membersOf(group)) groups.add(member)
  }
  return users
}

function membersOf(group: WireResource | null): readonly string[] {
  const members: unknown = group?.members
  return Array.isArray(members) ? members.map(({ value }) => String(value)) : []
}

function areSame<Role>(a: readonly Grant<Role>[], b: readonly Grant<Role>[]): boolean {
  const keysOf = (grants: readonly Grant<Role>[]) =>
    grants.map(({ role, because }) => JSON.stringify([role, because.group])).sort()
  return JSON.stringify(keysOf(a)) === JSON.stringify(keysOf(b))
}

const USER = 'User'
const GROUP = 'Group'
