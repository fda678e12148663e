import { FORM, isJson } from '@plumbline/base'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { coerceForm } from '../http/form.ts'
import {
  coerceObject,
  coerceScalar,
  coerceValue,
  parseJsonFor,
  type Values,
} from '../schema/coerce.ts'
import type { PreparedSchema } from '../schema/prepare.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import type { Shape } from '../schema/shape/shape.ts'
import type { Schema } from '../schema/standard-schema.ts'
import { inputError } from './input-error.ts'
import type { ParameterLocation } from './prepare.ts'
import type { ReceivedBody, ReceivedContent, ReceivedJson } from './receive.ts'

/** A schema with a value for it. */
export interface Candidate {
  readonly schema: Schema
  /** Returns the value, or the issues that prevent coercing it. Only called if no earlier schema accepts its own. */
  readonly coerce: () => StandardSchemaV1.Result<unknown>
}

/** Coerces one request part's parameters to the types in their JSON Schema. */
export const coerceParameters: Readonly<
  Record<
    ParameterLocation,
    (values: Values<string>, schema: PreparedSchema) => Record<string, unknown>
  >
> = {
  params: coerceObject,
  query: coerceObject,
  headers: (values, schema) => coerceObject(selectNamed(values, schema), schema, coerceHeader),
  cookies: (values, schema) => coerceObject(selectNamed(values, schema), schema),
}

/** Selects the values a schema names. An alternative names fewer than the whole schema. */
function selectNamed(values: Values<string>, { shapes }: PreparedSchema): Values<string> {
  const named: Values<string> = new Map()
  for (const name of shapes.keys()) {
    const value = values.get(name)
    if (value !== undefined) named.set(name, value)
  }
  return named
}

/** RFC 9110 §5.3: a repeated header is one list, with values separated by commas. */
function coerceHeader(value: string | string[], shape: Shape): unknown {
  const isList = typeof value === 'string' && isHeaderList(value, shape)
  return coerceValue(isList ? value.split(',').map((one) => one.trim()) : value, shape)
}

function isHeaderList(value: string, { list, raw, acceptsText }: Shape): boolean {
  return list !== null && !raw && value.includes(',') && !acceptsText(value)
}

/**
 * Coerces parameters once per alternative in a schema. If the alternatives give a key different types, the combined
 * alternatives come first, then each of them in order.
 */
export function coerceAlternatives(
  location: ParameterLocation,
  values: Values<string>,
  schema: PreparedSchema,
): Candidate[] {
  return [schema, ...schema.alternatives].map((one) => ({
    schema: one.schema,
    coerce: () => ({ value: coerceParameters[location](values, one) }),
  }))
}

/** Returns the candidate values for a body, in validation order. */
export function coerceBody(received: Exclude<ReceivedBody, ReceivedJson>): Candidate[] {
  if (received.kind === 'absent') return [...received.schemas].map(withoutValue)
  const { type, schema } = received
  if (received.kind === 'empty') {
    const empty = { schema: schema.schema, coerce: () => coerceEmpty(type, schema) }
    return [withoutValue(schema), empty]
  }
  return [schema, ...schema.alternatives].map((one) => ({
    schema: one.schema,
    coerce: () => coerceContent({ ...received, schema: one }),
  }))
}

function withoutValue({ schema }: PreparedSchema): Candidate {
  return { schema, coerce: () => ({ value: undefined }) }
}

/**
 * Returns the value for a body without bytes, if the schema rejects undefined: a form without fields, an empty string
 * or an empty file, by media type. For JSON it stays undefined.
 */
function coerceEmpty(type: string, schema: PreparedSchema): StandardSchemaV1.Result<unknown> {
  if (isFileShape(schema.whole)) return { value: new File([], '', { type }) }
  if (type === FORM) return coerceForm(new Map(), schema)
  return { value: isJson(type) ? undefined : '' }
}

/** Decodes a body's content as the media type requires. */
export function coerceContent({
  content,
  schema,
}: ReceivedContent): StandardSchemaV1.Result<unknown> {
  if (content instanceof File) return { value: content }
  if (typeof content !== 'string') return coerceForm(content, schema)
  return { value: coerceScalar(content, schema.whole) }
}

/** Parses a JSON body. Throws an OperationInputError if it is not valid JSON. */
export function parseJsonBody({ content, schema }: ReceivedJson): unknown {
  try {
    return parseJsonFor(schema, content)
  } catch (error) {
    if (error instanceof RangeError) throw inputError('body', error.message, 'invalid')
    const why = error instanceof Error ? error.message : String(error)
    throw inputError('body', `not valid JSON: ${why}`, 'malformed')
  }
}
