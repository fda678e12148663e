import { isFailure } from '@plumbline/result'
import { isJsonObject } from '../json.ts'
import type { ListQuery } from '../model.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { parsePath } from '../path/parse-path.ts'
import {
  type AttributeNode,
  attributeIndex,
  resolveAttribute,
  significantPart,
} from '../schema/attribute-index.ts'
import { definitionsFor } from '../schema/definitions-for.ts'
import type { AttributeType, Definitions } from '../schema/types.ts'
import { isPrimary } from '../schema/value-list.ts'
import { compareText } from '../values/code-point-order.ts'
import { fold } from '../values/fold.ts'
import { compareInstants, parseInstant } from '../values/instant.ts'
import { memberReader } from '../values/member.ts'
import { isLong, stepsOfText, type WorkBudget } from '../work-budget.ts'

/**
 * Returns the comparator that sorts wire resources by `sortBy` and `sortOrder`.
 *
 * A multi-valued attribute sorts by its primary value, or its first. Unassigned values come last ascending and first
 * descending. Without a `sortBy` that names a sortable attribute, all resources are equal. `Array.prototype.sort` is
 * stable, so equal resources keep their order. Members are read in any letter case. If the definitions contain several
 * core schemas, the one in `schemas` applies.
 *
 * @example
 * ```ts
 * import { compareResources } from '@plumbline/scim'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const users = [{ userName: 'c' }, {}, { userName: 'B' }]
 * const order = compareResources({ sortBy: 'userName', sortOrder: 'ascending' }, definitions)
 * users.sort(order) //=> [{ userName: 'B' }, { userName: 'c' }, {}]
 * ```
 * @see RFC 7644 §3.4.2.3
 */
export function compareResources(
  { sortBy, sortOrder }: Partial<Pick<ListQuery, 'sortBy' | 'sortOrder'>>,
  definitions: Definitions,
): (a: object, b: object) => number {
  const key = findSortKey(sortBy, definitions)
  if (key === null) return () => 0
  const { node, read } = key
  const order = orders[node.type](node)
  const sign = sortOrder === 'descending' ? -1 : 1
  return (a, b) => sign * compareKeys(read(a), read(b), order)
}

/** The value a resource is sorted by. */
export interface SortKey {
  /** Returns a resource's value; undefined if it is unassigned. */
  readonly read: (resource: object) => unknown
  /** Compares two values in the query order; null and undefined are unassigned. */
  readonly compare: (a: unknown, b: unknown) => number
}

/**
 * Creates the order of `compareResources` for a list: each key is read and folded only once. Without a sortable
 * attribute, all keys are equal.
 */
export function createSortOrder(
  { sortBy, sortOrder }: Partial<Pick<ListQuery, 'sortBy' | 'sortOrder'>>,
  definitions: Definitions,
): SortKey {
  const found = findSortKey(sortBy, definitions)
  if (found === null) return { read: () => undefined, compare: () => 0 }
  const { node, read } = found
  const isFolded = orders[node.type] === byTextOf && !node.caseExact
  const order = isFolded ? byText : orders[node.type](node)
  const sign = sortOrder === 'descending' ? -1 : 1
  return {
    read: (resource) => {
      const key = read(resource)
      return isFolded && key !== undefined ? fold(String(key)) : key
    },
    compare: (a, b) => sign * compareKeys(a, b, order),
  }
}

/** Spends the steps for comparing long keys while they are sorted. */
export function spendOnSort({ spend }: WorkBudget, keys: readonly unknown[]): void {
  const rounds = Math.ceil(Math.log2(keys.length + 1))
  for (const key of keys) {
    if (typeof key === 'string' && isLong(key)) spend(stepsOfText(key) * rounds)
  }
}

/** Returns the sort attribute, and the function that reads it; null without one. */
function findSortKey(
  sortBy: string | undefined,
  definitions: Definitions,
): { readonly node: AttributeNode; readonly read: Read } | null {
  const path = sortBy === undefined ? null : parsePath(sortBy)
  if (path === null || isFailure(path)) return null
  const node = resolveSortKey(path.data, definitions)
  return node && { node, read: createKeyReader(path.data, definitions) }
}

type Order = (a: unknown, b: unknown) => number
type Read = (resource: object) => unknown

/** Returns the attribute a path sorts by. */
function resolveSortKey(path: AttributePath, definitions: Definitions): AttributeNode | null {
  const node = resolveAttribute(attributeIndex(definitions), path)
  // RFC 7644 §3.4.2.3: a complex attribute sorts by its `value`.
  return node && significantPart(node)
}

/** Reads the sort key with each resource's definitions. */
function createKeyReader(path: AttributePath, definitions: Definitions): Read {
  const readers = new Map<Definitions, Read>()
  return (resource) => {
    const own = definitionsFor(definitions, resource)
    const known = readers.get(own)
    if (known) return known(resource)
    const node = resolveSortKey(path, own)
    const read = node === null ? () => undefined : createReader(node)
    readers.set(own, read)
    return read(resource)
  }
}

function compareKeys(a: unknown, b: unknown, order: Order): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null)
  return order(a, b)
}

/** Creates the function that reads a resource's sort value, or undefined. */
function createReader({ name, parent, schema: { container } }: AttributeNode): Read {
  const path = [container, parent?.name, name].flatMap((step) => (step ? memberReader(step) : []))
  return (resource) => {
    let value: unknown = resource
    for (const read of path) value = isJsonObject(value) ? preferred(read(value)) : undefined
    // A malformed resource may have an object where the definition has a simple value.
    return typeof value === 'object' || value === '' ? undefined : value
  }
}

/** Returns the primary value among several, or the first. */
function preferred(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.find(isPrimary) ?? value[0]
}

const byText: Order = (a, b) => compareText(String(a), String(b))
const byNumber: Order = (a, b) => Number(a) - Number(b)
const byTextOf = ({ caseExact }: AttributeNode): Order =>
  caseExact ? byText : (a, b) => byText(fold(String(a)), fold(String(b)))

const orders: Readonly<Record<AttributeType, (node: AttributeNode) => Order>> = {
  string: byTextOf,
  reference: byTextOf,
  binary: () => byText,
  boolean: () => byNumber,
  integer: () => byNumber,
  decimal: () => byNumber,
  dateTime: () => (a, b) => {
    const left = parseInstant(String(a))
    const right = parseInstant(String(b))
    return left && right ? compareInstants(left, right) : byText(a, b)
  },
  complex: () => () => 0,
}
