import { own } from '../json.ts'
import type { Answer, Sent } from './client.ts'

/** Throws an error with the request, the expected and the actual response. */
export function mismatch(answer: Answer, expected: string, came: string = show(answer)): never {
  throw new Error(
    [`sent: ${describe(answer.sent)}`, `expected: ${expected}`, `came: ${came}`].join('\n'),
  )
}

/** Throws unless the response has the status, or one of the statuses. */
export function expectStatus(
  answer: Answer,
  wanted: number | readonly number[],
  reason = '',
): Answer {
  const list = [wanted].flat()
  if (list.includes(answer.status)) return answer
  return mismatch(answer, `${list.join(' or ')}${reason && `, because ${reason}`}`)
}

/** Throws unless the response is an error document with the status and the scimType. */
export function expectError(
  answer: Answer,
  status: number,
  scimType: string | null,
  reason: string,
): void {
  expectStatus(answer, status, reason)
  const found = own(answer.body, 'scimType')
  if (scimType !== null && found !== scimType) {
    mismatch(answer, `${status} with the scimType ${scimType}, because ${reason}`)
  }
}

/** Throws if there are differences. */
export function expectNone(answer: Answer, lines: readonly string[], what: string): void {
  if (lines.length > 0) mismatch(answer, what, lines.join('\n  '))
}

function describe({ method, path, body, headers = {} }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `; ${name}: ${value}`)
  return `${method} ${decode(path)}${lines.join('')}${body === undefined ? '' : ` ${cut(body)}`}`
}

function show({ status, body, fault }: Answer): string {
  return `${status} ${cut(body)}${fault === undefined ? '' : `, because of ${String(fault)}`}`
}

/** The JSON of a value. Only the start of a long one is shown. */
export function cut(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '))
  } catch {
    return path
  }
}

const LONGEST = 1_000
