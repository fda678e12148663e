import type { Operator } from '../filter/tree.ts'
import type { KeyType } from './columns.ts'
import { always, compare, never } from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a string with a key stored as another type, such as an `id` in a number column. */
export function translateKey(
  { name, type }: { readonly name: string; readonly type: KeyType },
  operator: Operator,
  value: string,
): Translation {
  if (operator !== 'eq' && operator !== 'ne') {
    return { reason: `${operator} requires a column of strings`, superset: null }
  }
  const key = parseKey(value, type)
  if (key === null) return { exact: operator === 'eq' ? never(name) : always(name) }
  return { exact: compare(name, operator, key) }
}

/** Parses a key; null if no row can have it. */
export function parseKey(value: string, type: KeyType): string | bigint | null {
  if (type === 'uuid') return UUID.test(value) ? value : null
  if (!INTEGER.test(value)) return null
  const key = BigInt(value)
  return key >= -MAX_INTEGER - 1n && key <= MAX_INTEGER ? key : null
}

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/
const MAX_INTEGER = 2n ** 63n - 1n
/** Keys as databases write them. A key in another letter case is another string. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
