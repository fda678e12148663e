import { memoize } from '@plumbline/base'
import { chunk } from '../chunk.ts'
import type { Change } from '../endpoint/changes/changes.ts'
import type { OnChange } from '../endpoint/changes/report-changes.ts'
import type { TransactingEndpoint } from '../endpoint/endpoint.ts'
import type { ResourceType } from '../endpoint/options/resource-type.ts'
import type { WireResource } from '../endpoint/options/store.ts'
import type { ResourceReader } from '../endpoint/read/resource-reader.ts'
import type { ScimError } from '../error.ts'
import {
  FEW,
  GROUP,
  type Grant,
  type GroupsById,
  rememberRoles,
  requireAccess,
  USER,
} from './grants.ts'
import { type AccountId, askMayManage, type RoleId } from './link.ts'
import { type ProjectionOptions, requireProjection, requireTypes } from './options.ts'
import { type Reconciled, reconcile, type Update } from './reconcile.ts'
import { updateAccess } from './update.ts'

/** Users and groups as an application's accounts and roles. */
export interface Projection<Context extends object, Role extends RoleId> {
  /**
   * The endpoint's `onChange`. It checks the endpoint's resource types when the endpoint is made. A function of your own
   * that calls it passes on `requireTypes`, or the check runs at the first write.
   */
  readonly onChange: OnChange<Context>
  /** Returns why a user has roles; an empty list without an account, or if the tenant may not manage it. */
  readonly explain: (user: string, context: Context) => Promise<readonly Grant<Role>[]>
  /**
   * Compares every user's access with the stored one, and repairs it. The access of users who no longer exist ends. Each
   * 100 users have one transaction, which locks them, so writes run in between. The result reports users who cannot be
   * linked or are in too many groups.
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
 * Keeps an application's accounts and roles equal to the users and groups a client provisions.
 *
 * A new user is linked to an account through an attribute you name, and only if two answers are exactly `true`: your
 * application has verified that the value belongs to the account, and this tenant may manage the account. Otherwise a
 * client could take over an account with that account's address. Groups give roles. A deactivated or deleted user loses
 * everything in the same transaction. `409 uniqueness` rejects a user whose account belongs to another user, is not
 * verified or is not managed by the tenant. A user in more than 1,000 groups, or with more than 100 values to look up,
 * is `400 tooMany`.
 *
 * Only a unique index on the link keeps requests at the same time from linking one account twice. A violation is
 * `409 uniqueness`.
 *
 * The resource types are `User` and `Group`; changes to others are ignored. When a group's members change, the access
 * of the added and removed members is read and stored together, 100 members at a time. When the name or `externalId`
 * changes, so is every member's access.
 *
 * Throws a `TypeError` for a wrong option. A callback that returns the wrong type is a `500`.
 *
 * @example
 * ```ts
 * import { type Access, projection } from '@plumbline/scim/access'
 *
 * const stored = new Map<string, Access<string, string>>()
 * const access = projection<{ tenant: string }, string, string>({
 *   link: {
 *     attribute: 'externalId',
 *     find: () => null,
 *     mayManage: (account, { tenant }) => account.endsWith(` of ${tenant}`),
 *     create: ({ userName }, { tenant }) => `${userName} of ${tenant}`,
 *   },
 *   roles: ({ displayName }) => (displayName === 'Finance' ? ['billing'] : []),
 *   read: () => stored,
 *   stored: () => [],
 *   apply: (changes) => {
 *     for (const { user, isDeleted, ...rest } of changes) {
 *       if (isDeleted) stored.delete(user)
 *       else stored.set(user, rest)
 *     }
 *   },
 * })
 * await access.explain('u1', { tenant: 'acme' }) //=> []
 * ```
 */
export function projection<Context extends object, Account extends AccountId, Role extends RoleId>(
  options: ProjectionOptions<Context, Account, Role>,
): Projection<Context, Role> {
  const path = requireProjection(options)
  const nodeOf = memoize((types: readonly ResourceType<never>[]) =>
    requireTypes(types, { attribute: options.link.attribute, path }),
  )
  const update: Update<Context, Role> = async (users, { resources, transaction, ...rest }) => {
    const above: GroupsById = new Map()
    const node = nodeOf(resources.resourceTypes)
    const open = whileOpen(options, resources)
    const rolesOf = rememberRoles(open.roles, transaction)
    const place = { resources, transaction, ...rest, above, node, rolesOf }
    const wrong: string[] = []
    if (users.length > 0) await resources.lock(USER, users)
    for (const some of chunk(users, FEW)) {
      for (const id of await updateAccess(some, place, open)) wrong.push(id)
    }
    return wrong
  }
  const onChange: OnChange<Context> = async (changes, { transaction, resources }) => {
    const [{ requestId } = { requestId: '' }] = changes
    const idsOf = (wanted: string) =>
      new Set(changes.flatMap(({ type, id }) => (type === wanted ? id : [])))
    const write = { created: idsOf('user.created'), deleted: idsOf('user.deleted') }
    const users = await affectedUsers(changes, resources)
    const requested = requestedUsers(changes)
    const addsMembers = changes.some((change) => 'added' in change && change.added.length > 0)
    // Other users keep what they have, so that they do not block the removal of other users' access.
    const onRefusal = (user: string, why: ScimError) => {
      if (requested.has(user) || (why.scimType === 'tooMany' && addsMembers)) throw why
    }
    await update(users, { resources, transaction, requestId, write, onRefusal })
  }
  return {
    onChange: Object.assign(onChange, {
      requireTypes: (types: readonly ResourceType<never>[]) => void nodeOf(types),
    }),
    explain: async (user, context) => {
      const found = requireAccess(await options.read([user], context), [user]).get(user)
      if (found === undefined) return []
      const isManaged = await askMayManage(options.link.mayManage, found.account, context)
      return isManaged ? found.grants : []
    },
    reconcile: ({ transact }, context) =>
      reconcile<Context, Role>(update, options.stored, (work) => transact(context, work)),
  }
}

/** Lets no callback run after the write is over: what it stores would stay after the rollback. */
function whileOpen<Context extends object, Account extends AccountId, Role extends RoleId>(
  { link, roles, read, stored, apply }: ProjectionOptions<Context, Account, Role>,
  resources: ResourceReader,
): ProjectionOptions<Context, Account, Role> {
  const checked =
    <Parameters extends readonly unknown[], Result>(callback: (...all: Parameters) => Result) =>
    (...all: Parameters): Result => {
      resources.throwIfOver()
      return callback(...all)
    }
  return {
    link: {
      attribute: link.attribute,
      find: checked(link.find),
      mayManage: checked(link.mayManage),
      create: link.create === null ? null : checked(link.create),
    },
    roles: checked(roles),
    read: checked(read),
    stored,
    apply: checked(apply),
  }
}

/** Returns the ids of users for whom a write asks for access: new, reactivated and added to a group. */
function requestedUsers(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(
    changes.flatMap((change) => {
      if ('added' in change) return change.added
      return change.type === 'user.created' || change.type === 'user.reactivated' ? change.id : []
    }),
  )
}

/** Returns the ids of users whose access may have changed. */
async function affectedUsers(
  changes: readonly Change[],
  resources: ResourceReader,
): Promise<readonly string[]> {
  const users = new Set<string>()
  const groups: string[] = []
  const members = new Set<string>()
  for (const change of changes) {
    if (change.resourceType === USER) users.add(change.id)
    else if (change.resourceType !== GROUP) continue
    else if ('added' in change) {
      for (const ids of [change.added, change.removed]) {
        // A store may keep the letter case of the client.
        for (const id of ids) for (const one of [id, id.toLowerCase()]) members.add(one)
      }
    } else if ('attributes' in change) groups.push(change.id)
  }
  // A member is a user, or a group whose members are affected in turn.
  for (let ids = [...groups, ...members]; ids.length > 0; ) {
    const found = [...(await resources.readAll(GROUP, ids, ['id'])).keys()]
    const below: string[] = []
    for (const group of found) {
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
