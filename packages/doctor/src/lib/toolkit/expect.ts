import type { Received } from '../http/exchange.ts'
import {
  isJsonObject,
  isSameJson,
  type JsonObject,
  type MemberPath,
  memberAt,
  objectsOf,
  pathText,
} from '../json.ts'
import { fail, skip } from './finding.ts'

/** Requires one of these statuses. */
export function expectStatus(response: Received, ...statuses: readonly number[]): void {
  if (statuses.includes(response.status)) return
  const detail = memberAt(response.body, 'detail')
  const why = typeof detail === 'string' ? `: ${shorten(detail)}` : ''
  fail(`${response.request} to answer ${statuses.join(' or ')}`, `${response.status}${why}`)
}

/** Requires a rejection with any error status: a rule that a value must not be stored does not say which one. */
export function expectRejection({ status, request }: Received): void {
  expectThat(status >= 400, `${request} to be rejected`, status)
}

/**
 * Requires an error with the status and, if given, one of the scimTypes. Separate checks examine the form of errors.
 */
export function expectError(
  response: Received,
  status: number | readonly number[],
  scimType?: string | readonly string[],
): void {
  expectStatus(response, ...[status].flat())
  if (scimType === undefined) return
  const wanted = [scimType].flat()
  const found = memberAt(response.body, 'scimType')
  if (wanted.includes(String(found))) return
  fail(`${response.request} to answer scimType ${wanted.join(' or ')}`, show(found))
}

/** Requires a member of a response or an object. With a third argument, the value must equal it. Returns the value. */
export function expectMember(
  subject: Received | JsonObject,
  path: MemberPath,
  ...expected: readonly unknown[]
): unknown {
  const found = memberAt(bodyOf(subject), path)
  const where = `${placeOf(subject)}${pathText(path)}`
  if (expected.length === 0 ? found !== undefined : isSameJson(found, expected[0])) return found
  return fail(
    expected.length === 0 ? `${where}` : `${where} to be ${show(expected[0])}`,
    found === undefined ? 'no such member' : show(found),
  )
}

/** Requires that a member is absent; null and an empty list are absent, too (RFC 7643 §2.5). */
export function expectAbsent(subject: Received | JsonObject, path: MemberPath): void {
  const found = memberAt(bodyOf(subject), path)
  if (found === undefined || found === null || (Array.isArray(found) && found.length === 0)) return
  fail(`${placeOf(subject)}${pathText(path)} to be absent`, show(found))
}

/** Requires equal JSON values. */
export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (!isSameJson(found, expected)) fail(`${what} to be ${show(expected)}`, show(found))
}

/** Requires a value for which `isValid` is true. `what` is a noun phrase. */
export function expectThat(isValid: boolean, what: string, found: unknown): void {
  if (!isValid) fail(what, show(found))
}

/** Requires an empty list of differences. `what` is a noun phrase. */
export function expectNoDifferences(lines: readonly string[], what: string): void {
  if (lines.length > 0) fail(what, lines.join('; '))
}

/**
 * Requires a PUT or PATCH to be rejected because a value is not unique: 400 and 409 are both permitted for them (RFC
 * 7644 §3.12, Table 9), but POST answers 409.
 */
export function expectTaken(response: Received): void {
  if (response.status === 400) expectError(response, 400, 'uniqueness')
  else expectStatus(response, 409)
}

/** Requires a list response with status 200 and returns the resources. */
export function expectList(response: Received): readonly JsonObject[] {
  // RFC 7644 §3.4.2.1: a server must reject a query with too many results.
  if (response.status === 400 && memberAt(response.body, 'scimType') === 'tooMany') {
    skip(`${response.request} has too many results for the server.`)
  }
  expectStatus(response, 200)
  const resources = memberAt(response.body, 'Resources')
  // RFC 7644 §3.4.2: Resources is required if totalResults is not zero.
  if (resources === undefined && memberAt(response.body, 'totalResults') === 0) return []
  if (!Array.isArray(resources))
    return fail(`${response.request} to answer Resources`, show(resources))
  return objectsOf(resources)
}

/** Requires a header whose value matches the pattern, and returns the value. */
export function expectHeader(response: Received, name: string, pattern: RegExp = /\S/): string {
  const found = response.headers.get(name)
  if (found !== null && pattern.test(found)) return found
  return fail(
    `${response.request} to answer ${name} like ${pattern.source}`,
    show(found ?? undefined),
  )
}

/** A value for a message, shortened. */
export function show(value: unknown): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value))
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function isReceived(subject: Received | JsonObject): subject is Received {
  return 'headers' in subject && subject.headers instanceof Headers
}

function bodyOf(subject: Received | JsonObject): unknown {
  return isReceived(subject) ? subject.json : subject
}

function placeOf(subject: Received | JsonObject): string {
  if (isReceived(subject)) return `${subject.request}: `
  const name = isJsonObject(subject) ? (subject.id ?? subject.name) : undefined
  return typeof name === 'string' ? `${name}: ` : ''
}
