import {
  type Forms,
  FUNCTION,
  MAX_TIMEOUT_MS,
  OBJECT,
  optionFault,
  requireOptions,
  whole,
} from '@plumbline/base'
import type { AnyProblemCatalog } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import type { ClientAnswer } from '../client/answer-types.ts'
import type { ClientInput } from '../client/input-types.ts'
import { type ClientManifest, createManifest, type OperationFacts } from '../client/manifest.ts'
import { type ReadAnswer, readAnswer } from '../client/read-answer.ts'
import { type RequestInput, writeBody, writeHeaders } from '../client/write-request.ts'
import type { AnyOperation } from '../operation.ts'
import type { OperationInputError } from '../request/input-error.ts'
import {
  MESSAGE_ID,
  type Sign,
  WEBHOOK_ID,
  WEBHOOK_SIGNATURE,
  WEBHOOK_TIMESTAMP,
} from './signature.ts'

/** How messages are sent. */
export interface SenderOptions<Problems extends AnyProblemCatalog = AnyProblemCatalog> {
  /** Signs each message; `signWebhooks` makes it. Without it, messages have only their own headers. */
  readonly sign?: Sign
  /** The time (ms) for a whole exchange; defaults to 15,000, as Standard Webhooks recommends at least 15 seconds. */
  readonly timeout?: number
  /**
   * Sends a request; defaults to the global `fetch`. It must not follow redirects: an answer after a redirect is
   * rejected.
   */
  readonly fetch?: (request: Request) => Promise<Response>
  /** The catalog where the webhooks' problems are defined. */
  readonly problems?: Problems
  /** Wraps each exchange: for a log, or as a conformance recorder's `middleware`. */
  readonly middleware?: (
    context: { readonly request: Request; readonly webhook: string },
    next: () => Promise<Response>,
  ) => Promise<Response>
}

/** Options for one message. */
export interface MessageOptions {
  /**
   * The message ID, 1 to 256 visible ASCII characters without a dot; a new one by default. Use the same ID when sending
   * the message again.
   */
  readonly id?: string
  /** Headers the webhook declares, and those OpenAPI does not describe, such as `Authorization`. */
  readonly headers?: object
  /** Signs this message, such as with the subscriber's secret; defaults to the sender's `sign`. */
  readonly sign?: Sign
  readonly signal?: AbortSignal
}

/**
 * A message's outcome. Only the status decides: 2xx is accepted, and anything else is rejected, redirects included. A
 * sender does not retry: the caller decides.
 */
export type Delivery<Of extends AnyOperation, Problems extends AnyProblemCatalog> = {
  /** The message ID. */
  readonly id: string
} & (
  | {
      readonly outcome: 'accepted' | 'rejected'
      /** The status. After 410, the receiver wants no more messages. */
      readonly status: number
      /** The answer, if the webhook declares it. */
      readonly answer: ClientAnswer<Of, Problems>
      readonly error: null
    }
  | {
      readonly outcome: 'accepted' | 'rejected'
      readonly status: number
      readonly answer: null
      /** A `ResponseError` for an answer the webhook does not declare, or why the body could not be read. */
      readonly error: unknown
    }
  | {
      /** The receiver did not answer in time, could not be reached, or the URL is not valid. */
      readonly outcome: 'unanswered'
      readonly status: null
      readonly answer: null
      readonly error: unknown
    }
  | {
      /** The message does not conform to the webhook, and was not sent. */
      readonly outcome: 'invalid'
      readonly status: null
      readonly answer: null
      readonly error: OperationInputError
    }
)

/** One function per webhook. It sends a message to a URL. */
export type Sender<
  Webhooks extends Readonly<Record<string, AnyOperation>>,
  Problems extends AnyProblemCatalog,
> = {
  readonly [Name in keyof Webhooks]: (
    url: string,
    body: ClientInput<Webhooks[Name]> extends { readonly body?: infer Body } ? Body : undefined,
    options?: MessageOptions,
  ) => Promise<Delivery<Webhooks[Name], Problems>>
}

/**
 * Creates functions that send webhooks: each checks its message, signs it if `sign` is given, and returns the outcome.
 * The caller stores messages and repeats them, and checks whether a client's URL leads to a private network.
 *
 * Throws a TypeError for an option that is not valid. The functions reject only because of the program: with a TypeError
 * for an ID that is not valid, for a message that cannot be written, and for a `fetch` or a middleware that does not
 * return a response, and with the errors of `sign`.
 *
 * @see https://www.standardwebhooks.com
 */
export function createSender<
  const Webhooks extends Readonly<Record<string, AnyOperation>>,
  const Problems extends AnyProblemCatalog = Record<never, never>,
>(webhooks: Webhooks, options: SenderOptions<Problems>): Sender<Webhooks, Problems> {
  requireOptions<SenderOptions>('createSender', options, SENDER_FORMS)
  const manifest = createManifest(webhooks, options.problems)
  const functions = Object.entries(webhooks).map(([name, webhook]) => [
    name,
    (url: string, body: unknown, message: MessageOptions = {}) =>
      send({ manifest, facts: manifest.operations[name], webhook, options }, url, body, message),
  ])
  // One function was made for each webhook.
  return Object.fromEntries(functions) as Sender<Webhooks, Problems>
}

