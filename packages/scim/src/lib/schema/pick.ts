import { fold } from '../values/fold.ts'
import type { Attribute, SchemaDefinition } from './types.ts'

/**
 * Narrows a definition to the named attributes, in the definition order.
 *
 * `emails` selects the whole attribute, `emails.value` only that part of it. Letter case does not matter.
 * Throws a `TypeError` for a name the definition does not contain.
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

/** Removes the names it finds from `left`. */
function pick(attribute: Attribute, left: Set<string>): Attribute[] {
  const whole = left.delete(fold(attribute.name))
  const parts = (attribute.subAttributes ?? []).filter(({ name }) =>
    left.delete(fold(`${attribute.name}.${name}`)),
  )
  if (whole) return [attribute]
  return parts.length === 0 ? [] : [{ ...attribute, subAttributes: parts }]
}
