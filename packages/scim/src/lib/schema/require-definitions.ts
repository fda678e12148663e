import { isJsonObject } from '../json.ts'
import type { AttributeType, Definitions } from './types.ts'

/**
 * Throws a TypeError starting with `place` unless a value has the form of definitions: at least one schema, each with
 * an `id` and attributes. Plain JavaScript may pass any value.
 */
export function requireDefinitions(place: string, value: unknown): asserts value is Definitions {
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    throw new TypeError(`${place} must be an object with at least the core schema`)
  }
  for (const [urn, schema] of Object.entries(value)) {
    const found = `${place}[${JSON.stringify(urn)}]`
    if (!isJsonObject(schema)) throw new TypeError(`${found} must be an object`)
    if (!isName(schema.id)) throw new TypeError(`${found}.id must be a URN`)
    requireAttributes(`${found}.attributes`, schema.attributes)
  }
}

function requireAttributes(place: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${place} must be a list`)
  for (const [at, attribute] of value.entries()) {
    const found = `${place}[${at}]`
    if (!isJsonObject(attribute)) throw new TypeError(`${found} must be an object`)
    const { name, type, encoding, subAttributes } = attribute
    if (!isName(name)) throw new TypeError(`${found}.name must be a string`)
    if (typeof type !== 'string' || !Object.hasOwn(TYPES, type)) {
      throw new TypeError(`${found}.type must be one of ${Object.keys(TYPES).join(', ')}`)
    }
    if (encoding !== undefined && encoding !== 'base64' && encoding !== 'base64url') {
      throw new TypeError(`${found}.encoding must be base64 or base64url`)
    }
    if (subAttributes !== undefined) requireAttributes(`${found}.subAttributes`, subAttributes)
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

const TYPES: Readonly<Record<AttributeType, true>> = {
  string: true,
  boolean: true,
  decimal: true,
  integer: true,
  dateTime: true,
  binary: true,
  reference: true,
  complex: true,
}
