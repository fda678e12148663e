import { storeRequest, type Work } from './exchange.ts'
import { kindOf, storeFault } from './faults.ts'
import type { ServedType } from './served-type.ts'

/** Returns only the values found among the members of the group being written. */
export async function findMembers<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  values: readonly string[],
): Promise<readonly string[]> {
  const request = storeRequest(work, {})
  const found: unknown = await type.store.findMembers?.(
    work.exchange.id,
    values,
    work.context,
    request,
  )
  if (Array.isArray(found) && found.every((value) => typeof value === 'string')) return found
  throw storeFault(type, 'findMembers', `${kindOf(found)} instead of a list of strings`)
}
