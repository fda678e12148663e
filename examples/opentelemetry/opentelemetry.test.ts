import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { api } from './api.ts'

// An application starts the SDK of Node in place of this, which sends the spans to a collector.
const exporter = new InMemorySpanExporter()
const spanProcessors = [new SimpleSpanProcessor(exporter)]
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
afterEach(() => exporter.reset())

const traceId = '0af7651916cd43dd8448eb211c80319c'
const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }

test('an exchange is a span with the pattern of its route, in the trace of the client', async () => {
  const response = await api.fetch(new Request('http://localhost/books/b1', { headers }))
  assert.equal(response.status, 200)
  const [inner, outer] = exporter.getFinishedSpans()
  assert.equal(outer?.name, 'GET /books/:id')
  assert.equal(outer.kind, SpanKind.SERVER)
  assert.equal(outer.spanContext().traceId, traceId)
  assert.deepEqual(outer.attributes, {
    'http.request.method': 'GET',
    'http.route': '/books/:id',
    'url.path': '/books/b1',
    'books.operation': 'readBook',
    'http.response.status_code': 200,
  })
  assert.equal(inner?.name, 'read from the shelf')
  assert.equal(inner.parentSpanContext?.spanId, outer.spanContext().spanId)
})

test('an error of a handler is recorded in the span, whose status is an error', async () => {
  const response = await api.fetch(new Request('http://localhost/books/lost'))
  assert.equal(response.status, 500)
  const outer = exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER)
  assert.equal(outer?.status.code, SpanStatusCode.ERROR)
  assert.deepEqual(
    outer.events.map(({ attributes }) => attributes?.['exception.message']),
    ['the shelf is empty'],
  )
})
