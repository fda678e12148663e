import { readJsonText } from '../message/read-json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'

/**
 * Returns a value, parsed if it is the JSON text of an object or a list in place of one. An attribute without
 * sub-attributes keeps the text. Throws a ScimError beyond the limits of a body.
 *
 * Deviation: a client library, and programs built on it, send each value as JSON text. See
 * decisions/patch-values-as-json-text.md.
 *
 * @param node The attribute to write; null for a whole resource or extension.
 */
export function readTextValue(value: unknown, node: AttributeNode | null): unknown {
  const isText = typeof value === 'string' && STRUCTURE.test(value)
  return isText && (node === null || node.type === 'complex') ? readJsonText(value) : value
}

const STRUCTURE = /^[\t\n\r ]*[[{]/
