import { optionFault } from '@plumbline/base'
import type { WireResource } from '../endpoint/options/store.ts'
import type { ResourceReader } from '../endpoint/read/resource-reader.ts'
import { type ScimError, uniquenessError } from '../error.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { isUniqueViolation } from '../unique-violation.ts'
import {
  type Access,
  type AccessChange,
  findGrants,
  type GroupsById,
  keyOf,
  readGroups,
  requireAccess,
  USER,
} from './grants.ts'
import {
  type AccountId,
  askMayManage,
  linkAccount,
  NOT_MANAGED,
  type RoleId,
  tooMany,
} from './link.ts'
import type { ProjectionOptions } from './options.ts'

/** A change's transaction, and the request that caused it. */
export interface Place<Context, Role extends RoleId> {
  readonly resources: ResourceReader
  readonly transaction: Context
  readonly requestId: string
  /** The attribute that links users. */
  readonly node: AttributeNode
  /** The groups above the groups already read in this transaction. */
  readonly above: GroupsById
  readonly rolesOf: (group: WireResource) => Promise<readonly Role[]>
  /** The ids of users the write created and deleted; null for `reconcile`. */
  readonly write: {
    readonly created: ReadonlySet<string>
    readonly deleted: ReadonlySet<string>
  } | null
  /** Receives why a user does not get access. It throws if the write must be rejected. */
  readonly onRefusal: (user: string, why: ScimError) => void
}

/** Brings the stored access of locked users up to date. Returns the ids of users whose access was wrong. */
export async function updateAccess<
  Context extends object,
  Account extends AccountId,
  Role extends RoleId,
>(
  ids: readonly string[],
  place: Place<Context, Role>,
  options: ProjectionOptions<Context, Account, Role>,
): Promise<readonly string[]> {
  const { resources, transaction, requestId, above, rolesOf, onRefusal } = place
  const stored = await readStored(ids, place, options)
  const users = await readUsers(ids, resources, stored)
  const active = ids.filter((id) => isActive(users.get(id)))
  const groups = await readGroups(active, resources, above)
  const wrong: string[] = []
  const changes: AccessChange<Account, Role>[] = []
  for (const id of ids) {
    const before = stored.get(id)
    const user = users.get(id)
    // The id of a group, or of a user of another tenant. If the user is gone, `reconcile` ends the access.
    if (user === undefined && place.write?.deleted.has(id) === false) continue
    const found = groups.get(id) ?? []
    const { grants, isComplete } = await findGrants(found, { above, requestId, rolesOf, before })
    if (!isComplete) {
      onRefusal(id, tooMany('the user is in more than 1,000 groups'))
      if (place.write === null) continue
    }
    const after = { user: id, isActive: isActive(user), isDeleted: user === undefined, grants }
    if (before === undefined) {
      if (user === undefined) continue
      const why = await link(user, after, place, options)
      if (why !== null) {
        onRefusal(id, why)
        continue
      }
    } else if (!(await isManaged(before, place, options))) {
      onRefusal(id, uniquenessError(null, { cause: NOT_MANAGED }))
      continue
    } else if (after.isDeleted || !isSame(before, after)) {
      changes.push({ ...after, account: before.account })
    } else continue
    wrong.push(id)
  }
  if (changes.length > 0) await options.apply(changes, transaction)
  return wrong
}

/** Reads the users' stored access. */
async function readStored<Context extends object, Account extends AccountId, Role extends RoleId>(
  ids: readonly string[],
  { transaction, write }: Place<Context, Role>,
  { link, read, apply }: ProjectionOptions<Context, Account, Role>,
): Promise<ReadonlyMap<string, Access<Account, Role>>> {
  const stored = requireAccess(await read(ids, transaction), ids)
  for (const [user, { account }] of stored) {
    if (!write?.created.has(user)) continue
    // The id was given again: the access is that of a user who was deleted without the endpoint.
    if (!(await askMayManage(link.mayManage, account, transaction))) throw new TypeError(SAME_ID)
    await apply([{ user, account, isActive: false, isDeleted: true, grants: [] }], transaction)
    stored.delete(user)
  }
  return stored
}

/** Links a user to an account. Returns null, or why the user must not be linked. */
async function link<Context extends object, Account extends AccountId, Role extends RoleId>(
  user: WireResource,
  after: Omit<AccessChange<Account, Role>, 'account'>,
  { node, transaction: context }: Place<Context, Role>,
  { link, apply }: ProjectionOptions<Context, Account, Role>,
): Promise<ScimError | null> {
  try {
    const linked = await linkAccount(link, { user, id: after.user, node, context })
    if (!('account' in linked)) return linked
    // Stored before the next user is linked, because that user may have the same account's address.
    await apply([{ ...after, ...linked }], context)
    return null
  } catch (error) {
    // Another request has linked or created the account.
    if (isUniqueViolation(error)) throw uniquenessError(link.attribute, { cause: error })
    throw error
  }
}

/**
 * `reconcile` asks again whether the tenant may manage each account: it may have lost a domain, and `stored` may return
 * the users of another tenant. A write does not ask, so that a deactivation is never rejected.
 */
async function isManaged<Context extends object, Account extends AccountId, Role extends RoleId>(
  { account }: Access<Account, Role>,
  { write, transaction }: Place<Context, Role>,
  { link }: ProjectionOptions<Context, Account, Role>,
): Promise<boolean> {
  return write !== null || (await askMayManage(link.mayManage, account, transaction))
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

/** RFC 7643 §4.1.1 leaves the default to the server: a user without the attribute is active. */
function isActive(user: WireResource | undefined): boolean {
  if (user === undefined) return false
  const active = user.active ?? true
  if (typeof active === 'boolean') return active
  throw optionFault('active in the store of User', 'true or false', active)
}

type Compared = Pick<Access<AccountId, RoleId>, 'isActive' | 'grants'>

function isSame(a: Compared, b: Compared): boolean {
  const keysOf = ({ grants }: Compared) => JSON.stringify(grants.map(keyOf).sort())
  return a.isActive === b.isActive && keysOf(a) === keysOf(b)
}

const SAME_ID =
  'read returned access for a new user, to an account of another tenant: no two users may ever have one id'
