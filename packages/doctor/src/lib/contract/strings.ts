import { isJsonObject, own } from '../json.ts'
import { type Field, isChangeable, isUnique } from '../model/fields.ts'
import { isReadable } from '../model/types.ts'
import type { Body, Served } from './world.ts'

/** A string that is longer than the usual columns. */
export const LONG: string = 'abcdefghijklmnopqrst'.repeat(50)

/** A copy of the resource whose free strings are the text. */
export function withStrings(resource: Body, type: Served, text: string): Body {
  const body = structuredClone(resource)
  for (const { container, attribute } of plainStrings(type)) {
    const holder = container === null ? body : (own(body, container) ?? {})
    if (!isJsonObject(holder)) continue
    holder[attribute.name] = text
    if (container !== null) body[container] = holder
  }
  return type.settle(body)
}

/** The single-valued strings a client may choose freely and that do not have to be unique. */
export function plainStrings({ fields }: Served): readonly Field[] {
  return fields.filter(
    ({ parent, attribute }) =>
      parent === null &&
      attribute.type === 'string' &&
      !attribute.multiValued &&
      !attribute.canonicalValues &&
      !attribute.required &&
      isChangeable(attribute) &&
      isReadable(attribute) &&
      !isUnique(attribute) &&
      !VALIDATED.has(attribute.name),
  )
}

/** Attributes a store may check against a list of its own (RFC 7643 §4.1.1), or that may be unique. */
const VALIDATED: ReadonlySet<string> = new Set([
  'externalId',
  'preferredLanguage',
  'locale',
  'timezone',
])
