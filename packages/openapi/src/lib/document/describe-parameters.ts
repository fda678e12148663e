import { TOKEN } from '../http/media-types.ts'
import { isObject } from '../json/object.ts'
import type { Schema as JsonSchema, Parameter } from '../openapi.ts'
import type { OperationSpec } from '../operation.ts'
import { type Shape, shapeOf } from '../schema/shape/shape.ts'
import type { PreparedRoute } from '../spec/route.ts'
import type { Property, SchemaPlace, Schemas } from './components/schemas.ts'
import type { Report } from './faults.ts'

/** Where the parameters of an operation stand. */
export interface ParametersPlace extends SchemaPlace {
  readonly schemas: Schemas
  readonly report: Report
}

/** Describes the parameters of an operation: path, query, header, cookie. */
export function describeParameters(
  spec: OperationSpec,
  { variables }: PreparedRoute,
  place: ParametersPlace,
): readonly Parameter[] {
  const parameters: Parameter[] = []
  const sameHeader = headerTest()
  const add = (location: Parameter['in'], properties: ReadonlyMap<string, Property>): void => {
    for (const [name, property] of properties) {
      const pointer = `${place.pointer}/${parameters.length}`
      const fault = (message: string) => place.report({ ...place, pointer }, message)
      checkParameter(location, name, property, fault)
      const other = location === 'header' ? sameHeader(name) : null
      if (other !== null) fault(other)
      parameters.push(describe(location, name, property))
    }
  }
  add('path', pathProperties(spec, variables, place))
  for (const [part, location] of PARTS) {
    const schema = spec[part]
    if (!schema) continue
    const properties = place.schemas.properties(schema, within(place, part))
    if (properties) add(location, properties)
  }
  return parameters
}

/** In the order of the path; every variable is a string where `params` does not say otherwise. */
function pathProperties(
  { params }: OperationSpec,
  variables: readonly string[],
  place: ParametersPlace,
): ReadonlyMap<string, Property> {
  const properties = params ? place.schemas.properties(params, within(place, 'params')) : null
  if (properties) {
    const missing = variables.filter((name) => !properties.has(name))
    const unknown = [...properties.keys()].filter((name) => !variables.includes(name))
    if (missing.length > 0) {
      place.report(place, `params lacks ${missing.join(', ')}, which the route has; add it`)
    }
    if (unknown.length > 0) {
      place.report(place, `params has ${unknown.join(', ')}, which the route lacks; remove it`)
    }
  }
  return new Map(
    variables.map((name) => {
      const { schema, shape } = properties?.get(name) ?? { schema: { type: 'string' }, shape: TEXT }
      return [name, { schema, shape, required: true }]
    }),
  )
}

function describe(location: Parameter['in'], name: string, property: Property): Parameter {
  const { schema, required, shape } = property
  const description = isObject(schema) ? schema.description : undefined
  return {
    name,
    in: location,
    ...(typeof description === 'string' ? { description } : {}),
    ...(required ? { required } : {}),
    ...(isObject(schema) && schema.deprecated === true ? { deprecated: true } : {}),
    // What the parser does is said, though it is the default (OpenAPI 3.1.1 §4.8.12.2.1).
    ...(location === 'query' && shape.list ? { style: 'form', explode: true } : {}),
    schema: schema as JsonSchema,
  }
}

function checkParameter(
  location: Parameter['in'],
  name: string,
  { shape }: Property,
  fault: (message: string) => void,
): void {
  const mayBeList = location === 'query' || location === 'header'
  const kind = beyondText(shape, mayBeList)
  if (kind === 'nothing') fault(`${location} parameter ${name} takes no value; leave it out`)
  else if (kind !== null) {
    fault(`${location} parameter ${name} takes only ${kind}, which its text cannot carry`)
  } else if (!mayBeList && shape.list !== null && !takesAnything(shape)) {
    fault(
      `${location} parameter ${name} may be a list, which its text cannot carry; leave the list out`,
    )
  }
  if (location === 'header' && !TOKEN.test(name)) {
    fault(notAHeader(name))
  }
  if (location === 'header' && IGNORED.has(name.toLowerCase())) {
    fault(`OpenAPI ignores a header parameter ${name}; ${IGNORED.get(name.toLowerCase())}`)
  }
}

/** What a parameter takes in words, where no text can be that. */
function beyondText(shape: Shape, mayBeList: boolean): string | null {
  const { list } = shape
  if (takesScalar(shape)) return null
  if (list === null) {
    if (shape.object) return 'an object'
    return shape.binary ? 'a file' : shape.null ? 'null' : 'nothing'
  }
  if (!mayBeList) return 'a list'
  const isNested = [...list.first, list.rest].some(
    (element) =>
      !takesScalar(element) && (element.object || element.binary || element.list !== null),
  )
  return isNested ? 'a list of lists, objects or files' : null
}

function takesScalar({ string, number, boolean }: Shape): boolean {
  return string || number || boolean
}

/** Whether a schema names no types, so that every text is accepted as it is. */
function takesAnything(shape: Shape): boolean {
  return takesScalar(shape) && shape.object && shape.binary
}

function within({ operationId, pointer, steps }: ParametersPlace, part: string): SchemaPlace {
  return { operationId, pointer, steps: [...steps, part] }
}

const TEXT: Shape = shapeOf({ type: 'string' }, {})

const PARTS = [
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const

/** OpenAPI 3.1.1 §4.8.12.1: these three are ignored; what says the same is named. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ['accept', 'give the responses a body for each media type'],
  ['content-type', 'give the body a schema for each media type'],
  ['authorization', 'name a security scheme'],
])

/** Tells of each name in turn whether it is, in another letter case, that of a header before it. */
export function headerTest(): (name: string) => string | null {
  const known = new Map<string, string>()
  return (name) => {
    const other = known.get(name.toLowerCase())
    if (other === undefined) known.set(name.toLowerCase(), name)
    return other === undefined
      ? null
      : `${name} is the same header as ${other} (RFC 9110 §5.1); remove one`
  }
}

/** What is wrong with a header whose name is no token. */
export function notAHeader(name: string): string {
  return `${JSON.stringify(name)} is no name of a header (RFC 9110 §5.1); rename it`
}
