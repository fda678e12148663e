import { byMediaRange, JSON_RANGES, memoize } from '@plumbline/base'
import { type PreparedSchema, prepareSchema } from '../schema/prepare.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import { isSchema } from '../schema/standard-schema.ts'
import type { BodySpec, OperationSpec } from '../spec/operation-spec.ts'
import type { InputLocation } from './input-error.ts'

/** A spec prepared once for parsing. */
export interface PreparedRequest {
  /** All parts in reading order: the parameters, then the body. */
  readonly parts: readonly PreparedPart[]
  /** The declared parameters. */
  readonly parameters: readonly PreparedParameters[]
  readonly body: PreparedBody | null
}

/** A request part: parameters, or the body. */
export type PreparedPart = PreparedParameters | PreparedBody

/** The parameters' schema for one request part. */
export interface PreparedParameters extends PreparedSchema {
  readonly location: ParameterLocation
}

/** The request parts that hold parameters. */
export type ParameterLocation = Exclude<InputLocation, 'body'>

/** A body: a file with any media type, or one schema per media type. */
export interface PreparedBody {
  readonly location: 'body'
  /** The schema for a file with any media type, or without one; null for other bodies. */
  readonly file: PreparedSchema | null
  readonly types: readonly PreparedMediaType[]
  /** The same schemas by range: most clients send a media type that the operation names. */
  readonly exact: ReadonlyMap<string, PreparedSchema>
  /** The most fields a form may have. */
  readonly fields: number
}

/** The body schema for one media type. */
export interface PreparedMediaType {
  /** In lower case, without parameters; the subtype or both may be `*`. */
  readonly range: string
  readonly schema: PreparedSchema
}

/** Prepares a spec's schemas at its first request. Operations used only for documentation are never prepared. */
export const preparedOf: (spec: OperationSpec) => PreparedRequest = memoize(prepareRequest)

function prepareRequest(spec: OperationSpec): PreparedRequest {
  const parameters: PreparedParameters[] = []
  for (const location of ['params', 'query', 'headers', 'cookies'] as const) {
    const schema = spec[location]
    if (schema) parameters.push({ location, ...prepareSchema(schema) })
  }
  const body = spec.body ? prepareBody(spec.body, spec.formFields) : null
  return { parts: body === null ? parameters : [...parameters, body], parameters, body }
}

function prepareBody(body: BodySpec, fields: number = MAX_FIELDS): PreparedBody {
  const whole = isSchema(body) ? prepareSchema(body) : null
  const file = whole !== null && isFileShape(whole.whole) ? whole : null
  const types = isSchema(body)
    ? JSON_RANGES.map((range) => ({ range, schema: prepareSchema(body) }))
    : byMediaRange(body).map(([range, schema]) => ({ range, schema: prepareSchema(schema) }))
  const exact = new Map(types.map(({ range, schema }) => [range, schema]))
  return { location: 'body', file, types, exact, fields }
}

/** Other servers and frameworks have the same limit. */
const MAX_FIELDS = 1_000
