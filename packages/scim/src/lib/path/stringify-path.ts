import type { AttributePath } from './attribute-path.ts'

/**
 * Writes an attribute path. The string parses back to the same path.
 *
 * @example
 * ```ts
 * import { stringifyPath } from '@plumbline/scim/filter'
 *
 * stringifyPath({ schema: null, attribute: 'name', subAttribute: 'givenName' }) //=> 'name.givenName'
 * ```
 * @see RFC 7644 §3.10
 */
export function stringifyPath({ schema, attribute, subAttribute }: AttributePath): string {
  const name = subAttribute === null ? attribute : `${attribute}.${subAttribute}`
  return schema === null ? name : `${schema}:${name}`
}
