import { type Attribute, type ExaminedType, isReadable } from '../model/types.ts'

/** Finds a text of a type a client may change freely: not required, not unique, and returned by default. */
export function spareText({ definitions, schema }: ExaminedType): Attribute | undefined {
  return definitions[schema]?.attributes.find(
    (attribute) =>
      attribute.type === 'string' &&
      !attribute.multiValued &&
      !attribute.required &&
      (attribute.mutability ?? 'readWrite') === 'readWrite' &&
      (attribute.returned ?? 'default') === 'default' &&
      (attribute.uniqueness ?? 'none') === 'none' &&
      isReadable(attribute) &&
      !COMMON.includes(attribute.name),
  )
}

/** Finds a text of a type that never changes after it was set. */
export function immutableText({ definitions, schema }: ExaminedType): Attribute | undefined {
  return definitions[schema]?.attributes.find(
    (attribute) =>
      attribute.type === 'string' &&
      !attribute.multiValued &&
      attribute.mutability === 'immutable' &&
      isReadable(attribute),
  )
}

/** Common attributes (RFC 7643 §3.1), which some servers list in their schemas; and those with a format. */
const COMMON = ['id', 'externalId', 'locale', 'timezone', 'preferredLanguage']
