import type { WireResource } from '../../endpoint/options/store.ts'
import { isAssigned, own } from '../../json.ts'
import type { ValueKeys } from '../../predicate/columns.ts'
import type { IndexedAttribute } from './attributes.ts'

/** An index row, without the columns connecting it to the resource. */
export interface IndexRow {
  /** The part's path, or the attribute's path prefix for a value without other rows. */
  readonly attribute: string
  /** The value's position within the attribute. */
  readonly position: number
  readonly value_key: string | null
  readonly type_key: string | null
  readonly is_primary: boolean | null
}

/**
 * Builds a resource's index rows: one for each assigned part and at least one for each value, so conditions also find
 * values that lack a part.
 */
export function indexRows(
  attributes: readonly IndexedAttribute[],
  keys: ValueKeys,
  resource: WireResource,
): IndexRow[] {
  const rows: IndexRow[] = []
  for (const attribute of attributes) {
    const stored = storedValue(attribute, resource)
    if (!isAssigned(stored)) continue
    for (const [position, element] of (Array.isArray(stored) ? stored : [stored]).entries()) {
      addRows(attribute, keys, element, position, rows)
    }
  }
  return rows
}

/** Returns a resource's value for an attribute. */
export function storedValue(
  { container, name }: IndexedAttribute,
  resource: WireResource,
): unknown {
  return own(container === null ? resource : Object(own(resource, container)), name)
}

function addRows(
  { parts, isComplex, start }: IndexedAttribute,
  keys: ValueKeys,
  element: unknown,
  position: number,
  rows: IndexRow[],
): void {
  const before = rows.length
  let type_key: string | null = null
  let is_primary: boolean | null = null
  const made: (readonly [path: string, key: string])[] = []
  for (const part of parts.values()) {
    const value = isComplex ? own(Object(element), part.name) : element
    const of = keys.of(part, value)
    if (of === null) continue
    if (part.column === 'is_primary') is_primary = value === true
    else if (part.column === undefined)
      made.push([of.isWhole ? part.path : part.hashedPath, of.key])
    else {
      type_key = of.key
      // This row only records a hash in some value's column.
      if (!of.isWhole) made.push([part.hashedPath, of.key])
    }
  }
  for (const [attribute, value_key] of made) {
    rows.push({ attribute, position, value_key, type_key, is_primary })
  }
  if (rows.length === before) {
    rows.push({ attribute: start, position, value_key: null, type_key, is_primary })
  }
}
