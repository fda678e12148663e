import type { Cursor } from './cursor.ts'

/** Takes the letters at the cursor, for keywords and operators. May be empty. */
export function parseWord(cursor: Cursor): string {
  return cursor.takeWhile(LETTERS)
}

// ATTRNAME = ALPHA *(nameChar); nameChar = "$" / "-" / "_" / DIGIT / ALPHA (RFC 7643 §2.1)
export function parseName(cursor: Cursor): string {
  // RFC 7643 uses the name `$ref`, although its grammar starts every name with a letter.
  if (NAME_START[cursor.peek()] !== 1) cursor.fail('an attribute name')
  return cursor.takeWhile(NAME)
}

/** Returns whether a string is just an attribute name. */
export function isName(text: string): boolean {
  return WHOLE_NAME.test(text)
}

/**
 * Parses the schema URN before an attribute name, or returns null. The last colon separates the two: a version in a URN
 * contains a dot, so only the last colon shows where the name starts.
 */
export function parseSchema(cursor: Cursor): string | null {
  const start = cursor.position
  const schema = cursor.takeUntilLast(COLON, URI)
  if (schema !== null && !SCHEMA.test(schema)) cursor.fail('a schema URN before the colon', start)
  return schema
}

/**
 * Takes a URN's last part if the URN is the whole string and the part is not a name, as in `urn:example:badge:1.0`.
 * Otherwise returns null, without a step.
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

/** Builds a table that marks the code units in `characters`. */
function createTable(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const COLON = 0x3a
const ALPHA = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGIT = '0123456789'
const LETTERS = createTable(ALPHA)
const NAME_START = createTable(`${ALPHA}$`)
const NAME = createTable(`${ALPHA}${DIGIT}$-_`)
// RFC 3986: unreserved, reserved and percent, without the filter grammar's brackets and parentheses.
const URI = createTable(`${ALPHA}${DIGIT}-._~:/?#@!$&'*+,;=%`)
const URN = /^urn:/i
/** RFC 3986 §3: a scheme, a colon and more. */
const SCHEMA = /^[a-z][a-z\d+.-]*:./i
/** Parts between dots. No part is empty. */
const LAST_PART = /^[^.]+(?:\.[^.]+)*$/
const WHOLE_NAME = /^[a-z$][\w$-]*$/i
/** An attribute, or an attribute and a sub-attribute in it. */
const NAMES = /^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/i
