import { type HandlersOf, implement } from '@plumbline/openapi/server'
import { eventHandlers } from '../features/changes/event-handlers.ts'
import { changeHandlers } from '../features/changes/handlers.ts'
import { connectionHandlers } from '../features/connections/handlers.ts'
import { type RequestSources, requestHandlers } from '../features/log/handlers.ts'
import { type MetricsSources, metricsHandlers } from '../features/metrics/handlers.ts'
import { clientHandlers } from '../features/oauth/client-handlers.ts'
import { oauthHandlers } from '../features/oauth/token-handlers.ts'
import { type RecordingSources, recordingHandlers } from '../features/recordings/handlers.ts'
import { extensionHandlers } from '../features/schemas/handlers.ts'
import { memberHandlers } from '../features/scim/member-handlers.ts'
import { setupHandlers } from '../features/setup-links/handlers.ts'
import { tenantHandlers } from '../features/tenants/handlers.ts'
import { tokenHandlers } from '../features/tokens/handlers.ts'
import { type DeliverySources, deliveryHandlers } from '../features/webhooks/delivery-handlers.ts'
import { type WebhookSources, webhookHandlers } from '../features/webhooks/handlers.ts'
import type { Admission } from '../kernel/access/admission.ts'
import type { AuthOptions } from '../kernel/access/authenticate.ts'
import { SMALL_BODY_LIMIT } from '../kernel/limits.ts'
import { attach } from '../kernel/memoize.ts'
import { RateLimitError } from '../kernel/rate-limit/client-limits.ts'
import type { LargeBodies } from '../kernel/requests/large-bodies.ts'
import type { Answered, Facts, OpenFacts } from '../kernel/requests/outcome.ts'
import { isTransient } from '../kernel/store/faults.ts'
import { StoreUnavailableError } from '../kernel/store/store.ts'
import { aboutHandlers } from './about/handlers.ts'
import { type ApiVerifiers, createVerifiers } from './api/verifiers.ts'
import { apiDocument } from './operations.ts'
import { activityHandlers } from './overview/handlers.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Wraps every API exchange, for example to record conformance. */
export type ApiMiddleware = (
  context: { readonly request: Request },
  next: () => Promise<Response>,
) => Promise<Response>

/** Creates the management API, for administrators; a few operations are also for the receivers of a tenant. */
export function createApi(
  {
    admission,
    bodies,
    ...auth
  }: AuthOptions & { readonly admission: Admission; readonly bodies: LargeBodies },
  sources: RequestSources & MetricsSources & RecordingSources & WebhookSources & DeliverySources,
  middleware: ApiMiddleware,
): (request: Request) => Promise<Answered> {
  const { get: factsOf } = attach((_: Request): OpenFacts => ({}))
  const note = (request: Request, facts: Facts) => void Object.assign(factsOf(request), facts)
  const api = implement(apiDocument, {
    bodyLimit: SMALL_BODY_LIMIT,
    middleware: async (matched, next) => {
      note(matched.request, { route: matched.pattern })
      try {
        return await middleware(matched, next)
      } finally {
        bodies.leave(matched.request)
      }
    },
    security: createVerifiers({
      ...auth,
      admission,
      note,
      enter: (request) => bodies.enter({ principal: EVERYONE, subject: request }, request),
    }),
    handlers: {
      ...probeHandlers(auth),
      ...metricsHandlers(sources),
      ...aboutHandlers(auth, sources),
      ...tenantHandlers(auth),
      ...activityHandlers(auth),
      ...changeHandlers(auth, sources),
      ...connectionHandlers(auth),
      ...webhookHandlers(auth, sources),
      ...deliveryHandlers(auth, sources),
      ...eventHandlers(auth),
      ...recordingHandlers(auth, sources),
      ...tokenHandlers(auth),
      ...clientHandlers(auth),
      ...extensionHandlers(auth),
      ...requestHandlers(auth, sources),
      ...memberHandlers(auth),
      ...setupHandlers(auth),
      ...oauthHandlers({ ...auth, admission, note }),
    },
    onError: (error, { request, problems }) => {
      if (error instanceof RateLimitError) {
        const headers = { 'Retry-After': `${error.seconds}` }
        return problems.tooManyRequests?.({ headers })
      }
      const isRetried = isTransient(error)
      // The client has closed the connection.
      if (isRetried || !request.signal.aborted) factsOf(request).fault ??= error
      return isRetried ? problems.unavailable?.() : undefined
    },
  })
  return async (request) => ({ response: await api.fetch(request), facts: factsOf(request) })
}

/** Handlers for the probes of orchestrators. */
function probeHandlers({
  store,
}: Pick<AuthOptions, 'store'>): Pick<ApiHandlers, 'getHealth' | 'getReadiness'> {
  return {
    getHealth: async ({ reply }) => reply(200, { status: 'ok' }),
    getReadiness: async ({ reply }) => {
      await store.ping().catch(rejectAsUnavailable)
      return reply(200, { status: 'ready' })
    },
  }
}

/** All administrators share the turns of large bodies, as one tenant does. */
const EVERYONE = { tenantId: '' }

/** Whatever the reason, a server whose database does not answer is not ready. */
function rejectAsUnavailable(cause: unknown): never {
  throw new StoreUnavailableError('the database does not answer', { cause })
}
