import { unwrap } from '@plumbline/result'
import { chunk } from '../../chunk.ts'
import { parseFilter } from '../../filter/parse.ts'
import type { Expression } from '../../filter/tree.ts'
import { createWorkBudget } from '../../work-budget.ts'
import type { Work } from '../core/exchange.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'
import { listResources } from './list.ts'

/** Returns the existing resources by id, with the named attributes. */
export async function readAll<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  ids: readonly string[],
  attributes?: readonly string[],
): Promise<ReadonlyMap<string, WireResource>> {
  const found = new Map<string, WireResource>()
  for (const some of chunk([...new Set(ids)], FEW)) {
    for (const resource of await listAll(work, type, isOneOf('id', some), attributes)) {
      found.set(String(resource.id), resource)
    }
  }
  return found
}

/** Lists all resources matching a filter. */
export async function listAll<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  filter: Expression,
  attributes: readonly string[] | undefined,
): Promise<readonly WireResource[]> {
  const found: WireResource[] = []
  for (;;) {
    const { resources, totalResults = 0 } = await listResources(withOwnBudget(work), type, {
      filter,
      attributes,
      sortOrder: 'ascending',
      startIndex: found.length + 1,
      count: work.exchange.limits.maxCount,
    })
    for (const { text } of resources) found.push(JSON.parse(text))
    if (resources.length === 0 || found.length >= totalResults) return found
  }
}

/** Builds a filter for resources with one of the values. */
function isOneOf(path: string, values: readonly string[]): Expression {
  return unwrap(
    parseFilter(values.map((value) => `${path} eq ${JSON.stringify(value)}`).join(' or ')),
  )
}

/** Each list the application requests has a separate budget: the client's request did not ask for it. */
export function withOwnBudget<Context>(work: Work<Context>): Work<Context> {
  return { ...work, budget: createWorkBudget(work.exchange.limits.steps) }
}

/** How many ids are looked up together. */
export const FEW = 100
