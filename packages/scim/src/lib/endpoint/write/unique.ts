import { uniquenessError } from '../../error.ts'
import { own } from '../../json.ts'
import { fold } from '../../values/fold.ts'
import { areSameValues } from '../../values/same.ts'
import type { Work } from '../core/exchange.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'
import { listResources } from '../read/list.ts'

/**
 * Throws `409 uniqueness` if another resource has the same value in an attribute the client's profile requires to be
 * unique. A value the resource already has is accepted, because older resources may share it.
 */
export async function requireUnique<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  resource: WireResource,
  current: WireResource | null,
): Promise<void> {
  const { unique } = work.exchange.profile
  const attributes = Object.hasOwn(unique, type.name) ? (unique[type.name] ?? []) : []
  // Uniqueness is checked with a search before the write, so both are in one turn.
  if (attributes.length > 0) await work.hold(type, '')
  for (const attribute of attributes) {
    const value = own(resource, attribute)
    const node = type.index.core.attributes.get(fold(attribute)) ?? null
    const before = current && own(current, attribute)
    if (typeof value !== 'string' || areSameValues(node, before, value)) continue
    const path = { schema: null, attribute, subAttribute: null }
    const filter = { type: 'compare', path, operator: 'eq', value } as const
    const page = { filter, startIndex: 1, count: 0, sortOrder: 'ascending' } as const
    const { totalResults = 0 } = await listResources(work, type, page)
    if (totalResults > 0) throw uniquenessError(attribute)
  }
}
