import { isAssigned, isJsonObject, own } from '../json.ts'
import { type Field, readAttribute, targetsOf } from '../model/fields.ts'
import { type Attribute, isReadable, isWritable } from '../model/types.ts'
import { isDateTime } from './value-faults.ts'

/**
 * Returns a line for each attribute a client can write and read and whose value differs from the
 * expected one. The order of values, other forms of the same instant and `primary: false` are not differences.
 */
export function differences(
  fields: readonly Field[],
  expected: object,
  actual: object,
): readonly string[] {
  return comparedFields(fields).flatMap((field) => {
    const [wanted, found] = [textOf(field, expected), textOf(field, actual)]
    return wanted === found ? [] : [`${field.path}: expected ${wanted}, came ${found}`]
  })
}

/** The attributes a client can write and read. */
export function comparedFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    ({ parent, attribute }) => parent === null && isWritable(attribute) && isReadable(attribute),
  )
}

/** Formats an attribute's value as JSON, the same for equal values, or as `unassigned`. */
export function textOf(field: Field, resource: object): string {
  return JSON.stringify(canonical(field.attribute, readAttribute(resource, field))) ?? UNASSIGNED
}

/** The text of an attribute without a value. */
export const UNASSIGNED = 'unassigned'

/** The value in the form in which equal values are equal JSON; undefined if it is unassigned. */
function canonical(attribute: Attribute, value: unknown): unknown {
  if (!isAssigned(value)) return undefined
  if (!attribute.multiValued) return canonicalOne(attribute, value)
  const elements = (Array.isArray(value) ? value : [value])
    .map((element) => canonicalOne(attribute, element))
    .filter((element) => element !== undefined)
  return elements.length === 0 ? undefined : elements.sort(byText)
}

function canonicalOne(attribute: Attribute, value: unknown): unknown {
  if (attribute.type === 'dateTime' && typeof value === 'string') {
    return isDateTime(value) ? new Date(value).toISOString() : value
  }
  if (attribute.type !== 'complex' || !isJsonObject(value)) return value
  const isReference = targetsOf(attribute).length > 0
  const parts: Record<string, unknown> = {}
  for (const part of attribute.subAttributes ?? []) {
    if (!isWritable(part) || !isReadable(part) || (isReference && part.name !== 'value')) continue
    const found = canonical(part, own(value, part.name))
    if (found === undefined || (part.name === 'primary' && found === false)) continue
    parts[part.name] = found
  }
  return Object.keys(parts).length === 0 ? undefined : parts
}

/** Orders values by their JSON, in which the parts follow the definitions' order. */
function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
