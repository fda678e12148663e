import type { Meter } from '@opentelemetry/api'
import type { Reading } from './readings.ts'
import { type MeasuredRequest, SECONDS } from './request.ts'

/**
 * Creates the OpenTelemetry instruments: request duration as defined in the semantic conventions, and the readings
 * under their own names. Returns a function for recording a request.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
 */
export function createInstruments(
  meter: Meter,
  readings: readonly Reading[],
): (request: MeasuredRequest) => void {
  for (const { name, help: description, isCounter, read } of readings) {
    const instrument = isCounter
      ? meter.createObservableCounter(name, { description })
      : meter.createObservableGauge(name, { description })
    instrument.addCallback((result) => {
      for (const { labels, value } of read()) result.observe(value, labels)
    })
  }
  const durations = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: [...SECONDS] },
  })
  return ({ method, scheme, route, status, milliseconds }) =>
    durations.record(milliseconds / 1_000, {
      'http.request.method': method ?? '_OTHER',
      'url.scheme': scheme,
      'http.response.status_code': status,
      ...(route === null ? {} : { 'http.route': route }),
      ...(status >= 500 ? { 'error.type': String(status) } : {}),
    })
}
