import { isAssigned, isJsonObject, own } from '../json.ts'
import type { Attribute, Definitions } from '../schema/types.ts'
import { stringifyCanonical } from '../values/canonical.ts'
import { compareText } from '../values/code-point-order.ts'
import { parseInstant } from '../values/instant.ts'
import { type Field, fieldsOf, isReadable, isWritable, targetsOf } from './attributes.ts'

/**
 * Returns a line for each attribute that a client can write and read and whose value differs from the
 * expected one. The order of values, other forms of the same instant and `primary: false` are not differences.
 */
export function differences(
  definitions: Definitions,
  expected: object,
  actual: object,
): readonly string[] {
  return comparedFields(definitions).flatMap((field) => {
    const [wanted, found] = [textOf(field, expected), textOf(field, actual)]
    return wanted === found ? [] : [`${field.path}: expected ${wanted}, came ${found}`]
  })
}

/** The attributes that a client can write and read. */
export function comparedFields(definitions: Definitions): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ parent, attribute }) => parent === null && isWritable(attribute) && isReadable(attribute),
  )
}

/** The value of an attribute as JSON that is equal for equal values, or `unassigned`. */
export function textOf(field: Field, resource: object): string {
  return JSON.stringify(canonical(field.attribute, readAttribute(resource, field))) ?? UNASSIGNED
}

/** The text of an attribute without a value. */
export const UNASSIGNED = 'unassigned'

/** The value of an attribute in a wire resource. */
export function readAttribute(
  resource: object,
  { container, attribute }: Pick<Field, 'container' | 'attribute'>,
): unknown {
  const holder = container === null ? resource : own(resource, container)
  return isJsonObject(holder) ? own(holder, attribute.name) : undefined
}

/** The value in the form in which equal values are equal JSON; undefined if it is unassigned. */
function canonical(attribute: Attribute, value: unknown): unknown {
  if (!isAssigned(value)) return undefined
  if (!attribute.multiValued) return canonicalOne(attribute, value)
  const elements = (Array.isArray(value) ? value : [value])
    .map((element) => canonicalOne(attribute, element))
    .filter((element) => element !== undefined)
  return elements.length === 0 ? undefined : elements.sort(byCanonicalText)
}

function canonicalOne(attribute: Attribute, value: unknown): unknown {
  if (attribute.type === 'dateTime' && typeof value === 'string') {
    const instant = parseInstant(value)
    return instant === null ? value : new Date(instant.milliseconds).toISOString()
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

function byCanonicalText(a: unknown, b: unknown): number {
  return compareText(stringifyCanonical(a), stringifyCanonical(b))
}
