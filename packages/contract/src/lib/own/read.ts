import { OperationInputError } from '@plumbline/openapi'
import {
  type Contract,
  coerceContent,
  coerceParameters,
  coerceValue,
  type PreparedParameters,
  parseJsonBody,
  preparedOf,
  prepareSchema,
  type RouterParams,
  receiveBody,
  receiveParameters,
  type Values,
} from '@plumbline/openapi/internal'
import type { ParameterLocation, ReadParameters, SentBody } from '../source.ts'

/** Reads the parameters in some request parts, as parsing does. */
export function readParameters(
  { spec }: Contract,
  request: Request,
  params: RouterParams,
  locations: readonly ParameterLocation[],
): ReadonlyMap<ParameterLocation, ReadParameters> {
  const read = new Map<ParameterLocation, ReadParameters>()
  for (const prepared of preparedOf(spec).parameters) {
    const { location } = prepared
    const received = locations.includes(location) ? receive(prepared, request, params) : null
    if (received === null) continue
    let values: Readonly<Record<string, unknown>> | null = null
    read.set(location, {
      has: (name) => received.has(name),
      get values() {
        values ??= coerceParameters[location](received, prepared)
        return values
      },
    })
  }
  return read
}

/** Returns null if the query is not UTF-8: the handler did not read it either. */
function receive(
  prepared: PreparedParameters,
  request: Request,
  params: RouterParams,
): Values<string> | null {
  try {
    return receiveParameters[prepared.location](request, prepared, params)
  } catch (error) {
    if (error instanceof OperationInputError) return null
    throw error
  }
}

/** Reads a body as the schema receives it. */
export async function readBody(
  { spec }: Contract,
  request: Request,
  bytes: ArrayBuffer | null,
): Promise<SentBody | null> {
  const { body } = preparedOf(spec)
  if (body === null) return null
  const received = receiveBody(body, request, bytes ?? (await request.arrayBuffer()))
  if (received.kind === 'json') return { isAbsent: false, value: parseJsonBody(received) }
  if (received.kind !== 'content') return { isAbsent: true, value: undefined }
  const coerced = coerceContent(received)
  return coerced.issues ? null : { isAbsent: false, value: coerced.value }
}

/** Reads a response header as its schema receives it. */
export function readHeader({ spec }: Contract, key: string, name: string, text: string): unknown {
  // Keys in `responses` are a status, a range or `default`.
  const schema = spec.responses?.[key as 'default']?.headers?.[name]?.schema
  const shape = schema && prepareSchema(schema).whole
  return shape ? coerceValue(text, shape) : text
}
