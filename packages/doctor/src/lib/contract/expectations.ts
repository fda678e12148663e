import { own } from '../json.ts'
import { Finding } from '../toolkit/finding.ts'
import type { Answer, Sent } from './client.ts'

/** A finding about the response to a request. */
export class Mismatch extends Finding {
  readonly sent: string
  /** The advice, if it differs from that of the check. */
  readonly advice: string | null

  constructor({ sent }: Answer, expected: string, found: string, advice: string | null = null) {
    super(expected, found)
    this.sent = describe(sent)
    this.advice = advice
  }
}

/** Reports that a response differs from the expected one. */
export function mismatch(answer: Answer, expected: string, came: string = show(answer)): never {
  throw new Mismatch(answer, expected, came)
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

/** Throws unless a generated resource was created. The advice is about the creation, not about the check. */
export function expectCreated(answer: Answer): Answer {
  if (answer.status === 201) return answer
  const expected = '201, because the resource is valid by the definitions'
  throw new Mismatch(answer, expected, show(answer), ACCEPT)
}

const ACCEPT =
  'accept each resource that is valid by the definitions: allow NULL in the columns of optional attributes, remove attributes without a place with pickAttributes, name those of one column in store.sharedColumns. A rule of your own is the option adapt.'

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

function show({ status, body }: Answer): string {
  return `${status} ${cut(body)}`
}

/** Writes a value as JSON, and cuts a long one. */
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
