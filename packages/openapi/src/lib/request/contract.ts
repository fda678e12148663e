import { convert, rootOf } from '../json-schema/convert.ts'
import { propertiesOf, type Shape, shapeOf } from '../json-schema/shape.ts'
import { parseMediaRange } from '../media-types.ts'
import type { OperationSpec } from '../operation.ts'
import { isSchema, type Schema } from '../schema.ts'

/** An object schema with what its JSON Schema says of each of its keys. */
export interface PreparedPart {
  readonly schema: Schema
  /** By key; empty where the schema has no JSON Schema, which `build` refuses. */
  readonly shapes: ReadonlyMap<string, Shape>
}

/** What a body may be. */
export type PreparedBody =
  | { readonly kind: 'one'; readonly part: PreparedPart }
  | { readonly kind: 'by-media-type'; readonly parts: readonly PreparedMediaType[] }

export interface PreparedMediaType {
  /** In lower case, without parameters; the subtype or both may be `*`. */
  readonly range: string
  readonly part: PreparedPart
}

/** All that parsing needs of a spec, worked out once. */
export interface PreparedContract {
  readonly params: PreparedPart | null
  readonly query: PreparedPart | null
  readonly headers: PreparedPart | null
  readonly cookies: PreparedPart | null
  readonly body: PreparedBody | null
}

/** Prepares the schemas of a spec for parsing. */
export function prepareContract(spec: OperationSpec): PreparedContract {
  const { params, query, headers, cookies, body } = spec
  return {
    params: params ? preparePart(params) : null,
    query: query ? preparePart(query) : null,
    headers: headers ? preparePart(headers) : null,
    cookies: cookies ? preparePart(cookies) : null,
    body: body ? prepareBody(body) : null,
  }
}

function prepareBody(body: NonNullable<OperationSpec['body']>): PreparedBody {
  if (isSchema(body)) return { kind: 'one', part: preparePart(body) }
  const parts = Object.entries(body).map(([type, schema]) => ({
    range: parseMediaRange(type).range,
    part: preparePart(schema),
  }))
  // Most specific first: a type, then its range, then any.
  return { kind: 'by-media-type', parts: parts.sort((a, b) => wildness(a) - wildness(b)) }
}

/** Works out what the JSON Schema of an object schema says of its keys. */
export function preparePart(schema: Schema): PreparedPart {
  const conversion = convert(schema)
  if (!('json' in conversion)) return { schema, shapes: new Map() }
  const { json } = conversion
  const root = rootOf(json)
  // References of a property lead into the definitions of the whole conversion.
  const whole = root === json ? json : { ...root, $defs: json.$defs }
  const shapes = [...propertiesOf(whole)].map(
    ([name, property]) => [name, shapeOf(property, whole)] as const,
  )
  return { schema, shapes: new Map(shapes) }
}

function wildness({ range }: PreparedMediaType): number {
  return range.split('*').length
}
