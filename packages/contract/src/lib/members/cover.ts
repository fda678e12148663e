import { JSON_RANGES } from '@plumbline/base'
import { OperationInputError } from '@plumbline/openapi'
import {
  type CheckedContent,
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
import { coveredMediaType, itemsOf } from './items.ts'
import type { Members } from './plan.ts'
import { coverSlot, type Tally } from './slot.ts'

/** A checked exchange with an operation. */
export interface CountedExchange {
  readonly contract: Contract
  readonly request: Request
  readonly params: RouterParams
  readonly response: Response
  /** The name of the response's problem; null if it is not a declared problem. */
  readonly problem: string | null
  /** The members to count; null if the exchange has a violation. */
  readonly members: Members | null
  readonly content: CheckedContent | null
  /** The request body; null if it was not read. */
  readonly sent: SentBody | null
}

/** An accepted request's body, before the schema transforms it. */
export interface SentBody {
  readonly isAbsent: boolean
  readonly value: unknown
}

/** Whether members are counted in a request's body. */
export function countsBody({ bodies, withoutBody }: Members, { method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD' && (bodies.size > 0 || withoutBody !== null)
}

/** Copies a request if members are counted in the body. */
export function copyRequest(members: Members, request: Request): Request | null {
  if (!countsBody(members, request)) return null
  // A body cannot be copied once it is read.
  return request.bodyUsed || request.body?.locked ? null : request.clone()
}

/** Reads a copied body. Returns null if it cannot be read, or not in time: then it does not cover any item. */
export async function readSent(contract: Contract, copy: Request): Promise<SentBody | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, null)
  })
  try {
    return await Promise.race([readSentBody(contract, copy).catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a body from the bytes the handler kept. */
export async function readKept(
  contract: Contract,
  request: Request,
  bytes: ArrayBuffer,
): Promise<SentBody | null> {
  return await readSentBody(contract, request, bytes).catch(() => null)
}

/** Reads a body as the schema receives it. */
async function readSentBody(
  { spec }: Contract,
  request: Request,
  bytes: ArrayBuffer | null = null,
): Promise<SentBody | null> {
  const { body } = preparedOf(spec)
  if (body === null) return null
  const received = await receiveBody(body, request, bytes ?? (await request.arrayBuffer()))
  if (received.kind === 'json') return { isAbsent: false, value: parseJsonBody(received) }
  if (received.kind !== 'content') return { isAbsent: true, value: undefined }
  const coerced = coerceContent(received)
  return coerced.issues ? null : { isAbsent: false, value: coerced.value }
}

/**
 * Adds all items an exchange covers. A rejected request covers only the response's items, because the handler may not
 * have read it.
 */
export function coverExchange(exchange: CountedExchange, covered: Tally): void {
  const { contract, request, response, problem, members, content, sent } = exchange
  const { status, problems, mediaTypes } = itemsOf(contract)
  covered.add(status(response.status))
  const item = problem === null ? undefined : problems.get(problem)
  if (item) covered.add(item)
  if (members !== null && content !== null) coverResponse(members, exchange, content, covered)
  if (response.status >= 400) return
  const type = coveredMediaType(contract, request)
  const media = type === undefined ? undefined : mediaTypes.get(type)
  if (media) covered.add(media)
  coverParameters(exchange, covered)
  if (members !== null && sent !== null) coverBody(members, sent, type, covered)
}

function coverParameters(
  { contract, members, request, params }: CountedExchange,
  covered: Tally,
): void {
  const { parameters } = itemsOf(contract)
  for (const prepared of preparedOf(contract.spec).parameters) {
    const { location } = prepared
    const optional = parameters.get(location)
    const slots = members?.parameters[location]
    if (!optional?.size && !slots?.size) continue
    const received = readParameters(prepared, request, params)
    if (received === null) continue
    for (const [name, item] of optional ?? []) if (received.has(name)) covered.add(item)
    if (!slots?.size) continue
    const values = coerceParameters[location](received, prepared)
    for (const [name, slot] of slots) {
      coverSlot(slot, Object.hasOwn(values, name) ? values[name] : undefined, covered)
    }
  }
}

/** Reads the sent parameters. Returns null if the query is not UTF-8: the handler did not read it either. */
function readParameters(
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

function coverBody(
  { bodies, withoutBody }: Members,
  { isAbsent, value }: SentBody,
  type: string | undefined,
  covered: Tally,
): void {
  if ((isAbsent || type === undefined) && withoutBody !== null) covered.add(withoutBody)
  const slot = type === undefined ? undefined : bodies.get(type)
  if (slot && value !== undefined) coverSlot(slot, value, covered)
}

function coverResponse(
  { responses }: Members,
  { contract, response }: CountedExchange,
  content: CheckedContent,
  covered: Tally,
): void {
  const declared = responses.get(content.key)
  if (declared === undefined) return
  for (const [name, slot] of declared.headers) {
    const text = response.headers.get(name)
    // Keys in `responses` are a status, a range or `default`.
    const spec = contract.spec.responses?.[content.key as 'default']
    const schema = spec?.headers?.[name]?.schema
    const shape = schema && prepareSchema(schema).whole
    coverSlot(slot, text === null ? undefined : shape ? coerceValue(text, shape) : text, covered)
  }
  const { range } = content
  const slot = declared.bodies.get(range === JSON_SUFFIX ? JSON_TYPE : (range ?? ''))
  if (slot && content.value !== undefined) coverSlot(slot, content.value, covered)
}

const [JSON_TYPE = '', JSON_SUFFIX] = JSON_RANGES
/** The time (ms) after which a request body counts as endless. */
const TIMEOUT_MS = 2_000
