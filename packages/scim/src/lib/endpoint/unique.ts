import { ScimError } from '../error.ts'
import { own } from '../json.ts'
import { fold } from '../values/fold.ts'
import type { Work } from './exchange.ts'
import { listResources } from './list.ts'
import type { ServedType } from './served-type.ts'
import type { WireResource } from './store.ts'

/**
 * Throws `409 uniqueness` if another resource has the value of an attribute that the profile of the client
 * requires to be unique. A value that the resource already has is accepted, because older resources may share it.
 */
export async function requireUnique<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  resource: WireResource,
  current: WireResource | null,
): Promise<void> {
  const { unique } = work.exchange.profile
  const attributes = Object.hasOwn(unique, type.name) ? (unique[type.name] ?? []) : []
  for (const attribute of attributes) {
    const value = own(resource, attribute)
    if (typeof value !== 'string' || (current && isSame(own(current, attribute), value))) continue
    const path = { schema: null, attribute, subAttribute: null }
    const filter = { type: 'compare', path, operator: 'eq', value } as const
    const page = { filter, startIndex: 1, count: 0, sortOrder: 'ascending' } as const
    const { totalResults = 0 } = await listResources(work, type, page)
    if (totalResults === 0) continue
    const detail = `the ${attribute} is already taken by another ${type.name.toLowerCase()}`
    throw new ScimError(409, detail, { scimType: 'uniqueness' })
  }
}

function isSame(before: unknown, after: string): boolean {
  return typeof before === 'string' && fold(before) === fold(after)
}
