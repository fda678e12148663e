import { failure, type Result, success } from '@plumbline/result'
import { MEDIA_TYPE } from '@plumbline/scim'
import { type Confirm, requireConfirmation } from '../access.ts'
import { discover } from '../discover.ts'
import { ExaminationError } from '../examination-error.ts'
import type { Exchange } from '../http/exchange.ts'
import { createTransport, type Fetch, type Incoming } from '../http/transport.ts'
import { parseJson } from '../json.ts'
import { prepareTarget, type Target, type TargetOptions } from '../target.ts'
import { createCleaner } from '../toolkit/cleaner.ts'
import { createClient } from '../toolkit/client.ts'
import { VERSION } from '../version.ts'
import { type CreatedByRun, trackCreated } from './created.ts'
import { differences } from './differences.ts'
import type { Run, RunStep } from './run.ts'
import { substitute, valueAt } from './saved-values.ts'

/** Options for `replay`. */
export interface ReplayOptions extends TargetOptions {
  /** Ends the replay. The resources it created are still deleted. */
  readonly signal?: AbortSignal | undefined
  /** Decides whether the replay may write to a server with resources; by default it may. */
  readonly confirm?: Confirm | undefined
  /** Receives each step when it is known, for a progress display. */
  readonly onStep?: ((step: ReplayedStep) => void) | undefined
}

/** A step of a run, with the answer. */
export interface ReplayedStep {
  readonly name: string
  /** `skipped`: it needs a value missing in an earlier answer. */
  readonly status: 'same' | 'different' | 'skipped'
  /** The differences between the answer and the expected one, as sentences, or the reason why the step was skipped. */
  readonly differences: readonly string[]
  /** The request and the answer, without credentials; null if the step was skipped. */
  readonly exchange: Exchange | null
}

/** A replay's result, as plain JSON. */
export interface Replay {
  /** The server's base URL. */
  readonly target: string
  /** When the replay started, as an ISO 8601 instant. */
  readonly date: string
  /** This package's version. */
  readonly doctor: string
  /** Where the requests come from. */
  readonly source: string
  readonly steps: readonly ReplayedStep[]
  /** The URLs of the resources that could not be deleted. */
  readonly left: readonly string[]
}

/**
 * Replays recorded requests against a server, whose answers should be the same, and deletes every resource it created.
 * The failure is an `ExaminationError` with a stable `code`: a request did not get an answer.
 *
 * @param target the server's base URL, or a function that answers its requests
 * @example
 * ```ts
 * import { parseRun, replay } from '@plumbline/doctor'
 * import { unwrap } from '@plumbline/result'
 *
 * const request = { method: 'GET', path: '/Users?count=0' }
 * const steps = [{ name: 'look', request, expect: { status: 200, body: { totalResults: 0 } } }]
 * const run = unwrap(parseRun({ source: 'by hand', steps }))
 * const answer = async () => Response.json({ totalResults: 7 })
 * const [step] = unwrap(await replay(answer, run)).steps
 * step?.differences //=> ['/totalResults is 7, not 0']
 * ```
 */
export async function replay(
  target: string | URL | Fetch,
  run: Run,
  options: ReplayOptions = {},
): Promise<Result<Replay, ExaminationError>> {
  try {
    return success(await replayRun(prepareTarget(target, options), run, options))
  } catch (error) {
    if (error instanceof ExaminationError) return failure(error)
    throw error
  }
}

async function replayRun(target: Target, run: Run, options: ReplayOptions): Promise<Replay> {
  const { confirm, signal, onStep } = options
  const date = new Date().toISOString()
  const send = senderTo(target, signal)
  if (confirm !== undefined) await requirePermission(target, confirm)
  const saved = new Map([['base', target.base]])
  const created = trackCreated()
  const { redact } = target.transport.redaction
  const steps: ReplayedStep[] = []
  try {
    for (const step of run.steps) {
      const replayed = await replayStep(step, { send, saved, created, redact })
      steps.push(replayed)
      onStep?.(replayed)
    }
  } catch (error) {
    const left = await deleteCreated(target, created)
    if (!(error instanceof ExaminationError)) throw error
    throw new ExaminationError(error.code, error.message, { cause: error, left })
  }
  const left = await deleteCreated(target, created)
  return { target: target.base, date, doctor: VERSION, source: run.source, steps, left }
}