interface Sending {
  readonly manifest: ClientManifest
  readonly facts: OperationFacts | undefined
  readonly webhook: AnyOperation
  readonly options: SenderOptions
}

async function send(
  { manifest, facts, webhook, options }: Sending,
  url: string,
  body: unknown,
  message: MessageOptions,
): Promise<object> {
  const { operationId } = webhook
  // The manifest was made from the webhooks.
  if (facts === undefined) throw new TypeError(`the webhook ${operationId} is not known`)
  requireOptions<MessageOptions>(operationId, message, MESSAGE_FORMS)
  const { id = `msg_${crypto.randomUUID()}`, headers = {}, signal, sign = options.sign } = message
  const { timeout = 15_000, fetch = globalThis.fetch, middleware } = options
  const none = { id, status: null, answer: null }
  if (typeof url !== 'string') throw optionFault(`${operationId}: the URL`, 'a string', url)
  const fault = faultOf(url)
  if (fault !== null) return { ...none, outcome: 'unanswered', error: fault }
  const late = AbortSignal.timeout(timeout)
  const ending = signal === undefined ? late : AbortSignal.any([late, signal])
  const written = await writeMessage({ body, headers }, { facts, operationId, url, sign, id })
  const parsed = await webhook.parse(written.clone())
  if (isFailure(parsed)) return { ...none, outcome: 'invalid', error: parsed.error }
  const request = new Request(written, { signal: ending, redirect: 'manual' })
  const exchange: Exchange = { isSent: false, response: null, mistake: null }
  const keep = (name: string, returned: unknown): Response => {
    if (typeof Object(returned).status !== 'number') {
      exchange.mistake = optionFault(
        `${operationId}: the result of ${name}`,
        'a Response',
        returned,
      )
      throw exchange.mistake
    }
    // A test may return an object with the members that are read.
    exchange.response = returned as Response
    return exchange.response
  }
  const next = async (): Promise<Response> => {
    exchange.isSent = true
    return keep('fetch', await fetch(request))
  }
  const receive = async (): Promise<ReadAnswer> => {
    const response =
      middleware === undefined
        ? await next()
        : keep('middleware', await middleware({ request, webhook: operationId }, next))
    return await readAnswer(facts, manifest, response)
  }
  try {
    // A `fetch` that ignores the signal does not end.
    const answer = await Promise.race([receive(), rejectOn(ending)])
    return { id, ...verdictOn(answer.response), answer, error: null }
  } catch (error) {
    // An error of the middleware after an answer does not undo it. Before the request, it is the program's error.
    const { isSent, response, mistake } = exchange
    if (response !== null) return { id, ...verdictOn(response), answer: null, error }
    if (mistake !== null || (!isSent && !ending.aborted)) throw error
    return { ...none, outcome: 'unanswered', error }
  }
}

/** How far an exchange has come. */
interface Exchange {
  isSent: boolean
  response: Response | null
  /** The error of a `fetch` or a middleware that does not return a response. */
  mistake: TypeError | null
}

/** Standard Webhooks, "Delivery success and failure": only 2xx is a success, and redirects are not followed. */
function verdictOn({ status, redirected }: Response): object {
  const isAccepted = status >= 200 && status < 300 && !redirected
  return { outcome: isAccepted ? 'accepted' : 'rejected', status }
}

/** Returns why a request to a URL is not possible; null if it is. */
function faultOf(url: string): unknown {
  try {
    const { protocol } = new URL(new Request(url).url)
    if (protocol === 'https:' || protocol === 'http:') return null
    return new TypeError('the URL of a webhook must start with https: or http:')
  } catch (error) {
    return error
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

interface Message {
  readonly facts: OperationFacts
  readonly operationId: string
  readonly url: string
  readonly sign: Sign | undefined
  readonly id: string
}

async function writeMessage(
  input: RequestInput,
  { facts, operationId, url, sign, id }: Message,
): Promise<Request> {
  const headers = new Headers()
  let content: BodyInit | null
  try {
    writeHeaders(input, headers)
    content = writeBody(facts, input, headers)
  } catch (cause) {
    // A BigInt, a reference to itself, or a header with a line break.
    throw new TypeError(`${operationId}: the message cannot be written: ${cause}`, { cause })
  }
  const unsigned = new Request(url, { method: 'POST', body: content, headers })
  if (sign === undefined) return unsigned
  const bytes = new Uint8Array(await unsigned.clone().arrayBuffer())
  const timestamp = Math.floor(Date.now() / 1_000)
  const signed = new Headers(unsigned.headers)
  signed.set(WEBHOOK_ID, id)
  signed.set(WEBHOOK_TIMESTAMP, String(timestamp))
  signed.set(WEBHOOK_SIGNATURE, await sign({ id, timestamp, body: bytes }))
  return new Request(url, { method: 'POST', headers: signed, body: bytes })
}

const SENDER_FORMS: Forms<SenderOptions> = {
  sign: FUNCTION,
  timeout: whole(1, MAX_TIMEOUT_MS),
  fetch: FUNCTION,
  problems: OBJECT,
  middleware: FUNCTION,
}
const MESSAGE_FORMS: Forms<MessageOptions> = {
  id: MESSAGE_ID,
  headers: OBJECT,
  sign: FUNCTION,
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
}
