import { failure, type Result, success } from '@plumbline/result'
import type { ErrorType, ScimError } from '../error.ts'
import type { AttributePath } from './attribute-path.ts'
import { Cursor, SyntaxFault, syntaxError } from './cursor.ts'
import { parseLastPart, parseName, parseSchema } from './names.ts'

/**
 * Parses an attribute's path, such as `name.givenName` or `urn:…:2.0:User:department`.
 *
 * Fails with `400 invalidPath`.
 *
 * @example
 * ```ts
 * import { parsePath } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * unwrap(parsePath('name.givenName')).subAttribute //=> 'givenName'
 * ```
 * @see RFC 7644 §3.10
 */
export function parsePath(text: string): Result<AttributePath, ScimError> {
  return parseWhole(text, 'invalidPath', parseSchemaOrPath)
}

/** Parses a whole string with a rule. Fails with a ScimError that shows the place. */
export function parseWhole<Node>(
  text: string,
  scimType: ErrorType,
  rule: (cursor: Cursor) => Node,
): Result<Node, ScimError> {
  const cursor = new Cursor(text)
  try {
    cursor.takeSpaces()
    const node = rule(cursor)
    cursor.takeSpaces()
    if (!cursor.atEnd) cursor.fail('the end')
    return success(node)
  } catch (fault) {
    if (fault instanceof SyntaxFault) return failure(syntaxError(cursor, fault, scimType))
    throw fault
  }
}

/** Parses a path or an extension's URN. If the URN's last part is a name, it parses as an attribute. */
export function parseSchemaOrPath(cursor: Cursor): AttributePath {
  const schema = parseSchema(cursor)
  const last = schema === null ? null : parseLastPart(cursor, schema)
  if (last === null) return parseNames(cursor, schema)
  return { schema, attribute: last, subAttribute: null }
}

// attrPath = [URI ":"] ATTRNAME *1subAttr
export function parseAttributePath(cursor: Cursor): AttributePath {
  return parseNames(cursor, parseSchema(cursor))
}

// ATTRNAME *1subAttr; subAttr = "." ATTRNAME
function parseNames(cursor: Cursor, schema: string | null): AttributePath {
  const attribute = parseName(cursor)
  const subAttribute = cursor.take(DOT) ? parseName(cursor) : null
  return { schema, attribute, subAttribute }
}

const DOT = 0x2e
