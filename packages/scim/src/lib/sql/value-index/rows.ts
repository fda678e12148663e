import type { WireResource } from '../../endpoint/store.ts'
import { isAssigned, own } from '../../json.ts'
import type { ValueKeys } from '../../predicate/columns.ts'
import type { IndexedAttribute } from './attributes.ts'

/** A row of an index, without the columns of its resource. */
export interface IndexRow {
  /** The path of the part; the start of the attribute's paths for a value without other rows. */
  readonly attribute: string
  /** The position of the value among those of the attribute. */
  readonly position: number
  readonly value_key: string | null
  readonly type_key: string | null
  readonly is_primary: boolean | null
}

/**
 * The rows of the values of a resource: one for each assigned part, and at least one for each value, so that conditions
 * also find values that lack a part.
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

/** The value that a resource has for an attribute. */
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
      // This row only shows that the column of some value contains a hash.
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
