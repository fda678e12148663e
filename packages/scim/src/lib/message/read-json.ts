import { badRequest, type ScimError } from '../error.ts'
import { hasLargeObject } from './large-objects.ts'

/**
 * Parses JSON. Throws a SyntaxError if it is not JSON, and a ScimError for an object with more than 5,000 members
 * (`tooMany`) or a lone surrogate (`invalidSyntax`).
 */
export function readJson(text: string): unknown {
  if (hasLargeObject(text, MAX_MEMBERS)) throw tooManyMembers()
  const value: unknown = JSON.parse(text)
  // UTF-8 cannot encode a lone surrogate, so it can only be an escape. Most bodies contain no escapes.
  if (SURROGATE_ESCAPE.test(text) && !isWellFormed(value)) throw loneSurrogate()
  return value
}

/** Parses JSON text inside a body, as `readJson` does. Returns the text itself if it is not JSON. */
export function readJsonText(text: string): unknown {
  try {
    const value = readJson(text)
    if (isWithin(value, MAX_DEPTH)) return value
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
  throw badRequest('invalidSyntax', `a value nests deeper than ${MAX_DEPTH}`)
}

/** Whether a JSON value nests at most this deep. */
export function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((member) => isWithin(member, depth - 1))
}

/** Whether all strings in a JSON value are well-formed. Not recursive, because JSON may nest deeply. */
function isWellFormed(json: unknown): boolean {
  const left: unknown[] = [json]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && !value.isWellFormed()) return false
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (!name.isWellFormed()) return false
      left.push(member)
    }
  }
  return true
}

function tooManyMembers(): ScimError {
  return badRequest('tooMany', `an object in the body has more than ${MAX_MEMBERS} members`)
}

function loneSurrogate(): ScimError {
  return badRequest(
    'invalidSyntax',
    'the body contains a string with a lone surrogate, which is not valid Unicode',
  )
}

/** How deep a bulk request, or JSON text inside a body, may nest. */
export const MAX_DEPTH = 64
/** More than all attributes of a type, together with the ignored unknown ones. */
const MAX_MEMBERS = 5_000
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/
