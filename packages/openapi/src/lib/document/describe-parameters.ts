import { defined, isJsonObject, TOKEN } from '@plumbline/base'
import type { Schema as JsonSchema, Parameter } from '../openapi.ts'
import { type Shape, shapeOf } from '../schema/shape/shape.ts'
import type { Examples, OperationSpec } from '../spec/operation-spec.ts'
import type { PreparedRoute } from '../spec/route.ts'
import { describeOthers, describeProperties, type Property } from './components/schemas.ts'
import type { Components } from './components/state.ts'
import type { SchemaPlace } from './components/write.ts'
import { describeExamples } from './examples.ts'
import type { Fault, Report } from './faults.ts'

/** Where an operation's parameters are described. */
export interface ParametersPlace extends SchemaPlace {
  readonly components: Components
  readonly report: Report
}

/** Describes an operation's parameters: path, query, header, cookie. */
export function describeParameters(
  spec: OperationSpec,
  { variables }: PreparedRoute,
  place: ParametersPlace,
): readonly Parameter[] {
  const parameters: Parameter[] = []
  const checkName = createHeaderCheck()
  const add = (
    location: Parameter['in'],
    properties: ReadonlyMap<string, Property>,
    part: keyof typeof NO_EXAMPLES,
  ): void => {
    const listed = spec.examples?.[part] ?? NO_EXAMPLES[part]
    const unknown = Object.keys(listed).filter((name) => !properties.has(name))
    for (const name of unknown) {
      place.report(place, { code: 'invalid-example', name, reason: `${part} does not have it` })
    }
    for (const [name, property] of properties) {
      const pointer = `${place.pointer}/${parameters.length}`
      const faults = [
        checkParameter(location, name, property),
        ...(location === 'header' ? [checkName(name), checkIgnored(name)] : []),
      ]
      for (const fault of faults) if (fault !== null) place.report({ ...place, pointer }, fault)
      const schema = spec[part]
      const examples =
        schema && describeExamples(listed[name], schema, { ...place, pointer }, place.report, name)
      parameters.push({ ...describe(location, name, property), ...defined({ examples }) })
    }
  }
  add('path', pathProperties(spec, variables, place), 'params')
  for (const [part, location] of PARTS) {
    const schema = spec[part]
    if (!schema) continue
    const properties = describeProperties(place.components, schema, placePart(place, part))
    if (properties) add(location, properties, part)
    if (part !== 'query' || !properties) continue
    const others = describeOthers(place.components, schema, placePart(place, part))
    if (others === null) continue
    const name = freeName(properties)
    const fault = checkParameter(location, name, { ...others, required: false })
    const pointer = `${place.pointer}/${parameters.length}`
    if (fault !== null) place.report({ ...place, pointer }, fault)
    parameters.push(describeExploded(name, others.schema))
  }
  return parameters
}

/** The variables in the path order; a string if `params` does not declare it. */
function pathProperties(
  { params }: OperationSpec,
  variables: readonly string[],
  place: ParametersPlace,
): ReadonlyMap<string, Property> {
  const properties = params
    ? describeProperties(place.components, params, placePart(place, 'params'))
    : null
  if (properties) {
    const missing = variables.filter((name) => !properties.has(name))
    const unknown = [...properties.keys()].filter((name) => !variables.includes(name))
    if (missing.length > 0) {
      place.report(place, { code: 'missing-param', names: missing.join(', ') })
    }
    if (unknown.length > 0) {
      place.report(place, { code: 'unknown-param', names: unknown.join(', ') })
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
  const { description, deprecated } = isJsonObject(schema) ? schema : {}
  const isList = location === 'query' && shape.list !== null
  return defined({
    name,
    in: location,
    description: typeof description === 'string' ? description : undefined,
    required: required || undefined,
    deprecated: deprecated === true || undefined,
    // Writes the parser's behavior, although it is the default (OpenAPI 3.1.1 §4.8.12.2.1).
    style: isList ? ('form' as const) : undefined,
    explode: isList || undefined,
    schema: schema as JsonSchema,
  })
}

/**
 * Describes all other query parameters as one object, whose members are sent separately (OpenAPI 3.1.1 §4.8.12.2.1 and
 * §4.8.12.4). The object's name is never sent.
 */
function describeExploded(name: string, schema: unknown): Parameter {
  return {
    name,
    in: 'query',
    description: 'Other query parameters by name.',
    style: 'form',
    explode: true,
    schema: schema as JsonSchema,
  }
}

function freeName(properties: ReadonlyMap<string, Property>): string {
  let name = 'others'
  while (properties.has(name)) name += '_'
  return name
}

function checkParameter(
  location: Parameter['in'],
  name: string,
  { shape }: Property,
): Fault | null {
  const mayBeList = location === 'query' || location === 'header'
  const kind = findUnsupportedKind(shape, mayBeList)
  if (kind === 'nothing') return { code: 'unsatisfiable-parameter', location, name }
  if (kind !== null) return { code: 'unsupported-parameter', location, name, kind }
  return !mayBeList && shape.list !== null && !acceptsAnything(shape)
    ? { code: 'list-parameter', location, name }
    : null
}

function checkIgnored(name: string): Fault | null {
  const remedy = IGNORED.get(name.toLowerCase())
  return remedy === undefined ? null : { code: 'ignored-header', name, remedy }
}

/** The value kind a parameter accepts, in words; null if it can be sent as text. */
function findUnsupportedKind(shape: Shape, mayBeList: boolean): string | null {
  const { list } = shape
  if (acceptsScalar(shape)) return null
  if (list === null) {
    if (shape.object) return 'an object'
    return shape.binary ? 'a file' : shape.null ? 'null' : 'nothing'
  }
  if (!mayBeList) return 'a list'
  const isNested = [...list.first, list.rest].some(
    (element) =>
      !acceptsScalar(element) && (element.object || element.binary || element.list !== null),
  )
  return isNested ? 'a list of lists, objects or files' : null
}

function acceptsScalar({ string, number, boolean }: Shape): boolean {
  return string || number || boolean
}

/** Whether a schema does not name types, so it accepts every string. */
function acceptsAnything(shape: Shape): boolean {
  return acceptsScalar(shape) && shape.object && shape.binary
}

function placePart({ operationId, pointer, steps }: ParametersPlace, part: string): SchemaPlace {
  return { operationId, pointer, steps: [...steps, part] }
}

const NO_EXAMPLES: Readonly<
  Record<'params' | 'query' | 'headers' | 'cookies', Readonly<Record<string, Examples>>>
> = { params: {}, query: {}, headers: {}, cookies: {} }

const TEXT: Shape = shapeOf({ type: 'string' }, {})

const PARTS = [
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const

/** OpenAPI 3.1.1 §4.8.12.1: readers ignore these three. What to declare instead. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ['accept', 'declare a response body for each media type'],
  ['content-type', 'declare a schema of the body for each media type'],
  ['authorization', 'use a security scheme'],
])

/** Creates a check for header names, which remembers checked names. */
export function createHeaderCheck(): (name: string) => Fault | null {
  const known = new Map<string, string>()
  return (name) => {
    const other = known.get(name.toLowerCase())
    if (other !== undefined) return { code: 'duplicate-header', name, other }
    known.set(name.toLowerCase(), name)
    return TOKEN.test(name) ? null : { code: 'invalid-header-name', name: JSON.stringify(name) }
  }
}
