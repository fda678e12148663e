import type { Meter } from '@opentelemetry/api'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Store } from '../../kernel/store/store.ts'
import { createInstruments } from './instruments.ts'
import { jobReadings } from './jobs.ts'
import { type Reading, type ReadingsOptions, readingsOf } from './readings.ts'
import { type MeasuredRequest, SECONDS } from './request.ts'
import { createSurveyMetrics, type SurveyMetrics } from './survey.ts'
import { createWebhookMetrics, type WebhookMetrics } from './webhooks.ts'

/** Options for `createMetrics`. */
export interface MetricsOptions extends ReadingsOptions {
  readonly store: ReadingsOptions['store'] & Pick<Store, 'jobs'>
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Whether the process's memory, processor time and event loop are included. */
  readonly isProcess: boolean
  /** The OpenTelemetry meter; null without the SDK. */
  readonly meter: Meter | null
}

/** One server's metrics. */
export interface Metrics extends Omit<WebhookMetrics, 'readings'>, Omit<SurveyMetrics, 'readings'> {
  observe(request: MeasuredRequest): void
  /** Prints all metrics in Prometheus text format 0.0.4. */
  print(): Promise<string>
}

/**
 * Creates one server's metrics. Labels have few values: a route is a pattern, and a non-HTTP method is `other`. Tenants
 * are not a label, because every series would be repeated per tenant.
 */
export function createMetrics({ isProcess, meter, now, ...options }: MetricsOptions): Metrics {
  const registry = new Registry()
  const { readings: ofWebhooks, ...webhooks } = createWebhookMetrics()
  const { readings: ofSurvey, observeSurvey } = createSurveyMetrics(now)
  const observed = { ...webhooks, observeSurvey }
  const ofJobs = jobReadings(() => options.store.jobs.read())
  const readings = [...readingsOf(options), ...ofJobs, ...ofWebhooks, ...ofSurvey]
  for (const reading of readings) addReading(registry, reading)
  if (isProcess) collectDefaultMetrics({ register: registry })
  const count = createRequestCounts(registry)
  const print = () => registry.metrics()
  if (meter === null) return { observe: count, ...observed, print }
  const record = createInstruments(meter, readings)
  const observe = (request: MeasuredRequest): void => {
    count(request)
    record(request)
  }
  return { observe, ...observed, print }
}

/** Adds the request counter and histogram. */
function createRequestCounts(registry: Registry): Metrics['observe'] {
  const registers = [registry]
  const requests = new Counter({
    name: 'directory_http_requests_total',
    help: 'Answered requests. The status is 499 if the client closed the connection.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'directory_http_request_duration_seconds',
    help: 'The time from the head of a request to the head of its answer.',
    labelNames: ['method', 'route'],
    buckets: [...SECONDS],
    registers,
  })
  return ({ method, route, status, milliseconds }) => {
    const labels = { method: method ?? 'other', route: route ?? 'unknown' }
    requests.inc({ ...labels, status })
    durations.observe(labels, milliseconds / 1_000)
  }
}

/** Adds a metric that is read on each scrape. */
function addReading(registry: Registry, { name, help, isCounter, labels, read }: Reading): void {
  const settings = { help, labelNames: labels, registers: [registry] }
  if (!isCounter) {
    new Gauge({
      ...settings,
      name,
      collect() {
        this.reset()
        // A reset gauge without labels is 0, although the value is not known yet.
        if (labels.length === 0) this.remove()
        for (const { labels, value } of read()) this.set(labels, value)
      },
    })
    return
  }
  new Counter({
    ...settings,
    name: `${name}_total`,
    collect() {
      this.reset()
      for (const { labels, value } of read()) this.inc(labels, value)
    },
  })
}
