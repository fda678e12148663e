import type { Bytes, Incoming } from '@plumbline/base'
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
import { runSchema, type SchemaResult } from '../schema/run-schema.ts'
import type { Shape } from '../schema/shape/shape.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import { inputError } from './input-error.ts'
import type { ParameterLocation, PreparedPart } from './prepare.ts'
import {
  type ReceivedBody,
  type ReceivedContent,
  type ReceivedJson,
  receiveBody,
  receiveParameters,
} from './receive.ts'

/** A request as it was sent. */
export interface SentRequest {
  readonly request: Incoming
  /** The values of the route's variables. */
  readonly routed: RouterParams
  /** The body's bytes; null before they are read. */
  readonly bytes: Bytes | 'unreadable' | null
}

/**
 * Receives, coerces and validates one part of a request; null for a body whose bytes must be read first. If the
 * alternatives of a schema give a key different types, the combined alternatives come first, then each of them in
 * order. Throws an OperationInputError or a ContentError for a part that cannot be received.
 */
export function validatePart(
  part: PreparedPart,
  { request, routed, bytes }: SentRequest,
): SchemaResult | Promise<SchemaResult> | null {
  if (part.location === 'body') {
    if (bytes === null) return null
    const received = receiveBody(part, request, bytes)
    return validateBody(received)
  }
  const { location, alternatives } = part
  const values = receiveParameters[location](request, part, routed)
  return firstAccepted(part, alternatives, (one) => ({
    value: coerceParameters[location](values, one),
  }))
}

function validateBody(received: ReceivedBody): SchemaResult | Promise<SchemaResult> {
  if (received.kind === 'absent') {
    const [first, ...others] = received.schemas
    return first ? firstAccepted(first, others, () => ABSENT) : ABSENT
  }
  const { schema } = received
  if (received.kind === 'empty') {
    // It may be absent, but is rejected as the media type's empty value.
    return orElse(run(schema, ABSENT), () => run(schema, coerceContent(received)))
  }
  // JSON values have types, so they are not coerced.
  if (received.kind === 'json') return run(schema, { value: parseJsonBody(received) })
  return firstAccepted(schema, schema.alternatives, (one) => coerceContent(received, one))
}

/** A value for a schema, or the issues that prevent coercing it. */
type Coerced = StandardSchemaV1.Result<unknown>

/** Validates with one schema after another, until one accepts. If none does, returns the first rejection. */
function firstAccepted(
  schema: PreparedSchema,
  others: readonly PreparedSchema[],
  coerce: (schema: PreparedSchema) => Coerced,
): SchemaResult | Promise<SchemaResult> {
  const validate = (one: PreparedSchema) => run(one, coerce(one))
  const first = validate(schema)
  if (others.length === 0) return first
  let result = first
  for (const other of others) result = orElse(result, () => validate(other))
  return orElse(result, () => first)
}

/** Returns a result, or another one in place of a rejection. */
function orElse(
  result: SchemaResult | Promise<SchemaResult>,
  other: () => SchemaResult | Promise<SchemaResult>,
): SchemaResult | Promise<SchemaResult> {
  if (result instanceof Promise) return result.then((known) => orElse(known, other))
  return result.issues ? other() : result
}

function run({ schema }: PreparedSchema, coerced: Coerced): SchemaResult | Promise<SchemaResult> {
  return coerced.issues ? coerced : runSchema(schema, coerced.value)
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

/** Decodes a body's content as the media type requires. */
export function coerceContent(
  { content, schema: declared }: ReceivedContent,
  schema: PreparedSchema = declared,
): Coerced {
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

/** An absent body. */
const ABSENT: Coerced = { value: undefined }
