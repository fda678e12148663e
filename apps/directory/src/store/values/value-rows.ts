import type { WireResource } from '../list/list.ts'
import type { IndexedAttribute, IndexedPart } from './indexed-attributes.ts'
import { numberKey, textKey, type ValueKey } from './value-key.ts'

/** A row of the index, without the resource. */
export interface ValueRow {
  /** The path of the part; the start of the attribute's paths for an element without other rows. */
  readonly attribute: string
  /** The position of the element among the values of the attribute. */
  readonly position: number
  readonly value_key: string | null
  readonly type_key: string | null
  readonly is_primary: boolean | null
}

/**
 * The rows of the elements of a resource: one for each assigned part, and at least one for each element, so that
 * conditions also find elements that lack a part.
 */
export function valueRows(
  attributes: readonly IndexedAttribute[],
  resource: WireResource,
): ValueRow[] {
  const rows: ValueRow[] = []
  for (const attribute of attributes) {
    for (const [position, element] of elementsOf(attribute, resource).entries()) {
      addRows(attribute, element, position, rows)
    }
  }
  return rows
}

/** The stored value of an attribute. */
export function storedValue(
  { container, name }: IndexedAttribute,
  resource: WireResource,
): unknown {
  return container === null ? own(resource, name) : own(own(resource, container), name)
}

function elementsOf(attribute: IndexedAttribute, resource: WireResource): readonly unknown[] {
  const value = storedValue(attribute, resource)
  // RFC 7643 §2.5: null is unassigned.
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function addRows(
  { parts, isComplex, start }: IndexedAttribute,
  element: unknown,
  position: number,
  rows: ValueRow[],
): void {
  const before = rows.length
  let type_key: string | null = null
  let is_primary: boolean | null = null
  const keys: (readonly [path: string, key: string])[] = []
  for (const part of parts.values()) {
    const value = isComplex ? own(element, part.name) : element
    const made = keyOf(part, value)
    if (made === null) continue
    if (part.column === 'is_primary') is_primary = value === true
    else if (part.column === null) keys.push([made.isWhole ? part.path : part.hashedPath, made.key])
    else {
      type_key = made.key
      // This row only shows that the column of some element contains a hash.
      if (!made.isWhole) keys.push([part.hashedPath, made.key])
    }
  }
  for (const [attribute, value_key] of keys) {
    rows.push({ attribute, position, value_key, type_key, is_primary })
  }
  if (rows.length === before) {
    rows.push({ attribute: start, position, value_key: null, type_key, is_primary })
  }
}

/** The key of a value; null if it is not assigned. */
export function keyOf({ kind, caseExact }: IndexedPart, value: unknown): ValueKey | null {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? textKey(caseExact ? value : value.toLowerCase()) : null
    case 'number':
      return typeof value === 'number' ? { key: numberKey(value), isWhole: true } : null
    case 'boolean':
      return typeof value === 'boolean' ? { key: String(value), isWhole: true } : null
  }
}

function own(value: unknown, name: string): unknown {
  const object: Readonly<Record<string, unknown>> = Object(value)
  return Object.hasOwn(object, name) ? object[name] : undefined
}
