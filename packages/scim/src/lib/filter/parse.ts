import { type Result, success } from '@plumbline/result'
import type { ScimError } from '../error.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import type { Cursor } from '../path/cursor.ts'
import { isName, parseName, parseWord } from '../path/names.ts'
import { parseAttributePath, parseSchemaOrPath, parseWhole } from '../path/parse-path.ts'
import { join, operandsOf } from './operands.ts'
import type { Expression, Operator, Path, ValuePath } from './tree.ts'
import { parseValue } from './values.ts'

/**
 * Parses a filter into a tree.
 *
 * Accepts the whole grammar, with keywords in any letter case, in linear time. Fails with `400 invalidFilter`, also if
 * the filter nests deeper than 64. The message says what was expected, what was found and where, with a caret under the
 * position.
 *
 * @example
 * ```ts
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * unwrap(parseFilter('userName pr')).type //=> 'present'
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function parseFilter(text: string): Result<Expression, ScimError> {
  return parseWhole(text, 'invalidFilter', parseOr)
}

/** Parses a PATCH operation's path. Fails with `400 invalidPath`. RFC 7644 §3.5.2. */
export function parsePatchPath(text: string): Result<Path, ScimError> {
  // Most paths are an attribute's name.
  if (isName(text)) {
    const attribute = { schema: null, attribute: text, subAttribute: null }
    return success({ attribute, filter: null })
  }
  return parseWhole(text, 'invalidPath', parseTarget)
}

// PATH = attrPath / valuePath [subAttr]
function parseTarget(cursor: Cursor): Path {
  const attribute = parseSchemaOrPath(cursor)
  if (!cursor.take(OPEN_BRACKET)) return { attribute, filter: null }
  const { filter } = parseValueFilter(cursor, attribute)
  const subAttribute = cursor.take(DOT) ? parseName(cursor) : null
  return { attribute: { ...attribute, subAttribute }, filter }
}

// logExp = FILTER SP ("and" / "or") SP FILTER; `and` binds closer
function parseOr(cursor: Cursor): Expression {
  return parseOperands(cursor, 'or', parseAnd)
}

function parseAnd(cursor: Cursor): Expression {
  return parseOperands(cursor, 'and', parseTerm)
}

function parseOperands(
  cursor: Cursor,
  operator: 'and' | 'or',
  rule: (cursor: Cursor) => Expression,
): Expression {
  const first = rule(cursor)
  if (!takeKeyword(cursor, operator)) return first
  const operands = [...operandsOf(first, operator)]
  do {
    for (const operand of operandsOf(rule(cursor), operator)) operands.push(operand)
  } while (takeKeyword(cursor, operator))
  return { type: 'logical', operator, operands }
}

// FILTER = attrExp / logExp / valuePath / *1"not" "(" FILTER ")"
function parseTerm(cursor: Cursor): Expression {
  if (cursor.take(OPEN_PARENTHESIS)) return parseParentheses(cursor)
  if (takeNot(cursor)) return { type: 'not', operand: parseParentheses(cursor) }
  const path = parseAttributePath(cursor)
  if (cursor.take(OPEN_BRACKET)) return parseValuePath(cursor, path)
  return parseAttributeExpression(cursor, path)
}

function parseParentheses(cursor: Cursor): Expression {
  cursor.takeSpaces()
  const expression = cursor.nested(parseOr)
  cursor.takeSpaces()
  if (!cursor.take(CLOSE_PARENTHESIS)) cursor.fail(`')', 'and' or 'or'`)
  return expression
}

// valuePath = attrPath "[" valFilter "]"
function parseValuePath(cursor: Cursor, path: AttributePath): ValuePath {
  const node = parseValueFilter(cursor, path)
  if (!cursor.take(DOT)) return node
  // Deviation: Entra ID sends `emails[type eq "work"].value eq "x"`. The grammar ends after the bracket.
  const inner = { schema: null, attribute: parseName(cursor), subAttribute: null }
  const last = parseAttributeExpression(cursor, inner)
  return { type: 'valuePath', path, filter: join('and', [node.filter, last]) }
}

function parseValueFilter(cursor: Cursor, path: AttributePath): ValuePath {
  const opened = cursor.position - 1
  if (path.subAttribute !== null) cursor.fail('an operator', opened)
  if (cursor.insideBrackets) cursor.fail('no value path inside a value path', opened)
  cursor.insideBrackets = true
  cursor.takeSpaces()
  const filter = cursor.nested(parseOr)
  cursor.takeSpaces()
  if (!cursor.take(CLOSE_BRACKET)) cursor.fail(`']', 'and' or 'or'`)
  cursor.insideBrackets = false
  return { type: 'valuePath', path, filter }
}

// attrExp = (attrPath SP "pr") / (attrPath SP compareOp SP compValue)
function parseAttributeExpression(cursor: Cursor, path: AttributePath): Expression {
  if (!cursor.takeSpaces()) cursor.fail('a space and an operator')
  const start = cursor.position
  const word = parseWord(cursor).toLowerCase()
  if (word === 'pr') return { type: 'present', path }
  const operator = OPERATORS.get(word)
  if (operator === undefined) cursor.fail(`an operator (${OPERATOR_NAMES})`, start)
  // The space before a string may be missing, as in RFC 7644 §3.5.2.2's example.
  if (!cursor.takeSpaces() && cursor.peek() !== QUOTE) cursor.fail('a space and a value')
  return { type: 'compare', path, operator, value: parseValue(cursor) }
}

/** `not` is a keyword only before a parenthesis, because an attribute may have that name. */
function takeNot(cursor: Cursor): boolean {
  if ((cursor.peek() | LETTER_CASE) !== LETTER_N) return false
  const start = cursor.position
  if (parseWord(cursor).toLowerCase() === 'not') {
    cursor.takeSpaces()
    if (cursor.take(OPEN_PARENTHESIS)) return true
  }
  cursor.position = start
  return false
}

/** Steps over ` and ` or ` or `. */
function takeKeyword(cursor: Cursor, keyword: 'and' | 'or'): boolean {
  const start = cursor.position
  if (cursor.takeSpaces() && parseWord(cursor).toLowerCase() === keyword) {
    if (cursor.takeSpaces()) return true
    cursor.fail(`a space after '${keyword}'`)
  }
  cursor.position = start
  return false
}

/** Each operator's name. */
const NAMES: Readonly<Record<Operator, Operator>> = {
  eq: 'eq',
  ne: 'ne',
  co: 'co',
  sw: 'sw',
  ew: 'ew',
  gt: 'gt',
  ge: 'ge',
  lt: 'lt',
  le: 'le',
}
const OPERATORS: ReadonlyMap<string, Operator> = new Map(Object.entries(NAMES))
const OPERATOR_NAMES = `${[...OPERATORS.keys()].join(', ')} or pr`

const QUOTE = 0x22
const OPEN_PARENTHESIS = 0x28
const CLOSE_PARENTHESIS = 0x29
const DOT = 0x2e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const LETTER_N = 0x6e
const LETTER_CASE = 0x20
