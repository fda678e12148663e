import {
  byMediaRange,
  isJson,
  JSON_RANGES,
  matchesRange,
  mediaTypeOf,
} from '../http/media-types.ts'
import { memoize } from '../json/memoize.ts'
import { receiveParameters } from '../request/receive.ts'
import { type PreparedSchema, prepareSchema } from '../schema/prepare.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import { propertiesOf, requiredOf } from '../schema/shape/properties.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { convertForParsing, rootOf } from '../schema/to-json-schema.ts'
import type { BodySpec } from '../spec/operation-spec.ts'
import type { CoverageItem, CoverageKind } from './report.ts'
import { type Contract, isStatusCode } from './responses.ts'

/** A part of a contract, before it is counted. */
export type Item = Pick<CoverageItem, 'kind' | 'name'>

/** The exchange that may cover parts of a contract. */
export interface Exchange {
  readonly request: Request
  readonly status: number
  /** The name of the problem that the response is; null if it is not one of those declared. */
  readonly problem: string | null
}

/**
 * The parts of a contract that tests may cover. The status of a problem is not a part, because its problem
 * type is; neither are ranges of statuses, `default` and required parameters.
 */
export function listItems(contract: Contract): readonly Item[] {
  const { mediaTypes, parameters } = inputsOf(contract)
  const statuses = [...contract.responses.keys()].filter(isStatusCode)
  const problems = [...contract.problems.values()].flat().map(({ name }) => name)
  const of = (kind: CoverageKind, names: readonly string[]): Item[] =>
    names.map((name) => ({ kind, name }))
  return [
    ...of('status', statuses),
    ...of('problem', problems),
    ...of('mediaType', mediaTypes),
    ...of(
      'parameter',
      parameters.flatMap(({ names }) => [...names.values()]),
    ),
  ]
}

/**
 * The parts of a contract that an exchange covers. A rejected request covers neither a media type nor a
 * parameter, because the handler may not have read it.
 */
export function coveredItems(contract: Contract, exchange: Exchange): readonly Item[] {
  const { request, status, problem } = exchange
  const answered: Item[] = [{ kind: 'status', name: String(status) }]
  if (problem !== null) answered.push({ kind: 'problem', name: problem })
  if (status >= 400) return answered
  const { body, parameters } = inputsOf(contract)
  const type = body && coveredMediaType(body, request)
  const sent = parameters.flatMap(({ location, schema, names }) => {
    const values = receiveParameters[location](request, schema, {})
    return [...names].filter(([name]) => values.has(name)).map(([, name]) => name)
  })
  return [
    ...answered,
    ...(type ? [{ kind: 'mediaType', name: type } as const] : []),
    ...sent.map((name) => ({ kind: 'parameter', name }) as const),
  ]
}

interface Inputs {
  readonly body: BodySpec | null
  readonly mediaTypes: readonly string[]
  readonly parameters: readonly OptionalParameters[]
}

interface OptionalParameters {
  readonly location: (typeof LOCATIONS)[number][0]
  readonly schema: PreparedSchema
  /** The names of items by the names of parameters. */
  readonly names: ReadonlyMap<string, string>
}

const inputsOf: (contract: Contract) => Inputs = memoize(({ spec }) => {
  const parameters = LOCATIONS.flatMap(([location, prefix]) => {
    const schema = spec[location]
    if (schema === undefined) return []
    const names = optionalNames(schema).map((name) => [name, `${prefix}:${name}`] as const)
    return [{ location, schema: prepareSchema(schema), names: new Map(names) }]
  })
  const { body = null } = spec
  return { body, mediaTypes: body === null ? [] : mediaTypesOf(body), parameters }
})

function optionalNames(schema: Schema): readonly string[] {
  const { value, fault } = convertForParsing(schema)
  // The build reports a schema that cannot be converted.
  if (fault) return []
  const root = rootOf(value.json)
  const required = requiredOf(root)
  return [...propertiesOf(root).keys()].filter((name) => !required.has(name))
}

function mediaTypesOf(body: BodySpec): readonly string[] {
  if (!isSchema(body)) return byMediaRange(body).map(([range]) => range)
  return isFileShape(prepareSchema(body).whole) ? [ANY_TYPE] : JSON_RANGES.slice(0, 1)
}

/** The declared media type or range of the body of a request. */
function coveredMediaType(body: BodySpec, request: Request): string | undefined {
  const header = request.headers.get('Content-Type')
  const ranges = mediaTypesOf(body)
  if (isSchema(body) && ranges.includes(ANY_TYPE)) return request.body ? ANY_TYPE : undefined
  if (header === null) return undefined
  const type = mediaTypeOf(header)
  if (isSchema(body)) return isJson(type) ? ranges[0] : undefined
  return ranges.find((range) => matchesRange(range, type))
}

const LOCATIONS = [
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const

const ANY_TYPE = '*/*'
