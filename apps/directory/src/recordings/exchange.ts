import type { AnsweredRequest } from '../provisioning/entry.ts'
import { type MaskLimits, mask } from '../provisioning/mask.ts'
import { maskQuery } from '../provisioning/mask-text.ts'

/** A recorded request and its answer, without the values of sensitive attributes. */
export interface RecordedExchange {
  readonly method: string
  /** The path below the SCIM endpoint, with the query. */
  readonly target: string
  readonly route: string
  readonly tokenId: string | null
  readonly contentType: string | null
  readonly body?: unknown
  readonly status: number
  /** Absent if the answer does not have a body, or a very large one. */
  readonly answer?: unknown
}

/** The JSON of an exchange to store; null if it cannot be replayed, because a part of it is missing. */
export function exchangeText(answered: AnsweredRequest, answer: string | null): string | null {
  const { request, target, route, status, body, tokenId } = answered
  if (route === null || target.length > LONGEST_TARGET) return null
  const masked = body === undefined ? null : mask(body, LIMITS)
  if (masked?.isCut) return null
  const shown = answer === null || answer === '' ? null : mask(JSON.parse(answer), LIMITS)
  const [path = '', query] = target.split('?', 2)
  const exchange: RecordedExchange = {
    method: request.method,
    target: query === undefined ? path : `${path}?${maskQuery(query)}`,
    ...{ route, tokenId, status },
    contentType: request.headers.get('Content-Type'),
    ...(masked === null ? {} : { body: masked.value }),
    ...(shown === null || shown.isCut ? {} : { answer: shown.value }),
  }
  return JSON.stringify(exchange)
}

/** A group with thousands of members is recorded, and a larger body is not. */
const LIMITS: MaskLimits = { values: 20_000, text: 20_000 }
const LONGEST_TARGET = 8_000
