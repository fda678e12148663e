import { byMediaRange, JSON_RANGES, MULTIPART } from '../http/media-types.ts'
import { type PreparedSchema, prepareSchema } from '../schema/prepare.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import { isSchema } from '../schema/standard-schema.ts'
import type { BodySpec, OperationSpec } from '../spec/operation-spec.ts'
import type { InputLocation } from './input-error.ts'

/** The data of a spec that parsing needs, prepared once. */
export interface PreparedRequest {
  /** The parameters that the spec declares, in the order in which they are read. */
  readonly parameters: readonly PreparedParameters[]
  readonly body: PreparedBody | null
}

/** The schema of the parameters in one part of a request. */
export interface PreparedParameters extends PreparedSchema {
  readonly location: ParameterLocation
}

/** The parts of a request that hold parameters. */
export type ParameterLocation = Exclude<InputLocation, 'body'>

/** A body: a file of any media type, or one schema for each media type. */
export type PreparedBody =
  | { readonly kind: 'file'; readonly schema: PreparedSchema }
  | {
      readonly kind: 'by-media-type'
      readonly types: readonly PreparedMediaType[]
      /** The media types of text that requests may name exactly. */
      readonly texts: ReadonlyMap<string, DeclaredText>
    }

/** A body of one media type whose text is read next. */
export interface DeclaredText {
  /** The media type in lower case, without parameters. */
  readonly type: string
  readonly schema: PreparedSchema
}

/** The schema of a body of one media type. */
export interface PreparedMediaType {
  /** In lower case, without parameters; the subtype or both may be `*`. */
  readonly range: string
  readonly schema: PreparedSchema
}

/** Prepares the schemas of a spec for parsing. */
export function prepareRequest(spec: OperationSpec): PreparedRequest {
  const parameters: PreparedParameters[] = []
  for (const location of ['params', 'query', 'headers', 'cookies'] as const) {
    const schema = spec[location]
    if (schema) parameters.push({ location, ...prepareSchema(schema) })
  }
  return { parameters, body: spec.body ? prepareBody(spec.body) : null }
}

function prepareBody(body: BodySpec): PreparedBody {
  if (isSchema(body)) {
    const schema = prepareSchema(body)
    if (isFileShape(schema.whole)) return { kind: 'file', schema }
    return byMediaType(JSON_RANGES.map((range) => ({ range, schema })))
  }
  const types = byMediaRange(body).map(([range, schema]) => ({
    range,
    schema: prepareSchema(schema),
  }))
  return byMediaType(types)
}

function byMediaType(types: readonly PreparedMediaType[]): PreparedBody {
  const texts = types
    .filter(({ range, schema }) => range !== MULTIPART && !isFileShape(schema.whole))
    .map(({ range, schema }) => [range, { type: range, schema }] as const)
  return { kind: 'by-media-type', types, texts: new Map(texts) }
}
