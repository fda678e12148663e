import type { Meter, Span } from '@opentelemetry/api'
import { type Answered, type Facts, outcomeOf } from '../../kernel/requests/outcome.ts'
import { receivedOf, schemeOf } from '../../kernel/requests/received.ts'
import { VERSION } from '../../kernel/version.ts'

/** OpenTelemetry outputs, for a registered SDK. */
export interface Telemetry {
  readonly tracing: Tracing
  /** Creates the metrics instruments. */
  readonly meter: Meter
}

/** Answers a request in a span. */
type Tracing = (
  request: Request,
  method: string,
  answer: () => Promise<Answered>,
) => Promise<Answered>

/**
 * Returns the OpenTelemetry outputs if an SDK registered itself before the server started, for example with
 * `node --import`. Otherwise null, and the API package is not loaded.
 */
export async function findTelemetry(): Promise<Telemetry | null> {
  if (Object(globalThis)[REGISTERED] === undefined) return null
  const api = await import('@opentelemetry/api')
  return { tracing: createTracing(api), meter: api.metrics.getMeter(NAME, VERSION) }
}

/** Creates spans with the API package. */
function createTracing(api: typeof import('@opentelemetry/api')): Tracing {
  const tracer = api.trace.getTracer(NAME, VERSION)
  return async (request, method, answer) => {
    const attributes = {
      'http.request.method': method,
      'url.scheme': schemeOf(request),
      'http.response.header.x-request-id': [receivedOf(request).id],
    }
    const options = { kind: api.SpanKind.SERVER, attributes }
    // The client's trace, from its `traceparent` header.
    const headers = Object.fromEntries(request.headers)
    const parent = api.propagation.extract(api.context.active(), headers)
    return await tracer.startActiveSpan(method, options, parent, async (span) => {
      const context = span.spanContext()
      // An SDK without tracing has spans without an id.
      const traced: Facts = api.isSpanContextValid(context) ? { trace: context } : {}
      try {
        const { response, facts } = await answer()
        describe(span, facts, method, response.status)
        if (response.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
        return { response, facts: { ...facts, ...traced } }
      } finally {
        span.end()
      }
    })
  }
}

/**
 * Names a span after the route's pattern, which doesn't contain ids, and adds the tenant and the error behind a 500.
 */
function describe(span: Span, facts: Facts, method: string, status: number): void {
  const { route, fault, tenantId } = outcomeOf(facts)
  span.setAttribute('http.response.status_code', status)
  if (route !== null) {
    span.updateName(`${method} ${route}`)
    span.setAttribute('http.route', route)
  }
  if (tenantId !== null) span.setAttribute('directory.tenant', tenantId)
  if (fault !== null) span.recordException(fault instanceof Error ? fault : String(fault))
}

/** The key for the registered SDK, which every version 1 of the API package shares. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')
const NAME = 'plumbline-directory'
