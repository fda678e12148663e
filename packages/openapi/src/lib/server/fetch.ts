import { type Incoming, receives, requestOf } from '../incoming.ts'
import type { RouteTable } from '../routing/route-table.ts'
import type { AnswerDefault } from './default-answers.ts'
import { type OperationHandler, withoutBody } from './operation-handler.ts'
import type { Page } from './reference-page.ts'

/** Creates the function that finds each request's operation. It never rejects. */
export function createFetch(
  routes: RouteTable<OperationHandler>,
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
        ? answerDefault('notFound')
        : answerOther(request, methods, answerDefault)
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
  return receives((request) => {
    const found = routes.find(request, basePath)
    return found === null ? answerOthers(request) : found.value(request, found.params)
  })
}

/** Answers a method the path does not support, or OPTIONS. */
function answerOther(
  request: Incoming,
  methods: readonly string[],
  answerDefault: AnswerDefault,
): Response {
  // HEAD is served by GET, and OPTIONS by this function.
  const supported = methods.flatMap((method) => (method === 'get' ? ['get', 'head'] : [method]))
  const all = [...new Set([...supported, 'options'])]
  const headers = { Allow: all.map((method) => method.toUpperCase()).join(', ') }
  return request.method === 'OPTIONS'
    ? new Response(null, { status: 204, headers })
    : answerDefault('methodNotAllowed', { headers })
}
