import { optionFault } from '@plumbline/base'
import { chunk } from '../chunk.ts'
import type { ResourceReader } from '../endpoint/read/resource-reader.ts'
import { ScimError } from '../error.ts'
import { FEW, USER } from './grants.ts'
import type { RoleId } from './link.ts'
import type { ProjectionOptions } from './options.ts'
import type { Place } from './update.ts'

/** A user whose access could not be updated. It stays as it is. */
export interface AccessFailure {
  /** The user's id. */
  readonly user: string
  /**
   * `uniqueness`: the user must not be linked to the account. `tooMany`: the user is in more than 1,000 groups, or has
   * more than 100 values to look up.
   */
  readonly scimType: ScimError['scimType']
  /** Why, for people, such as `mayManage returned false`. */
  readonly reason: string
}

/** The `reconcile` result. */
export interface Reconciled {
  /** The number of compared users, with those who no longer exist. */
  readonly checked: number
  /** The ids of users whose stored access was wrong. */
  readonly repaired: readonly string[]
  /** The users whose access could not be repaired. */
  readonly failed: readonly AccessFailure[]
}

/** Updates the access of users in one transaction. Returns the ids of users whose access was wrong. */
export type Update<Context, Role extends RoleId> = (
  users: readonly string[],
  place: Omit<Place<Context, Role>, 'above' | 'node' | 'rolesOf'>,
) => Promise<readonly string[]>

/** Compares every user with the stored access, and the stored access with the users. */
export async function reconcile<Context extends object, Role extends RoleId>(
  update: Update<Context, Role>,
  stored: ProjectionOptions<Context, never, Role>['stored'],
  transact: <Value>(
    work: (resources: ResourceReader, transaction: Context) => Promise<Value>,
  ) => Promise<Value>,
): Promise<Reconciled> {
  const repaired: string[] = []
  const failed: AccessFailure[] = []
  let checked = 0
  const repair = async (ids: readonly string[]): Promise<void> => {
    const [user] = ids
    if (user === undefined) return
    try {
      const found = await transact(async (resources, transaction) => {
        // A transaction may run again.
        const failures: AccessFailure[] = []
        const onRefusal = (user: string, why: ScimError) => failures.push(failureOf(user, why))
        const place = { resources, transaction, requestId: 'reconcile', write: null, onRefusal }
        return { wrong: await update(ids, place), failures }
      })
      checked += ids.length
      repaired.push(...found.wrong)
      failed.push(...found.failures)
    } catch (error) {
      // The transaction of these users was undone because one of them was rejected.
      if (!(error instanceof ScimError) || error.status >= 500) throw error
      if (ids.length > 1) {
        for (const id of ids) await repair([id])
        return
      }
      checked += 1
      failed.push(failureOf(user, error))
    }
  }
  for (let next: string | null | undefined; next !== null; ) {
    const after = next
    const page = await transact(({ page }) => page(USER, after))
    await repair(page.ids)
    next = page.next
  }
  for (let last: string | null | undefined = null; last !== undefined; ) {
    const after = last
    const page = await transact(async (resources, transaction) => {
      const ids = requireStoredIds(await stored(after, transaction), after)
      const users = await resources.readAll(USER, ids, ['id'])
      return { last: ids.at(-1), missing: ids.filter((id) => !users.has(id)) }
    })
    for (const ids of chunk(page.missing, FEW)) await repair(ids)
    last = page.last
  }
  return { checked, repaired, failed }
}

function failureOf(user: string, { scimType, cause, message }: ScimError): AccessFailure {
  return { user, scimType, reason: typeof cause === 'string' ? cause : message }
}

/** Without progress, the loop would not end. */
function requireStoredIds(ids: readonly string[], after: string | null): readonly string[] {
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) {
    throw optionFault('the result of stored', "a list of users' ids (strings)", ids)
  }
  if (after === null || !ids.includes(after)) return ids
  throw new TypeError(`stored returned the user ${after} again: return the ids after it`)
}
