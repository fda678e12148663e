import {
  type Discovery,
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { isJsonObject, type JsonObject, objectsOf, stringsOf } from '../json.ts'
import type { Attribute } from './types.ts'

/**
 * Reads the definitions in a schemas document, as far as they can be understood: the discovery checks report what is
 * wrong with them. If the document lacks a schema of RFC 7643, it is taken from the standard.
 */
export function readSchemas(document: unknown): ReadonlyMap<string, Discovery.SchemaDefinition> {
  const found = new Map(STANDARD.map((definition) => [definition.id, definition]))
  const list = isJsonObject(document) ? objectsOf(document.Resources) : objectsOf(document)
  for (const { id, name, attributes } of list) {
    if (typeof id !== 'string') continue
    found.set(id, { id, name: String(name), attributes: readAttributes(attributes) })
  }
  return found
}

function readAttributes(value: unknown): Attribute[] {
  return objectsOf(value).flatMap((one) =>
    typeof one.name === 'string' ? [readAttribute(one.name, one)] : [],
  )
}

function readAttribute(name: string, one: JsonObject): Attribute {
  return {
    name,
    type: oneOf(TYPES, one.type, 'string'),
    multiValued: one.multiValued === true,
    required: one.required === true,
    caseExact: one.caseExact === true,
    mutability: oneOf(MUTABILITY, one.mutability, 'readWrite'),
    returned: oneOf(RETURNED, one.returned, 'default'),
    uniqueness: oneOf(UNIQUENESS, one.uniqueness, 'none'),
    canonicalValues: stringsOf(one.canonicalValues),
    referenceTypes: stringsOf(one.referenceTypes),
    subAttributes: readAttributes(one.subAttributes),
  }
}

function oneOf<Name extends string>(names: readonly Name[], value: unknown, otherwise: Name): Name {
  return names.find((name) => name === value) ?? otherwise
}

/** The data types of RFC 7643 §2.3. */
export const TYPES: readonly Discovery.AttributeType[] = [
  ...(['string', 'boolean', 'decimal', 'integer', 'dateTime', 'binary'] as const),
  ...(['reference', 'complex'] as const),
]

/** The characteristics of RFC 7643 §7. */
export const MUTABILITY = ['readOnly', 'readWrite', 'immutable', 'writeOnly'] as const
export const RETURNED = ['always', 'never', 'default', 'request'] as const
export const UNIQUENESS = ['none', 'server', 'global'] as const

const STANDARD = [USER_DEFINITION, GROUP_DEFINITION, ENTERPRISE_USER_DEFINITION]
