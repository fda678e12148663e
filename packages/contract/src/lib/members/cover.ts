import { JSON_RANGES } from '@plumbline/base'
import type { CheckedContent, RouterParams } from '@plumbline/openapi/internal'
import type { ParameterLocation, SentBody, SourceOperation } from '../source.ts'
import { itemsOf } from './items.ts'
import type { Members } from './plan.ts'
import { coverSlot, type Tally } from './slot.ts'

/** A checked exchange with an operation. */
export interface CountedExchange {
  readonly operation: SourceOperation
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
export async function readSent(
  operation: SourceOperation,
  copy: Request,
): Promise<SentBody | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, null)
  })
  try {
    return await Promise.race([operation.readBody(copy, null).catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a body from the bytes the handler kept. */
export async function readKept(
  operation: SourceOperation,
  request: Request,
  bytes: ArrayBuffer,
): Promise<SentBody | null> {
  return await operation.readBody(request, bytes).catch(() => null)
}

/**
 * Adds all items an exchange covers. A rejected request covers only the response's items, because the handler may not
 * have read it.
 */
export function coverExchange(exchange: CountedExchange, covered: Tally): void {
  const { operation, request, response, problem, members, content, sent } = exchange
  const { status, problems, mediaTypes } = itemsOf(operation)
  covered.add(status(response.status))
  const item = problem === null ? undefined : problems.get(problem)
  if (item) covered.add(item)
  if (members !== null && content !== null) coverResponse(members, exchange, content, covered)
  if (response.status >= 400) return
  const type = operation.mediaTypeOf(request)
  const media = type === undefined ? undefined : mediaTypes.get(type)
  if (media) covered.add(media)
  coverParameters(exchange, covered)
  if (members !== null && sent !== null) coverBody(members, sent, type, covered)
}

function coverParameters(
  { operation, members, request, params }: CountedExchange,
  covered: Tally,
): void {
  const { parameters } = itemsOf(operation)
  const optionalAt = (location: ParameterLocation) =>
    location === 'params' ? undefined : parameters.get(location)
  const wanted = LOCATIONS.filter(
    (location) => optionalAt(location)?.size || members?.parameters[location].size,
  )
  if (wanted.length === 0) return
  for (const [location, sent] of operation.readParameters(request, params, wanted)) {
    for (const [name, item] of optionalAt(location) ?? []) if (sent.has(name)) covered.add(item)
    for (const [name, slot] of members?.parameters[location] ?? []) {
      const { values } = sent
      coverSlot(slot, Object.hasOwn(values, name) ? values[name] : undefined, covered)
    }
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
  { operation, response }: CountedExchange,
  content: CheckedContent,
  covered: Tally,
): void {
  const declared = responses.get(content.key)
  if (declared === undefined) return
  for (const [name, slot] of declared.headers) {
    const text = response.headers.get(name)
    const value = text === null ? undefined : operation.readHeader(content.key, name, text)
    coverSlot(slot, value, covered)
  }
  const { range } = content
  const slot = declared.bodies.get(range === JSON_SUFFIX ? JSON_TYPE : (range ?? ''))
  if (slot && content.value !== undefined) coverSlot(slot, content.value, covered)
}

const [JSON_TYPE = '', JSON_SUFFIX] = JSON_RANGES
const LOCATIONS = ['params', 'query', 'headers', 'cookies'] as const
/** The time (ms) after which a request body counts as endless. */
const TIMEOUT_MS = 2_000
