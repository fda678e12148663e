import { isJsonObject, type JsonObject, own } from '@plumbline/base'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { convertForParsing, followReference, rootOf } from '../schema/to-json-schema.ts'
import type { BodySpec, Exchange, ExpressionFault } from './operation-spec.ts'

/** Checks a callback's URL: a runtime expression, or text with expressions in braces (OpenAPI 3.1.1 §4.8.18.2). */
export function findUrlFaults(url: string, exchange: Exchange): readonly ExpressionFault[] {
  // A program without types may write anything.
  if (typeof url !== 'string' || url.trim() === '') {
    const reason = typeof url === 'string' ? 'is empty' : 'is not a string'
    return [{ expression: JSON.stringify(url) ?? 'undefined', reason }]
  }
  if (url.startsWith('$')) return findExpressionFaults([url], exchange)
  const expressions = [...url.matchAll(IN_BRACES)].map(([, expression = '']) => expression)
  const brace = /[{}]/.exec(url.replace(IN_BRACES, ''))
  const unpaired = brace ? [{ expression: url, reason: `has an unpaired ${brace[0]}` }] : []
  return [...unpaired, ...findExpressionFaults(expressions, exchange)]
}

/** Checks runtime expressions against the schemas they point into. */
export function findExpressionFaults(
  expressions: readonly string[],
  exchange: Exchange,
): readonly ExpressionFault[] {
  return expressions.flatMap((expression) => {
    const reason = faultOf(expression, exchange)
    return reason === null ? [] : [{ expression, reason }]
  })
}

// OpenAPI 3.1.1 §4.8.20.4: expression = "$url" / "$method" / "$statusCode" / "$request." source / "$response." source
function faultOf(expression: string, exchange: Exchange): string | null {
  if (/^\$(?:url|method|statusCode)$/.test(expression)) return null
  const [, message, part, name = '', pointer = ''] = EXPRESSION.exec(expression) ?? []
  if (message === undefined) return NOT_AN_EXPRESSION
  const { spec, route, responses } = exchange
  const isRequest = message === 'request'
  if (part === undefined) {
    const bodies = isRequest ? [spec.body] : responses.map((one) => one?.body)
    return faultOfPointer(bodies.flatMap(schemasOf), pointer)
  }
  if (part === 'header') {
    const isDeclared = isRequest
      ? hasKey(spec.headers, name, true)
      : responses.some((one) => Object.keys(one?.headers ?? {}).some((key) => isSame(key, name)))
    return isDeclared ? null : 'names a header that is not declared'
  }
  // A response has neither a path nor a query.
  if (!isRequest) return NOT_AN_EXPRESSION
  if (part === 'path') {
    return route.variables.includes(name) ? null : 'names a variable that the route does not have'
  }
  return hasKey(spec.query, name, false) ? null : 'names a query parameter that is not declared'
}

// body-reference = "body" ["#" json-pointer ]
// json-pointer = *( "/" reference-token )
function faultOfPointer(schemas: readonly Schema[], pointer: string): string | null {
  if (!POINTER.test(pointer)) return 'has a JSON Pointer that does not start with / or has a lone ~'
  const isFound = schemas.some((schema) => leadsTo(schema, pointer))
  return isFound ? null : 'points to a value that the body does not have'
}

function hasKey(schema: Schema | undefined, name: string, ignoresCase: boolean): boolean {
  const { value } = schema === undefined ? {} : convertForParsing(schema)
  const keys = Object.keys(Object(value && rootOf(value.json).properties))
  return keys.some((key) => (ignoresCase ? isSame(key, name) : key === name))
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function schemasOf(body: BodySpec | undefined): readonly Schema[] {
  if (body === undefined) return []
  return isSchema(body) ? [body] : Object.values(body)
}

/** Returns whether the schema's values may have a part at a JSON Pointer. */
function leadsTo(schema: Schema, pointer: string): boolean {
  const { value } = convertForParsing(schema)
  // The build reports schemas that cannot be converted.
  if (value === undefined) return true
  const root = rootOf(value.json)
  const steps = pointer.split('/').slice(1)
  let places: ReadonlySet<unknown> = new Set([root])
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const seen = new Set<unknown>()
    places = new Set([...places].flatMap((place) => partsOf(place, name, root, seen)))
  }
  return places.size > 0
}

/** Returns the schemas of a value's member or element. A schema is entered once, because it may contain itself. */
function partsOf(
  schema: unknown,
  name: string,
  root: JsonObject,
  seen: Set<unknown>,
): readonly unknown[] {
  const node = isJsonObject(schema) ? followReference(schema, root) : null
  if (node === null || seen.has(node)) return schema === true ? [true] : []
  if (isOpen(node)) return [true]
  seen.add(node)
  const { additionalProperties, patternProperties, prefixItems, items } = node
  const named = own(node.properties, name) ?? additionalProperties
  const matched: readonly unknown[] = Object.values(Object(patternProperties))
  const first = Array.isArray(prefixItems) ? prefixItems : []
  const element = INDEX.test(name) ? (first[Number(name)] ?? items) : undefined
  const branches = [node.anyOf, node.oneOf, node.allOf].flat().filter(isJsonObject)
  return [
    ...[named, element, ...matched].filter((part) => part === true || isJsonObject(part)),
    ...branches.flatMap((branch) => partsOf(branch, name, root, seen)),
  ]
}

/** Whether a schema says nothing about the members and elements of its values, like `z.unknown().meta({ … })`. */
function isOpen(node: JsonObject): boolean {
  const { type = 'object' } = node
  const mayHaveParts = [type].flat().some((one) => one === 'object' || one === 'array')
  return mayHaveParts && !Object.keys(node).some((keyword) => ABOUT_PARTS.test(keyword))
}

// source = header-reference / query-reference / path-reference / body-reference
const EXPRESSION = /^\$(request|response)\.(?:(header|query|path)\.(.+)|body(?:#(.*))?)$/s
const ABOUT_PARTS =
  /^(?:properties|patternProperties|additionalProperties|prefixItems|items|anyOf|oneOf|allOf|not|const|enum)$/
const NOT_AN_EXPRESSION = 'is not a runtime expression of OpenAPI'
// reference-token = *( unescaped / escaped ), escaped = "~" ( "0" / "1" )
const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/
/** RFC 6901 §4: array-index = %x30 / ( %x31-39 *(%x30-39) ) */
const INDEX = /^(?:0|[1-9]\d*)$/
const IN_BRACES = /\{([^{}]*)\}/g
