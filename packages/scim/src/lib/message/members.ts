import { badRequest } from '../error.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { fold } from '../values/fold.ts'

/**
 * The members of an object of a message by folded name (RFC 7643 §2.1: names match in any letter case).
 * Throws a ScimError, `invalidSyntax`, that names the position.
 */
export function readMessageMembers(value: unknown, place: string): ReadonlyMap<string, unknown> {
  const object = requireObject(value, place)
  const members = new Map<string, unknown>()
  for (const key of Object.keys(object)) {
    const name = fold(key)
    if (members.has(name)) {
      throw badRequest('invalidSyntax', `${place}: ${key} is duplicated in different letter case`)
    }
    members.set(name, object[key])
  }
  return members
}

/** Returns the value. Throws a ScimError, `invalidSyntax`, unless it is a JSON object. */
export function requireObject(value: unknown, place: string): JsonObject {
  if (isJsonObject(value)) return value
  throw badRequest('invalidSyntax', `${place} must be a JSON object`)
}

/** Throws a ScimError, `invalidSyntax`, unless the `schemas` of a message list its schema. */
export function requireSchema(schemas: unknown, urn: string): void {
  const listed =
    Array.isArray(schemas) &&
    schemas.some((one) => one === urn || (typeof one === 'string' && fold(one) === fold(urn)))
  if (!listed) throw badRequest('invalidSyntax', `schemas must list ${urn}`)
}
