import { unwrap } from '@plumbline/result'
import type { WireResource } from '../endpoint/store.ts'
import { own } from '../json.ts'
import { parsePath } from '../path/parse-path.ts'

/** An account with the value of a user's attribute. */
export interface Candidate<Account> {
  readonly account: Account
  /**
   * Whether the application itself has verified that the value belongs to the account, such as by a message to the
   * address or from the employer's data. An address merely typed by a person is not verified.
   */
  readonly isVerified: boolean
  /** The id of the user linked to the account; null without one. */
  readonly linkedTo: string | null
}

/** How users are linked to accounts. */
export interface LinkOptions<Context, Account> {
  /** The attribute whose values are looked up, such as `externalId`, `userName` or `emails.value`. */
  readonly attribute: string
  /** Finds the account with a value; null without one. */
  readonly find: (
    value: string,
    transaction: Context,
  ) => Promise<Candidate<Account> | null> | Candidate<Account> | null
  /** Creates an account for a user without one. If it is null, such a user is rejected. */
  readonly create: ((user: WireResource, transaction: Context) => Promise<Account> | Account) | null
}

/** Returns a new user's account; null for a user who must not be linked. */
export async function linkAccount<Context, Account>({
  attribute,
  find,
  create,
  user,
  id,
  transaction,
}: LinkOptions<Context, Account> & {
  readonly user: WireResource
  readonly id: string
  readonly transaction: Context
}): Promise<{ readonly account: Account } | null> {
  const found: Candidate<Account>[] = []
  for (const value of valuesOf(user, attribute)) {
    const candidate = await find(value, transaction)
    if (candidate !== null) found.push(candidate)
  }
  const [candidate] = found
  if (candidate === undefined && create !== null) {
    return { account: await create(user, transaction) }
  }
  const isFree = candidate?.linkedTo === null || candidate?.linkedTo === id
  const isOne = new Set(found.map(({ account }) => account)).size === 1
  const isSafe = isOne && isFree && found.every(({ isVerified }) => isVerified)
  return candidate === undefined || !isSafe ? null : { account: candidate.account }
}

/** Returns an attribute's strings. It may have several values. */
function valuesOf(user: WireResource, path: string): readonly string[] {
  const { schema, attribute, subAttribute } = unwrap(parsePath(path))
  const container = schema === null ? user : Object(own(user, schema))
  return [own(container, attribute)]
    .flat()
    .map((value) => (subAttribute === null ? value : own(Object(value), subAttribute)))
    .filter((value) => typeof value === 'string')
}
