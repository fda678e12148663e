import { isJsonObject, parseJson } from '../src/lib/json.ts'
import { createReference, type Fetch, type ReferenceOptions } from './reference.ts'

/** A server that differs from the reference in one place, so that one check fails. */
export interface Fault {
  /** The id of the check that finds it. */
  readonly check: string
  /** The behavior of the server, for a check with several faults. */
  readonly name?: string
  /** The ids of other checks that cannot help failing, each with the reason. */
  readonly also?: Readonly<Record<string, string>>
  /** Creates the faulty server. `correct` is a fresh reference; `reference(options)` creates one with other options. */
  readonly fault: Change
}

/** Makes a faulty server of a correct one. */
export type Change = (correct: Fetch) => Fetch

export function defineFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults
}

/** A fresh reference with other options, such as another store. */
export function reference(options: ReferenceOptions): () => Fetch {
  return () => createReference(options)
}

/** A JSON body, as `JSON.parse` returns it: a fault reads and changes members of any document. */
export type Body = ReturnType<typeof JSON.parse>

/** The parts of a response that a fault changes. */
export interface Answer {
  status: number
  headers: Headers
  /** The parsed body; undefined without one. */
  body: Body
}

/** A request as a fault sees it. */
export interface SentRequest {
  readonly method: string
  /** The path below the base URL, decoded. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The parsed body, which is an object; undefined without one. */
  readonly body: Body
}

/**
 * Changes the responses of a route, such as `GET /Users/:id`: `:id` is one segment, `*` is any rest. The function
 * changes the answer in place; if it returns false, the response is sent as it was.
 */
export function answers(
  route: string,
  change: (answer: Answer, sent: SentRequest) => unknown,
): Change {
  return (correct) => async (request) => {
    const sent = await askedOf(request, route)
    const response = await correct(request)
    if (sent === null) return response
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: new Headers(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    }
    return (await change(answer, sent)) === false ? rewrite(response, text) : write(answer)
  }
}

/**
 * Changes the requests of a route before the reference reads them. The function returns the changed parts; null
 * leaves the request as it was.
 */
export function receives(
  route: string,
  change: (sent: SentRequest) => { query?: URLSearchParams; headers?: Headers; body?: Body } | null,
): Change {
  return (correct) => async (request) => {
    const sent = await askedOf(request, route)
    const changed = sent === null ? null : change(sent)
    if (sent === null || changed === null) return correct(request)
    const url = new URL(request.url)
    if (changed.query !== undefined) url.search = changed.query.toString()
    const body = 'body' in changed ? changed.body : sent.body
    const headers = changed.headers ?? request.headers
    const init = body === undefined ? { headers } : { headers, body: textOf(body) }
    return correct(new Request(url, { method: request.method, ...init }))
  }
}

/** Answers a route without the reference. Null asks the reference. */
export function replies(
  route: string,
  reply: (
    sent: SentRequest,
  ) => { status: number; body?: Body; headers?: Record<string, string> } | null,
): Change {
  return (correct) => async (request) => {
    const sent = await askedOf(request, route)
    const answer = sent === null ? null : reply(sent)
    if (answer === null) return correct(request)
    const headers = new Headers({ 'Content-Type': 'application/scim+json', ...answer.headers })
    return write({ status: answer.status, headers, body: answer.body })
  }
}

/**
 * Answers the requests of a route whose body is not a JSON object, such as `[]`. The other helpers leave such
 * requests to the reference.
 */
export function repliesToText(
  route: string,
  reply: (text: string) => { status: number } | null,
): Change {
  return (correct) => async (request) => {
    const text = request.body === null ? '' : await request.clone().text()
    const sent = { method: request.method, path: pathOf(request.url) }
    const answer = isRoute(route, sent) && !isJsonObject(parseJson(text)) ? reply(text) : null
    return answer === null ? correct(request) : new Response(null, answer)
  }
}

/** Returns whether a route has the method and the path below the base URL. */
function isRoute(route: string, sent: { method: string; path: string }): boolean {
  const [method, pattern = ''] = route.split(' ')
  return (method === '*' || method === sent.method) && patternOf(pattern).test(sent.path)
}

function write({ status, headers, body }: Answer): Response {
  headers.delete('Content-Length')
  const isEmpty = body === undefined || status === 204 || status === 304
  return new Response(isEmpty ? null : textOf(body), { status, headers })
}

function rewrite({ status, headers }: Response, text: string): Response {
  return new Response(text === '' ? null : text, { status, headers })
}

/** A string is sent as it is, which allows bodies that are not JSON. */
function textOf(body: Body): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The body of a request, for a fault without the helpers; an empty object if it is not a JSON object. */
export async function bodyOf(request: Request): Promise<Body> {
  const body = parseJson(await request.clone().text())
  return isJsonObject(body) ? body : {}
}

/** The path of a URL below the base URL, decoded; as it is if it cannot be decoded. */
function pathOf(url: string): string {
  const path = new URL(url).pathname.slice('/scim/v2'.length)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

async function askedOf(request: Request, route: string): Promise<SentRequest | null> {
  const url = new URL(request.url)
  const path = pathOf(request.url)
  if (!isRoute(route, { method: request.method, path })) return null
  const text = request.body === null ? '' : await request.clone().text()
  const body: Body = text === '' ? undefined : parseJson(text)
  if (text !== '' && !isJsonObject(body)) return null
  return { method: request.method, path, query: url.searchParams, headers: request.headers, body }
}

function patternOf(pattern: string): RegExp {
  return new RegExp(
    `^${pattern.replace(/[.$]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`,
  )
}
