import { type Incoming, incomingOf, receives, requestOf } from '@plumbline/base'
import type { RouteTable } from '../routing/route-table.ts'
import type { AnswerDefault } from './default-answers.ts'
import type { ServedOperation } from './operation-handler.ts'
import type { Page } from './reference-page.ts'
import { withoutContent } from './without-content.ts'

/** Creates the function that finds each request's operation. It only rejects what is not a `Request`. */
export function createFetch(
  routes: RouteTable<ServedOperation>,
  answerDefault: AnswerDefault,
  { basePath, page }: { readonly basePath: string | undefined; readonly page: Page | null },
): (request: Incoming) => Promise<Response> {
  const answerOthers = async (request: Incoming): Promise<Response> => {
    const answerFile = page?.(routes.urlsOf(request, basePath)) ?? null
    if (answerFile !== null && (request.method === 'GET' || request.method === 'HEAD')) {
      return await answerFile(requestOf(request))
    }
    const methods = answerFile === null ? routes.methodsOf(request, basePath) : ['get']
    const response =
      methods.length === 0
        ? answerDefault('notFound', { detail: describeUnmatched(request, routes, basePath) })
        : answerOther(request, methods, answerDefault)
    return withoutContent(request, response)
  }
  const answer = (received: Incoming, adapter?: unknown, next?: unknown): Promise<Response> => {
    if (typeof received.headers?.get !== 'function') return rejectMount(next, answerDefault)
    const request = adapter === undefined ? received : incomingOf(requestOf(received), adapter)
    const found = routes.find(request, basePath)
    return found === null ? answerOthers(request) : found.value.handle(request, found.params)
  }
  return receives(answer, async (request, error) => {
    const found = routes.find(request, basePath)
    if (found !== null) return await found.value.recover(request, error)
    // Only operations report errors to `onError`.
    console.error(error)
    return answerDefault('internal')
  })
}

/**
 * Rejects an argument that is not a web-standard Request. Express waits for `next`, so an API that is mounted without a
 * listener would never answer.
 */
async function rejectMount(next: unknown, answerDefault: AnswerDefault): Promise<Response> {
  const fault = new TypeError(
    'fetch must receive a Request: mount createRequestListener(api) of @plumbline/openapi/node',
  )
  if (typeof next !== 'function') throw fault
  next(fault)
  return answerDefault('internal')
}

/** Says which path was looked for. The query is left out, because it may contain secrets. */
function describeUnmatched(
  request: Incoming,
  routes: RouteTable<ServedOperation>,
  basePath: string | undefined,
): string {
  const { pathname } = new URL(request.url)
  return routes.urlsOf(request, basePath).length === 0
    ? `The path ${pathname} is not below ${basePath}.`
    : `No operation matches the path ${pathname}.`
}

/** Answers a method the path does not support, or OPTIONS. */
function answerOther(
  request: Incoming,
  methods: readonly string[],
  answerDefault: AnswerDefault,
): Response {
  // GET serves HEAD, and this function serves OPTIONS.
  const supported = methods.flatMap((method) => (method === 'get' ? ['get', 'head'] : [method]))
  const all = [...new Set([...supported, 'options'])]
  const headers = { Allow: all.map((method) => method.toUpperCase()).join(', ') }
  return request.method === 'OPTIONS'
    ? new Response(null, { status: 204, headers })
    : answerDefault('methodNotAllowed', { headers })
}
