import { matchesRange, mediaTypeOf } from '@plumbline/base'
import { writeBody, writeHeaders, writeUrl } from '@plumbline/openapi/internal'
import type { WrittenCredentials } from './authorize.ts'
import type { Parts } from './parts.ts'
import type { OperationPlan } from './plan.ts'
import { typeWithin } from './type-within.ts'

/** A body and headers that replace a request's own. */
export interface Replaced {
  readonly body: BodyInit | null
  readonly contentType: string
}

/** How a request is written. */
export interface Writing {
  readonly basePath: string
  /** None by default. */
  readonly written?: WrittenCredentials
  readonly replaced?: Replaced | undefined
  /** Defaults to the operation's own method. */
  readonly method?: string | undefined
}

/** Writes a request. Throws a TypeError for values that cannot be written. */
export function writeRequest(
  { method: own, operation }: OperationPlan,
  parts: Parts,
  { basePath, written = NONE, replaced, method = own.toUpperCase() }: Writing,
): Request {
  const body = method === 'GET' || method === 'HEAD' ? null : parts.body
  const facts = {
    method,
    pattern: operation.pattern,
    responses: {},
    problems: [],
    body: body === null ? [] : [body.plan.type],
  }
  const url = new URL(writeUrl(facts, (operation.origin ?? 'http://localhost') + basePath, parts))
  for (const [name, value] of written.query) url.searchParams.append(name, value)
  const headers = new Headers()
  writeHeaders(parts, headers)
  for (const [name, value] of written.headers) headers.set(name, value)
  const cookies = [headers.get('Cookie') ?? [], written.cookies].flat()
  if (cookies.length > 0) headers.set('Cookie', cookies.join('; '))
  const contentType = body === null ? undefined : contentTypeOf(body)
  const content = replaced
    ? replaced.body
    : writeBody(facts, { body: body?.value, contentType }, headers)
  if (replaced) headers.set('Content-Type', replaced.contentType)
  return new Request(url, { method, headers, body: content })
}

/** A file is sent with its own type, if the operation declares it. */
function contentTypeOf({ plan, value }: NonNullable<Parts['body']>): string {
  const isFile = value instanceof Blob && value.type !== ''
  const isDeclared = isFile && matchesRange(mediaTypeOf(plan.type), value.type)
  return isDeclared ? value.type : typeWithin(plan.type)
}

const NONE: WrittenCredentials = { headers: [], query: [], cookies: [] }
