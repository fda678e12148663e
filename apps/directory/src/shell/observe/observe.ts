import type { AnsweredRequest } from '../../features/log/entry.ts'
import type { ProvisioningLog } from '../../features/log/provisioning-log.ts'
import type { Metrics } from '../../features/metrics/metrics.ts'
import { knownMethod } from '../../features/metrics/request.ts'
import type { Recorder } from '../../features/recordings/recorder.ts'
import { type Answered, type Outcome, outcomeOf } from '../../kernel/requests/outcome.ts'
import { receivedOf, schemeOf } from '../../kernel/requests/received.ts'
import { type ScimPath, TOKEN_PATH } from '../../kernel/requests/scim-path.ts'
import { errorLine, type Log } from './request-log.ts'

/** Options for `createObserver`. */
export interface ObserverOptions {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'observe'>
  /** Null if SCIM requests are not stored. */
  readonly provisioning: Pick<ProvisioningLog, 'add'> | null
  /** Null if tenants are not recorded. */
  readonly recorder: Pick<Recorder, 'record'> | null
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** Logs, measures and records an answered request. Returns the response to send. */
export type Observe = (
  request: Request,
  answered: Answered,
  sent: {
    /** The method the client sent. */
    readonly method: string
    /** When the request arrived, as `performance.now()`. */
    readonly started: number
  },
) => Response

/** Creates the only place that assembles an answered request, for the log, metrics, provisioning log and recordings. */
export function createObserver({
  log,
  metrics,
  provisioning,
  recorder,
  now,
}: ObserverOptions): Observe {
  const timeText = createTimes()
  return (request, { response, facts }, { method, started }) => {
    const outcome = outcomeOf(facts)
    const answered = assemble(request, response, outcome, { time: now(), started })
    const { requestId, pattern, status, milliseconds, fault } = answered
    const measured = { method: knownMethod(method), scheme: schemeOf(request) }
    metrics.observe({ ...measured, route: pattern, status, milliseconds })
    const { answer, trace } = outcome
    const isLogged = answer !== null
    if (isLogged) provisioning?.add(answered)
    log({
      time: timeText(answered.time),
      requestId,
      level: fault === null ? levelOf(answered) : 'error',
      method,
      route: pattern,
      status,
      milliseconds,
      tenant: answered.tenantId,
      tokenId: answered.tokenId,
      ...(fault === null ? {} : { error: errorLine(fault) }),
      ...(trace === null ? {} : { trace_id: trace.traceId, span_id: trace.spanId }),
    })
    return isLogged && recorder !== null ? recorder.record(answered, response) : response
  }
}

/** Returns a request's level. Successful probes, such as 50,000 a day, are only logged for debugging. */
function levelOf({ pattern, status }: AnsweredRequest): 'debug' | 'info' {
  return pattern !== null && PROBES.has(pattern) && status < 400 ? 'debug' : 'info'
}

function assemble(
  request: Request,
  response: Response,
  outcome: Outcome,
  { time, started }: { readonly time: number; readonly started: number },
): AnsweredRequest {
  const { id, scimPath } = receivedOf(request)
  const { route, tenantId, tokenId, fault, types, rejection, subject, answer } = outcome
  return {
    request,
    target: scimPath === null ? TOKEN_PATH : targetOf(request, scimPath),
    requestId: id,
    time,
    milliseconds: Math.round((performance.now() - started) * 100) / 100,
    status: request.signal.aborted ? HUNG_UP : response.status,
    pattern: route,
    tenantId,
    tokenId,
    fault,
    types,
    rejection,
    resourceId: answer?.id || (subject?.resourceId ?? null),
    userName: subject?.userName ?? null,
    route: answer?.route ?? null,
    error: answer?.error ?? null,
    body: answer?.body,
    ignored: answer?.ignored ?? [],
  }
}

/** Returns the path below the SCIM endpoint, with the query. */
function targetOf({ url }: Request, { base }: ScimPath): string {
  return url.slice(url.indexOf(base) + base.length)
}

/** Creates a time formatter. It caches the last time: many requests end in the same millisecond. */
function createTimes(): (time: number) => string {
  let last = { time: Number.NaN, text: '' }
  return (time) => {
    if (time !== last.time) last = { time, text: new Date(time).toISOString() }
    return last.text
  }
}

/** The routes that orchestrators and Prometheus ask every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/ready', '/metrics'])

/** The status servers log if a client closed the connection before the response. */
export const HUNG_UP = 499
