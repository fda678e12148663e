import * as api from '@opentelemetry/api'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../src/kernel/store/store.ts'
import type { LogEntry } from '../../src/shell/observe/request-log.ts'
import { findTelemetry } from '../../src/shell/observe/telemetry.ts'

afterEach(() => {
  api.trace.disable()
  api.metrics.disable()
})

/** The context of every span. */
const CONTEXT: api.SpanContext = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: 1,
}

interface Recorded {
  name: string
  readonly attributes: Record<string, unknown>
  isEnded: boolean
}

/** Registers an SDK that keeps spans in memory. */
function registerTracer(): readonly Recorded[] {
  const spans: Recorded[] = []
  const provider = {
    getTracer: () => ({
      startActiveSpan: (
        first: string,
        { attributes }: api.SpanOptions,
        _: api.Context,
        work: (span: unknown) => unknown,
      ) => {
        const recorded: Recorded = { name: first, attributes: { ...attributes }, isEnded: false }
        spans.push(recorded)
        return work({
          spanContext: () => CONTEXT,
          updateName: (name: string) => {
            recorded.name = name
          },
          setAttribute: (name: string, value: unknown) => {
            recorded.attributes[name] = value
          },
          setStatus: () => undefined,
          recordException: () => undefined,
          end: () => {
            recorded.isEnded = true
          },
        })
      },
    }),
  }
  api.trace.setGlobalTracerProvider(provider as unknown as api.TracerProvider)
  return spans
}

it('a request is a span with the route pattern if an SDK is registered before the server starts', async () => {
  const spans = registerTracer()
  const store = await openSqlite(':memory:')
  const token = 'a-token-of-the-environment'
  const entries: LogEntry[] = []
  const log = (entry: LogEntry) => entries.push(entry)
  const directory = createDirectory({ store, token, log, telemetry: await findTelemetry() })
  const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': 'one' }
  for (const path of ['/scim/v2/Users/unknown', '/api/health', '/nothing']) {
    await directory.fetch(new Request(`http://localhost${path}`, { headers }))
  }
  await store.close()
  const { traceId: trace_id, spanId: span_id } = CONTEXT
  expect(entries).toMatchObject(Array(3).fill({ requestId: 'one', trace_id, span_id }))
  const common = {
    'http.request.method': 'GET',
    'http.response.header.x-request-id': ['one'],
    'url.scheme': 'http',
  }
  expect(spans.map(({ name, attributes, isEnded }) => ({ name, ...attributes, isEnded }))).toEqual([
    {
      ...common,
      name: 'GET /scim/v2/Users/:id',
      'directory.tenant': 'default',
      'http.route': '/scim/v2/Users/:id',
      'http.response.status_code': 404,
      isEnded: true,
    },
    {
      ...common,
      name: 'GET /api/health',
      'http.route': '/api/health',
      'http.response.status_code': 200,
      isEnded: true,
    },
    { ...common, name: 'GET', 'http.response.status_code': 404, isEnded: true },
  ])
})

/** Registers an SDK that keeps metrics in memory. Returns the instruments with a collection of their values. */
function registerMeter() {
  const recorded: unknown[] = []
  const observed = new Map<string, api.ObservableCallback>()
  const observable = (name: string) => ({
    addCallback: (callback: api.ObservableCallback) => observed.set(name, callback),
  })
  const meter = {
    createHistogram: (name: string, { unit }: api.MetricOptions) => ({
      record: (value: number, attributes: api.Attributes) =>
        recorded.push({ name, unit, value, ...attributes }),
    }),
    createObservableGauge: observable,
    createObservableCounter: observable,
  }
  const provider = { getMeter: () => meter }
  api.metrics.setGlobalMeterProvider(provider as unknown as api.MeterProvider)
  const collect = (): readonly string[] => {
    const lines: string[] = []
    for (const [name, callback] of observed) {
      const observe = (value: number, labels: api.Attributes = {}) =>
        lines.push([name, ...Object.values(labels), value].join(' '))
      void callback({ observe })
    }
    return lines
  }
  return { recorded, collect }
}

it("an SDK gets the request duration under the semantic conventions' name, and the other numbers in /metrics", async () => {
  const { recorded, collect } = registerMeter()
  const inner = await openSqlite(':memory:')
  onTestFinished(() => inner.close())
  const store: Store = { ...inner, read: () => Promise.reject(new StoreUnavailableError('gone')) }
  const token = 'a-token-of-the-environment'
  const provisioning = {
    add: () => undefined,
    flush: async () => undefined,
    close: async () => undefined,
    counts: () => ({ waiting: 3, stored: 20, dropped: 7 }),
  }
  const publicOrigin = 'https://directory.example.com'
  const telemetry = await findTelemetry()
  const directory = createDirectory({ store, token, publicOrigin, provisioning, telemetry })
  const headers = { Authorization: `Bearer ${token}` }
  const send = (path: string, method = 'GET') =>
    directory.fetch(new Request(`http://localhost${path}`, { method, headers }))
  await send('/api/health')
  await send('/scim/v2/Users', 'PROPFIND')
  await send('/api/tokens')
  const common = {
    name: 'http.server.request.duration',
    unit: 's',
    value: expect.any(Number),
    'url.scheme': 'https',
  }
  expect(recorded).toEqual([
    {
      ...common,
      'http.request.method': 'GET',
      'http.route': '/api/health',
      'http.response.status_code': 200,
    },
    {
      ...common,
      'http.request.method': '_OTHER',
      'http.response.status_code': 405,
    },
    {
      ...common,
      'http.request.method': 'GET',
      'http.route': '/api/tokens',
      'http.response.status_code': 503,
      'error.type': '503',
    },
  ])
  const printed = await (await send('/metrics')).text()
  const lines = printed
    .split('\n')
    .filter((line) => /^directory_(?!http)/.test(line))
    .map((line) => line.replace('_total', '').replaceAll(/[{},]?\w*="([^"]*)"}?/g, ' $1'))
  expect(collect()).toEqual(lines)
  expect(collect()).toContain('directory_request_log_stored 20')
})

it('without an SDK, requests are neither traced nor measured by OpenTelemetry', async () => {
  const key = Symbol.for('opentelemetry.js.api.1')
  const registered = Object(globalThis)[key]
  Reflect.deleteProperty(globalThis, key)
  try {
    expect(await findTelemetry()).toBe(null)
  } finally {
    if (registered !== undefined) Object.assign(globalThis, { [key]: registered })
  }
})
