import { byMediaRange, JSON_RANGES, MULTIPART, memoize } from '@plumbline/base'
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
export type PreparedBody =
  | { readonly location: 'body'; readonly kind: 'file'; readonly schema: PreparedSchema }
  | {
      readonly location: 'body'
      readonly kind: 'by-media-type'
      readonly types: readonly PreparedMediaType[]
      /** The most fields a form may have. */
      readonly fields: number
      /** The text media types requests may name exactly. */
      readonly texts: ReadonlyMap<string, DeclaredText>
    }

/** A body with one media type, whose text is read next. */
export interface DeclaredText {
  /** The media type in lower case, without parameters. */
  readonly type: string
  readonly schema: PreparedSchema
  /** The charset the request names; undefined for the default. */
  readonly charset: string | undefined
  /** The most fields, if it is a form. */
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
  if (isSchema(body)) {
    const schema = prepareSchema(body)
    if (isFileShape(schema.whole)) return { location: 'body', kind: 'file', schema }
    return byMediaType(
      JSON_RANGES.map((range) => ({ range, schema })),
      fields,
    )
  }
  const types = byMediaRange(body).map(([range, schema]) => ({
    range,
    schema: prepareSchema(schema),
  }))
  return byMediaType(types, fields)
}

function byMediaType(types: readonly PreparedMediaType[], fields: number): PreparedBody {
  const texts = types
    .filter(({ range, schema }) => range !== MULTIPART && !isFileShape(schema.whole))
    .map(
      ({ range, schema }) => [range, { type: range, schema, charset: undefined, fields }] as const,
    )
  return { location: 'body', kind: 'by-media-type', types, fields, texts: new Map(texts) }
}

/** Other servers and frameworks have the same limit. */
const MAX_FIELDS = 1_000
