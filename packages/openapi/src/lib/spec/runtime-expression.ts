import { isJsonObject, type JsonObject, own } from '../json/object.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { convertForParsing, followReference, rootOf } from '../schema/to-json-schema.ts'
import type { BodySpec, Exchange, ExpressionFault } from './operation-spec.ts'

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
function faultOf(expression: string, { spec, route, responses }: Exchange): string | null {
  if (/^\$(?:url|method|statusCode)$/.test(expression)) return null
  const [, message, part, named, pointed] = EXPRESSION.exec(expression) ?? []
  const name = named ?? pointed ?? ''
  if (part === 'path' && message === 'request') {
    return route.variables.includes(name) ? null : `names a variable that the route does not have`
  }
  if (part === 'query' && message === 'request') {
    return hasKey(spec.query, name, false) ? null : 'names a query parameter that is not declared'
  }
  if (part === 'header') {
    const isDeclared =
      message === 'request'
        ? hasKey(spec.headers, name, true)
        : responses.some((one) => Object.keys(one?.headers ?? {}).some((key) => isSame(key, name)))
    return isDeclared ? null : 'names a header that is not declared'
  }
  if (part === 'body' && (name === '' || name.startsWith('#'))) {
    const bodies = message === 'request' ? [spec.body] : responses.map((one) => one?.body)
    const schemas = bodies.flatMap((body) => schemasOf(body))
    if (schemas.some((schema) => leadsTo(schema, name.slice(1)))) return null
    return 'points to a value that the body does not have'
  }
  return 'is not a runtime expression of OpenAPI'
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
  let places: readonly unknown[] = [root]
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    places = places.flatMap((place) => partsOf(place, name, root, 0))
  }
  return places.length > 0
}

function partsOf(
  schema: unknown,
  name: string,
  root: JsonObject,
  depth: number,
): readonly unknown[] {
  const node = isJsonObject(schema) ? followReference(schema, root) : null
  // A schema without keywords accepts any value.
  if (node === null || depth > MOST_LEVELS) return schema === true ? [true] : []
  if (Object.keys(node).length === 0) return [true]
  const { additionalProperties, items } = node
  const named = own(node.properties, name)
  const others = isJsonObject(additionalProperties) ? [additionalProperties] : []
  const elements = /^\d+$/.test(name) && items !== undefined ? [items] : []
  const branches = [node.anyOf, node.oneOf, node.allOf].flat().filter(isJsonObject)
  return [
    ...(named === undefined ? others : [named]),
    ...elements,
    ...branches.flatMap((branch) => partsOf(branch, name, root, depth + 1)),
  ]
}

const EXPRESSION = /^\$(request|response)\.(path|query|header|body)(?:\.(.+)|(#.*))?$/
const MOST_LEVELS = 32