async function requirePermission(target: Target, confirm: Confirm): Promise<void> {
  const { base, authorization, headers } = target
  const cleaner = createCleaner(base, '')
  const transport = createTransport({ ...target.transport, signal: undefined })
  const allowWrite = async () => undefined
  const given = { base, authorization, headers, transport, cleaner, isReadOnly: true, allowWrite }
  const client = createClient(given, () => undefined)
  await requireConfirmation(client, (await discover(client)).types, confirm)
}

/** Sends a step's request. */
type Send = (
  request: RunStep['request'],
  url: string,
) => Promise<{ readonly incoming: Incoming; readonly exchange: Exchange | null }>

function senderTo(
  { transport, authorization, headers }: Target,
  signal: AbortSignal | undefined,
): Send {
  const sendWithin = createTransport({ ...transport, signal })
  return async (request, url) => {
    const hasBody = request.body !== undefined
    const sent = new Headers({ Accept: MEDIA_TYPE, ...headers })
    if (hasBody) sent.set('Content-Type', MEDIA_TYPE)
    for (const [name, value] of Object.entries(request.headers)) sent.set(name, value)
    if (authorization !== null) sent.set('Authorization', authorization)
    const body = hasBody ? JSON.stringify(request.body) : null
    let exchange: Exchange | null = null
    const outgoing = { method: request.method, url, headers: sent, body, isUrgent: false }
    const incoming = await sendWithin(outgoing, (one) => {
      exchange = one
    })
    return { incoming, exchange }
  }
}

interface Replaying {
  readonly send: Send
  readonly saved: Map<string, string>
  readonly created: CreatedByRun
  readonly redact: (text: string) => string
}

async function replayStep(
  step: RunStep,
  { send, saved, created, redact }: Replaying,
): Promise<ReplayedStep> {
  const { name } = step
  const skipped = (key: string): ReplayedStep => {
    const reason = `no earlier answer has a value for ${key}`
    return { name, status: 'skipped', differences: [reason], exchange: null }
  }
  const request = substitute(step.request, saved)
  if (typeof request === 'string') return skipped(request)
  const url = `${saved.get('base')}${request.value.path}`
  const { incoming, exchange } = await send(request.value, url)
  const body = parseJson(incoming.text)
  created.observe({ method: request.value.method, url }, { ...incoming, body })
  const missing: string[] = []
  for (const [key, pointer] of Object.entries(step.save)) {
    const value = valueAt(body, pointer)
    if (typeof value === 'string') saved.set(key, value)
    else missing.push(`no string at ${pointer} to save as ${key}`)
  }
  const expected = substitute(step.expect, saved)
  const found = typeof expected === 'string' ? [] : compareAnswer(incoming, body, expected.value)
  const all = [...found, ...missing].map(redact)
  return { name, status: all.length === 0 ? 'same' : 'different', differences: all, exchange }
}

function compareAnswer(
  { status, headers, text }: Incoming,
  body: unknown,
  expected: RunStep['expect'],
): readonly string[] {
  if (status !== expected.status) {
    return [`the status is ${status}, not ${expected.status}: ${text.slice(0, MAX_LENGTH)}`]
  }
  const ofHeaders = Object.entries(expected.headers).flatMap(([name, wanted]) => {
    const actual = headers.get(name)
    return actual === wanted ? [] : [`the header ${name} is ${actual}, not ${wanted}`]
  })
  const ofBody = expected.body === undefined ? [] : differences(body, expected.body)
  return [...ofHeaders, ...ofBody]
}

/** Deletes the resources still left from the run, newest first. Returns the URLs it could not delete. */
async function deleteCreated(target: Target, created: CreatedByRun): Promise<readonly string[]> {
  const send = senderTo(target, undefined)
  const left: string[] = []
  for (const url of created.urls().toReversed()) {
    const request = { method: 'DELETE', path: '', headers: {} } as const
    // Credentials are not sent to another server.
    const isOwn = url.startsWith(`${target.base}/`)
    const sent = isOwn ? send(request, url) : Promise.reject(new Error(url))
    const status = await sent.then(
      ({ incoming }) => incoming.status,
      () => null,
    )
    if (status === null || (status >= 300 && status !== 404)) left.push(url)
  }
  return left
}

const MAX_LENGTH = 500
