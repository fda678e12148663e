/** Spans of OpenTelemetry for an API, by `middleware` and `onError` of `implement`. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ServerOptions } from '@plumbline/openapi/server'

const tracer = trace.getTracer('books')

/** Starts a span for each exchange: with the route's pattern, so that its name does not depend on ids. */
export const traced: NonNullable<ServerOptions['middleware']> = async (matched, next) => {
  const { request, operationId, pattern } = matched
  const { method, url, headers } = request
  const attributes = {
    'http.request.method': method,
    'http.route': pattern,
    'url.path': new URL(url).pathname,
    'books.operation': operationId,
  }
  const options = { kind: SpanKind.SERVER, attributes }
  // The trace of the client, from its header `traceparent`.
  const parent = propagation.extract(context.active(), Object.fromEntries(headers))
  return await tracer.startActiveSpan(`${method} ${pattern}`, options, parent, async (span) => {
    try {
      const response = await next()
      span.setAttribute('http.response.status_code', response.status)
      if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      return response
    } finally {
      span.end()
    }
  })
}

/** Adds an error of a handler to the span of its exchange. */
export const recordError: NonNullable<ServerOptions['onError']> = (error) => {
  trace.getActiveSpan()?.recordException(error instanceof Error ? error : String(error))
}
