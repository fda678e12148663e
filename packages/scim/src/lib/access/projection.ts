import { chunk } from '../chunk.ts'
import type { Change } from '../endpoint/changes.ts'
import type { TransactingEndpoint } from '../endpoint/endpoint.ts'
import type { OnChange } from '../endpoint/options.ts'
import type { ResourceReader } from '../endpoint/reader.ts'
import type { WireResource } from '../endpoint/store.ts'
import { ScimError, uniquenessError } from '../error.ts'
import type { Grant, GroupsById } from './grants.ts'
import {
  type AccessFailure,
  GROUP,
  type Place,
  type ProjectionOptions,
  USER,
  updateAccess,
} from './update.ts'

/** The `reconcile` result. */
export interface Reconciled {
  /** The number of compared users. */
  readonly checked: number
  /** The ids of users whose stored access was wrong. */
  readonly repaired: readonly string[]
  /** The users whose access could not be repaired. */
  readonly failed: readonly AccessFailure[]
}

/** Users and groups as an application's accounts and roles. */
export interface Projection<Context extends object, Role> {
  /** The endpoint's `onChange`. */
  readonly onChange: OnChange<Context>
  /** Returns why a user has roles; an empty list without an account. */
  readonly explain: (user: string, transaction: Context) => Promise<readonly Grant<Role>[]>
  /**
   * Compares every user's access with the stored one, and repairs it. Each 100 users have one transaction, which locks
   * them, so writes run in between. The result reports users who cannot be linked or are in too many groups.
   *
   * @param endpoint the endpoint with this projection
   * @param context a client's context, which names its tenant
   */
  readonly reconcile: (
    endpoint: TransactingEndpoint<Context>,
    context: Context,
  ) => Promise<Reconciled>
}

/**
 * Keeps an application's accounts and roles equal to the users and groups provisioned by a client.
 *
 * A new user is linked to an account by an attribute you name, and only if your application has verified its value:
 * otherwise a client could take over an account with its address. Groups give roles. A deactivated or deleted user
 * loses everything in the same transaction. `409 uniqueness` rejects a user whose account belongs to another user or is
 * not verified. A user in more than 1,000 groups is `400 tooMany`.
 *
 * The resource types are `User` and `Group`; changes to others are ignored. When a group's members change, the access
 * of the added and removed members is read and stored together, 100 members at a time. When its name or `externalId`
 * changes, so is the access of all its members.
 *
 * @example
 * ```ts
 * import { type Access, projection } from '@plumbline/scim/access'
 *
 * const stored = new Map<string, Access<string, string>>()
 * const access = projection<object, string, string>({
 *   link: { attribute: 'externalId', find: () => null, create: ({ userName }) => `account of ${userName}` },
 *   roles: { 'displayName:Finance': 'billing', 'externalId:00g1': 'admin' },
 *   read: () => stored,
 *   apply: (changes) => {
 *     for (const { user, isDeleted, ...rest } of changes) {
 *       if (isDeleted) stored.delete(user)
 *       else stored.set(user, rest)
 *     }
 *   },
 * })
 * await access.explain('u1', {}) //=> []
 * ```
 */
export function projection<Context extends object, Account, Role>(
  options: ProjectionOptions<Context, Account, Role>,
): Projection<Context, Role> {
  const update = async (users: readonly string[], place: Omit<Place<Context>, 'above'>) => {
    const above: GroupsById = new Map()
    const wrong: string[] = []
    if (users.length > 0) await place.resources.lock(USER, users)
    for (const some of chunk(users, FEW)) {
      for (const id of await updateAccess(some, { ...place, above }, options)) wrong.push(id)
    }
    return wrong
  }
  return {
    onChange: async (changes, { transaction, resources }) => {
      const [{ requestId } = { requestId: '' }] = changes
      const users = await affectedUsers(changes, resources)
      const onFailure = ({ scimType }: AccessFailure) => {
        throw scimType === 'uniqueness' ? uniquenessError(options.link.attribute) : tooManyGroups()
      }
      await update(users, { resources, transaction, requestId, onFailure })
    },
    explain: async (user, transaction) =>
      (await options.read([user], transaction)).get(user)?.grants ?? [],
    reconcile: async ({ transact }, context) => {
      const repaired: string[] = []
      const failed: AccessFailure[] = []
      let checked = 0
      for (let next: string | null | undefined; next !== null; ) {
        const after = next
        const page = await transact(context, ({ page }) => page(USER, after))
        const found = await transact(context, async (resources, transaction) => {
          // A transaction may run again.
          const failures: AccessFailure[] = []
          const onFailure = (failure: AccessFailure) => failures.push(failure)
          const place = { resources, transaction, requestId: 'reconcile', onFailure }
          return { wrong: await update(page.ids, place), failures }
        })
        checked += page.ids.length
        repaired.push(...found.wrong)
        failed.push(...found.failures)
        next = page.next
      }
      return { checked, repaired, failed }
    },
  }
}

function tooManyGroups(): ScimError {
  return new ScimError(400, 'the user is in too many groups', { scimType: 'tooMany' })
}

/** Returns the ids of users whose access may have changed. */
async function affectedUsers(
  changes: readonly Change[],
  resources: ResourceReader,
): Promise<readonly string[]> {
  const users = new Set<string>()
  const members = new Set<string>()
  for (const change of changes) {
    if (change.resourceType === USER) users.add(change.id)
    else if (change.resourceType !== GROUP) continue
    else if ('added' in change) {
      for (const ids of [change.added, change.removed]) for (const id of ids) members.add(id)
    } else if ('attributes' in change) members.add(change.id)
  }
  // A member is a user, or a group whose members are affected in turn.
  for (let ids = [...members]; ids.length > 0; ) {
    const groups = [...(await resources.readAll(GROUP, ids, ['id'])).keys()]
    const below: string[] = []
    for (const group of groups) {
      for (const id of membersOf(await resources.read(GROUP, group))) {
        if (!members.has(id)) below.push(id)
        members.add(id)
      }
    }
    ids = below
  }
  for (const id of members) users.add(id)
  return [...users]
}

function membersOf(group: WireResource | null): readonly string[] {
  const members: unknown = group?.members
  return Array.isArray(members) ? members.map(({ value }) => String(value)) : []
}

/** How many users are read and stored together. */
const FEW = 100
