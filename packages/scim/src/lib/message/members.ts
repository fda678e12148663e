import { memoize } from '@plumbline/base'
import { badRequest, type ScimError } from '../error.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { fold } from '../values/fold.ts'
import { requireFewUnknown } from '../values/member-count.ts'

/**
 * Reads a message's object, with members spelled as in `names` (RFC 7643 §2.1: names match in any letter case). The
 * members must be read with `own`. Throws a ScimError, `invalidSyntax`, naming the position.
 */
export function readMessageMembers(
  value: unknown,
  place: () => string,
  names: ReadonlySet<string>,
): Readonly<JsonObject> {
  if (!isJsonObject(value)) throw notAnObject(place())
  // Nearly all clients use the RFC's spelling, and then nothing is copied.
  for (const key in value) if (!names.has(key)) return spellMembers(value, place(), names)
  return value
}

function spellMembers(
  object: JsonObject,
  place: string,
  names: ReadonlySet<string>,
): Readonly<JsonObject> {
  const sent = Object.keys(object)
  requireFewUnknown(sent.length - names.size, place)
  const spellings = spellingsOf(names)
  const members = new Map<string, unknown>()
  for (const key of sent) {
    const folded = fold(key)
    const name = spellings.get(folded) ?? folded
    if (members.has(name)) {
      throw badRequest('invalidSyntax', `${place}: ${key} is duplicated in different letter case`)
    }
    members.set(name, object[key])
  }
  return Object.fromEntries(members)
}

/** Returns the names, keyed by folded name. */
const spellingsOf = memoize(
  (names: ReadonlySet<string>): ReadonlyMap<string, string> =>
    new Map([...names].map((name) => [fold(name), name])),
)

/** Returns the value. Throws a ScimError, `invalidSyntax`, unless it is a JSON object. */
export function requireObject(value: unknown, place: string): JsonObject {
  if (isJsonObject(value)) return value
  throw notAnObject(place)
}

function notAnObject(place: string): ScimError {
  return badRequest('invalidSyntax', `${place} must be a JSON object`)
}

/** Throws a ScimError, `invalidSyntax`, unless a message's `schemas` list its schema. */
export function requireSchema(schemas: unknown, urn: string): void {
  const listed =
    Array.isArray(schemas) &&
    schemas.some((one) => one === urn || (typeof one === 'string' && fold(one) === fold(urn)))
  if (!listed) throw badRequest('invalidSyntax', `schemas must list ${urn}`)
}
