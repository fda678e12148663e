import { failure, type Result, success } from '@plumbline/result'
import { TOKEN } from '../http/media-types.ts'
import { parseUrlencoded } from '../http/urlencoded.ts'
import type { Shape } from '../schema/shape/shape.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import { addValue, objectOf, type ReadOptions, type Values } from './coerce.ts'
import type { PartLocation, PreparedContract } from './contract.ts'
import { OperationInputError } from './input-error.ts'
import { readBody } from './receive.ts'
import { readAndValidate } from './validate.ts'

/** The parts of a request, as their schemas return them. */
export interface Parts {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly cookies: unknown
  readonly body: unknown
}

/**
 * Reads a request by a prepared contract, up to the first part that is rejected. Does not wait for a
 * schema that validates synchronously.
 */
export async function parseRequest(
  contract: () => PreparedContract,
  request: Request,
  routed: RouterParams,
): Promise<Result<Parts, OperationInputError>> {
  try {
    const { parts, body } = contract()
    const read: { -readonly [Location in keyof Parts]: unknown } = {
      params: routed,
      query: undefined,
      headers: undefined,
      cookies: undefined,
      body: undefined,
    }
    for (const part of parts) {
      const { location } = part
      const validated = readAndValidate(location, part, (reading) =>
        take[location](request, reading, routed),
      )
      read[location] = validated instanceof Promise ? await validated : validated
    }
    if (body) read.body = await readBody(body, request)
    return success(read)
  } catch (error) {
    if (error instanceof OperationInputError) return failure(error)
    throw error
  }
}

/** The value at a location of the request, coerced to the shapes of its schema. */
const take: Readonly<
  Record<
    PartLocation,
    (request: Request, reading: ReadOptions, routed: RouterParams) => Record<string, unknown>
  >
> = {
  params: (_, reading, routed) => paramsOf(routed, reading),
  query: queryOf,
  headers: headersOf,
  cookies: cookiesOf,
}

function paramsOf(routed: RouterParams, reading: ReadOptions): Record<string, unknown> {
  const values: Values<string> = new Map()
  for (const name of Object.keys(routed)) {
    const value = routed[name]
    if (value !== undefined) values.set(name, value)
  }
  return objectOf(values, reading)
}

function queryOf({ url }: Request, reading: ReadOptions): Record<string, unknown> {
  const values: Values<string> = new Map()
  const fragment = url.indexOf('#')
  const target = fragment < 0 ? url : url.slice(0, fragment)
  const from = target.indexOf('?')
  if (from >= 0) {
    const search = target.slice(from + 1)
    for (const [name, value] of parseUrlencoded(search)) addValue(values, name, value)
  }
  return objectOf(values, reading)
}

/** RFC 9110 §5.3: a repeated header is one list, its values separated by commas. */
function headersOf(request: Request, reading: ReadOptions): Record<string, unknown> {
  const values: Values<string> = new Map()
  for (const [name, shape] of reading.shapes) {
    // A name that is not a token fails the build, and a request cannot have it.
    const value = TOKEN.test(name) ? request.headers.get(name) : null
    if (value === null) continue
    values.set(name, isHeaderList(value, shape) ? value.split(',').map((one) => one.trim()) : value)
  }
  return objectOf(values, reading)
}

function isHeaderList(value: string, { list, raw, acceptsText }: Shape): boolean {
  return list !== null && !raw && value.includes(',') && !acceptsText(value)
}

/** RFC 6265 §5.4; of two cookies with one name, the first is the more specific one. */
function cookiesOf(request: Request, reading: ReadOptions): Record<string, unknown> {
  const values: Values<string> = new Map()
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).trim()
    if (reading.shapes.has(name) && !values.has(name))
      values.set(name, unquoted(pair.slice(equals + 1)))
  }
  return objectOf(values, reading)
}

function unquoted(text: string): string {
  const value = text.trim().replace(/^"([^"]*)"$/, '$1')
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
