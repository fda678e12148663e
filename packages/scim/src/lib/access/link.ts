import { optionFault } from '@plumbline/base'
import type { WireResource } from '../endpoint/options/store.ts'
import { ScimError, uniquenessError } from '../error.ts'
import { isJsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'

/** The id of an application's account. Ids are compared as strings, so `1` and `'1'` are one account. */
export type AccountId = string | number | bigint

/** The id or the name of a role. Roles are compared as strings. */
export type RoleId = string | number | bigint

/** An account found with a user's attribute value. */
export interface Candidate<Account extends AccountId> {
  readonly account: Account
  /**
   * Whether the application itself has verified that the value belongs to the account, such as by a message to the
   * address or from the employer's data. An address that a person merely typed is not verified.
   */
  readonly isVerified: boolean
  /**
   * The id of the user linked to the account; null without one. If people have an account in several tenants and a link
   * in each, this is the link of the context's tenant.
   */
  readonly linkedTo: string | null
}

/** How users are linked to accounts. `context` is the context of the write's transaction, which names the tenant. */
export interface LinkOptions<Context, Account extends AccountId> {
  /** The attribute whose values are looked up, such as `externalId`, `userName` or `emails.value`. */
  readonly attribute: string
  /**
   * Finds the account with a value; null without one. Lock the account's row (`for update`), or have a unique index on
   * the link: nothing else keeps two requests at the same time from linking one account. Return null for an address outside
   * the tenant's domains: a user has several values, and a rejection would show which of them have an account.
   */
  readonly find: (
    value: string,
    context: Context,
  ) => Promise<Candidate<Account> | null> | Candidate<Account> | null
  /**
   * Returns whether this tenant may manage an account, such as by a verified domain or a membership. An address the
   * owner verified does not answer this: any customer can provision any address. It is asked when a user is linked, for
   * a created account too, and by `reconcile` and `explain`.
   */
  readonly mayManage: (account: Account, context: Context) => Promise<boolean> | boolean
  /**
   * Creates an account for a user without one. If it is null or returns null, the user is rejected. Return null for a user
   * without an address in the tenant's domains. Insert a row, and do not return one that exists: it was not verified that
   * it belongs to the user.
   */
  readonly create:
    | ((user: WireResource, context: Context) => Promise<Account | null> | Account | null)
    | null
}

/** Returns a new user's account, or the error for a user who must not be linked. */
export async function linkAccount<Context, Account extends AccountId>(
  { attribute, find, mayManage, create }: LinkOptions<Context, Account>,
  {
    user,
    id,
    node,
    context,
  }: {
    readonly user: WireResource
    readonly id: string
    readonly node: AttributeNode
    readonly context: Context
  },
): Promise<{ readonly account: Account } | ScimError> {
  const refuse = (cause: string) => uniquenessError(attribute, { cause })
  const values = valuesOf(user, node)
  if (values.size > MAX_VALUES) return tooMany(`${attribute}: more than ${MAX_VALUES} values`)
  const found: Candidate<Account>[] = []
  for (const value of values) {
    const candidate: unknown = await find(value, context)
    if (candidate !== null) found.push(requireCandidate<Account>(candidate))
  }
  const [first] = found
  if (first === undefined) {
    const created = create === null ? null : await create(user, context)
    if (created === null) return refuse('an account was neither found nor created')
    const account = requireAccount('the result of link.create', created)
    if (!(await askMayManage(mayManage, account, context))) throw new TypeError(CREATED)
    return { account }
  }
  const { account } = first
  if (found.some((one) => String(one.account) !== String(account))) {
    return refuse('the values belong to two accounts')
  }
  if (!found.every(({ isVerified }) => isVerified)) return refuse('isVerified is false')
  if (!found.every(({ linkedTo }) => linkedTo === null || linkedTo === id)) {
    return refuse('the account is linked to another user')
  }
  if (!(await askMayManage(mayManage, account, context))) return refuse(NOT_MANAGED)
  return { account }
}

/** Only `true` and `false` are answers. A driver may return the string `'false'` or a Buffer, which are truthy. */
export async function askMayManage<Context, Account extends AccountId>(
  mayManage: LinkOptions<Context, Account>['mayManage'],
  account: Account,
  context: Context,
): Promise<boolean> {
  return requireBoolean('the result of link.mayManage', await mayManage(account, context))
}

function requireCandidate<Account extends AccountId>(found: unknown): Candidate<Account> {
  if (!isJsonObject(found)) {
    throw optionFault('the result of link.find', 'an object or null', found)
  }
  const { account, isVerified, linkedTo } = found
  if (linkedTo !== null && typeof linkedTo !== 'string') {
    throw optionFault('linkedTo of link.find', "a user's id (a string) or null", linkedTo)
  }
  return {
    account: requireAccount('account of link.find', account as Account),
    isVerified: requireBoolean('isVerified of link.find', isVerified),
    linkedTo,
  }
}

/** Throws a TypeError unless a value is an account's id. */
export function requireAccount<Account extends AccountId>(place: string, id: Account): Account {
  if (isId(id)) return id
  throw optionFault(place, "an account's id (a string, an integer or a bigint)", id)
}

/** Returns whether a value is an id. Larger numbers would be rounded: two ids could be one. */
export function isId(value: unknown): value is AccountId | RoleId {
  return typeof value === 'string'
    ? value !== ''
    : typeof value === 'bigint' || Number.isSafeInteger(value)
}

/** Throws a TypeError unless a value is a boolean. */
export function requireBoolean(place: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw optionFault(place, 'true or false', value)
}

export function tooMany(detail: string): ScimError {
  return new ScimError(400, detail, { scimType: 'tooMany' })
}

/** Returns an attribute's different strings. It may have several values. */
function valuesOf(user: WireResource, { schema, parent, name }: AttributeNode): Set<string> {
  const container = schema.container === null ? user : Object(own(user, schema.container))
  const found = [own(container, (parent ?? { name }).name)]
    .flat()
    .map((value) => (parent === null ? value : own(Object(value), name)))
  return new Set(
    found.filter((value) => typeof value === 'string').filter((one) => one.trim() !== ''),
  )
}

/** Why an account is not linked, or its access not repaired. */
export const NOT_MANAGED = 'mayManage returned false'
const CREATED =
  'link.create returned an account that link.mayManage does not permit: insert a new account, with what mayManage checks'
/** Each value is a call of `find`. */
const MAX_VALUES = 100
