import { createRouter } from '@remix-run/fetch-router'
import { Route } from '@remix-run/fetch-router/routes'
import { createSetup } from '../features/setup-links/pages/setup.ts'
import type { Admission } from '../kernel/access/admission.ts'
import type { AuthOptions } from '../kernel/access/authenticate.ts'
import { isSafe, isSameOrigin } from '../kernel/access/same-origin.ts'
import { attach } from '../kernel/memoize.ts'
import type { Answered, OpenFacts } from '../kernel/requests/outcome.ts'
import { originOf, receivedOf } from '../kernel/requests/received.ts'
import { isTransient } from '../kernel/store/faults.ts'
import { serveAsset } from './console/assets.ts'
import type { Exchange, Served } from './console/context.ts'
import { answerFault } from './console/fault-page.ts'
import { ConsoleError } from './console/faults.ts'
import { protectConsole } from './console/headers.ts'
import { routes } from './console/routes.ts'
import { createContexts } from './exchange.ts'
import { SECTIONS } from './sections.ts'
import { createSignIn } from './sign-in.ts'

/** The server parts used in the console. */
export interface ConsoleOptions extends Served {
  readonly auth: AuthOptions
  readonly admission: Admission
}

/** Creates the console. It answers each request below its path, and never rejects. */
export function createConsole(options: ConsoleOptions): (request: Request) => Promise<Answered> {
  const { get: factsOf } = attach((_: Request): OpenFacts => ({}))
  const router = createRouter({ defaultHandler: () => Promise.reject(new ConsoleError(404, '')) })
  for (const [pattern, methods] of handlersOf(options)) {
    router.map(new Route('ANY', pattern), ({ request, params }) => {
      const facts = factsOf(request)
      facts.route = pattern
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const handle = methods.get(method)
      if (handle === undefined) return answerMethod(method, [...methods.keys()])
      const exchange = { request, params, facts, origin: originOf(request, receivedOf(request)) }
      if (!isSafe(method) && !isSameOrigin(request, exchange.origin)) {
        throw new ConsoleError(403, describeOrigin(exchange))
      }
      return handle(exchange)
    })
  }
  return async (request) => {
    const facts = factsOf(request)
    const response = await router.fetch(request).catch((error: unknown) => {
      // The session ended while the page was being created.
      if (error instanceof ConsoleError && error.status === 401) return openSignIn()
      if (!(error instanceof ConsoleError) && !request.signal.aborted) facts.fault ??= error
      return answerFault(faultOf(error), receivedOf(request).id)
    })
    protectConsole(response)
    if (request.method !== 'HEAD') return { response, facts }
    // A stream would not end on its own.
    await response.body?.cancel()
    return { response: new Response(null, response), facts }
  }
}

type Handle = (exchange: Exchange) => Promise<Response> | Response

/** Returns each pattern's handlers, keyed by method. */
function handlersOf(options: ConsoleOptions): ReadonlyMap<string, ReadonlyMap<string, Handle>> {
  const signIn = createSignIn(options.auth, options.admission)
  const contexts = createContexts(options.auth, options, SECTIONS)
  const handlers: readonly (readonly [Route, Handle])[] = [
    [routes.asset, ({ request, params }) => findAsset(request, params.name ?? '')],
    [routes.signIn, signIn.show],
    [routes.startSession, signIn.start],
    [routes.signOut, contexts.answering({ answer: signIn.end })],
    ...createSetup(options),
    ...SECTIONS.flatMap(({ pages }) => pages).map(
      (page) => [page.route, contexts.answering(page)] as const,
    ),
  ]
  const found = new Map<string, Map<string, Handle>>()
  for (const [route, handle] of handlers) {
    const pattern = route.pattern.source
    const methods = found.get(pattern) ?? new Map<string, Handle>()
    found.set(pattern, methods.set(route.method, handle))
  }
  return found
}

function openSignIn(): Response {
  return new Response(null, { status: 303, headers: { Location: routes.signIn.href() } })
}

function findAsset(request: Request, name: string): Response {
  const response = serveAsset(request, name)
  if (response === null) throw new ConsoleError(404, '')
  return response
}

/** Answers an unsupported method (RFC 9110 §15.5.6). */
function answerMethod(method: string, methods: readonly string[]): Response {
  const allow = [...methods.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : one)), 'OPTIONS']
  const headers = { Allow: allow.join(', ') }
  return new Response(null, { status: method === 'OPTIONS' ? 204 : 405, headers })
}

function describeOrigin({ request, origin }: Exchange): string {
  const sender = request.headers.get('Origin') ?? 'an unknown origin'
  return `The form was sent by ${sender}, and this server is ${origin}. If you opened the console at the first address, set PUBLIC_URL to it.`
}

/** Converts an error to one that a page explains. */
function faultOf(error: unknown): ConsoleError {
  if (error instanceof ConsoleError) return error
  return isTransient(error) ? new ConsoleError(503, '') : new ConsoleError(500, '')
}
