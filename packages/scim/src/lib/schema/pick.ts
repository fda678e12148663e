import { fold } from '../values/fold.ts'
import type { Attribute, SchemaDefinition } from './types.ts'

/**
 * Narrows a definition to the attributes named, in the order of the definition.
 *
 * `emails` takes the attribute whole, `emails.value` only that part of it; letter case does not matter.
 * A name that the definition does not have is a mistake of the program and throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
 *
 * const narrow = pickAttributes(USER_DEFINITION, ['userName', 'emails.value'])
 * narrow.attributes.map(({ name }) => name) //=> ['userName', 'emails']
 * ```
 * @see RFC 7643 §7
 */
export function pickAttributes(
  definition: SchemaDefinition,
  names: readonly string[],
): SchemaDefinition {
  const left = new Set(names.map(fold))
  const attributes = definition.attributes.flatMap((attribute) => pick(attribute, left))
  const [unknown] = left
  if (unknown !== undefined) {
    throw new TypeError(
      `${definition.name} does not define an attribute ${JSON.stringify(unknown)}`,
    )
  }
  return { ...definition, attributes }
}

/** Takes the names that it finds out of `left`. */
function pick(attribute: Attribute, left: Set<string>): Attribute[] {
  const whole = left.delete(fold(attribute.name))
  const parts = (attribute.subAttributes ?? []).filter(({ name }) =>
    left.delete(fold(`${attribute.name}.${name}`)),
  )
  if (whole) return [attribute]
  return parts.length === 0 ? [] : [{ ...attribute, subAttributes: parts }]
}
