import type { Cursor } from './cursor.ts'

/** The run of letters at the cursor, for keywords and operators; empty where there is none. */
export function parseWord(cursor: Cursor): string {
  return cursor.takeWhile(LETTERS)
}

// ATTRNAME = ALPHA *(nameChar); nameChar = "$" / "-" / "_" / DIGIT / ALPHA (RFC 7643 §2.1)
export function parseName(cursor: Cursor): string {
  // `$ref` is a name of RFC 7643 though the grammar starts every name with a letter.
  if (NAME_START[cursor.peek()] !== 1) cursor.fail('an attribute name')
  return cursor.takeWhile(NAME)
}

/**
 * The schema URN before an attribute name, or null; the last colon is the one between them.
 * The version of a URN holds a dot, so that a name cannot be told from a URN before the last colon.
 */
export function parseSchema(cursor: Cursor): string | null {
  const start = cursor.position
  const schema = cursor.takeUntilLast(COLON, URI)
  if (schema !== null && !SCHEMA.test(schema)) cursor.fail('a schema URN before the colon', start)
  return schema
}

/**
 * The last part of a URN that is the whole text, where that part is no name, as in `urn:example:badge:1.0`;
 * null, and no step, for any other.
 */
export function parseLastPart(cursor: Cursor, schema: string): string | null {
  const start = cursor.position
  const last = cursor.takeWhile(URI)
  cursor.takeSpaces()
  const isLast = LAST_PART.test(last) && !NAMES.test(last)
  if (cursor.atEnd && URN.test(schema) && isLast) return last
  cursor.position = start
  return null
}

/** A table that marks the code units of `characters`. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const COLON = 0x3a
const ALPHA = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGIT = '0123456789'
const LETTERS = tableOf(ALPHA)
const NAME_START = tableOf(`${ALPHA}$`)
const NAME = tableOf(`${ALPHA}${DIGIT}$-_`)
// RFC 3986: unreserved, reserved and percent, less the brackets and parentheses of the filter grammar.
const URI = tableOf(`${ALPHA}${DIGIT}-._~:/?#@!$&'*+,;=%`)
const URN = /^urn:/i
/** RFC 3986 §3: a scheme, a colon and more. */
const SCHEMA = /^[a-z][a-z\d+.-]*:./i
/** Parts between dots, none of them empty. */
const LAST_PART = /^[^.]+(?:\.[^.]+)*$/
/** An attribute, or one and its sub-attribute. */
const NAMES = /^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/i
