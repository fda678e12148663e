import { MASK } from '../../kernel/mask-tokens.ts'
import { type AnsweredRequest, maskSegments } from '../log/entry.ts'
import { type MaskLimits, mask } from '../log/mask.ts'
import { maskQuery } from '../log/mask-text.ts'
import { sensitivityOf } from '../log/sensitive.ts'

/** A recorded request and its answer, without sensitive attribute values. */
export interface RecordedExchange {
  readonly method: string
  /** The path below the SCIM endpoint, with the query. */
  readonly target: string
  readonly route: string
  readonly tokenId: string | null
  readonly contentType: string | null
  readonly body?: unknown
  readonly status: number
  /** Absent if the answer's body is empty or very large. */
  readonly answer?: unknown
}

/** Converts an exchange to stored JSON; null if a part is missing, so it cannot be replayed. */
export function exchangeText(answered: AnsweredRequest, answer: string | null): string | null {
  const { request, target, route, status, body, tokenId, types } = answered
  if (route === null || target.length > MAX_TARGET_LENGTH) return null
  const sensitivity = sensitivityOf(types)
  const masked = body === undefined ? null : mask(body, LIMITS, sensitivity)
  if (masked?.isCut) return null
  const shown = answer ? mask(JSON.parse(answer, withoutDetail), LIMITS, sensitivity) : null
  const [path = '', query] = target.split('?', 2)
  const shownPath = maskSegments(path)
  const contentType = request.headers.get('Content-Type')
  const exchange: RecordedExchange = {
    method: request.method,
    target: query === undefined ? shownPath : `${shownPath}?${maskQuery(query, sensitivity)}`,
    route,
    tokenId,
    status,
    contentType: contentType !== null && sensitivity.isSecret(contentType) ? MASK : contentType,
    ...(masked === null ? {} : { body: masked.value }),
    ...(shown === null || shown.isCut ? {} : { answer: shown.value }),
  }
  return JSON.stringify(exchange)
}

/** Removes messages: they may quote a sensitive value, and runs don't compare them. */
function withoutDetail(name: string, value: unknown): unknown {
  return name === 'detail' ? undefined : value
}

/** Large enough to record a group with thousands of members. Larger bodies are not recorded. */
const LIMITS: MaskLimits = { values: 20_000, text: 20_000, bytes: 2 ** 20 }
const MAX_TARGET_LENGTH = 8_000
