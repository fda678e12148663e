import type { AnyProblemCatalog } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import type { ClientAnswer } from '../client/answer-types.ts'
import type { ClientInput } from '../client/input-types.ts'
import { type ClientManifest, createManifest } from '../client/manifest.ts'
import { readAnswer } from '../client/read-answer.ts'
import { ResponseError } from '../client/response-error.ts'
import { type RequestInput, writeBody, writeHeaders } from '../client/write-request.ts'
import type { AnyOperation } from '../operation.ts'
import type { OperationInputError } from '../request/input-error.ts'
import { type Sign, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP } from './signature.ts'

/** How messages are sent. */
export interface SenderOptions<Problems extends AnyProblemCatalog = AnyProblemCatalog> {
  /** Signs each message; `signWebhooks` makes it. Without it, messages have only their own headers. */
  readonly sign?: Sign
  /** The time (ms) for a whole exchange; 10,000 by default. */
  readonly timeout?: number
  /** Sends a request; by default the global `fetch`, without following redirects. */
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
  /** The message ID; a new one by default. Use the same ID when sending the message again. */
  readonly id?: string
  /** Headers the webhook declares, and those OpenAPI does not describe, such as `Authorization`. */
  readonly headers?: object
  readonly signal?: AbortSignal
}

/** A message's outcome. A sender does not retry: the caller decides. */
export type Delivery<Of extends AnyOperation, Problems extends AnyProblemCatalog> = {
  /** The message ID. */
  readonly id: string
} & (
  | {
      /** The receiver answered a declared status below 400, or a declared rejection. */
      readonly outcome: 'accepted' | 'rejected'
      readonly answer: ClientAnswer<Of, Problems>
    }
  | {
      /** The receiver answered what the webhook does not declare. */
      readonly outcome: 'undeclared'
      readonly error: ResponseError
    }
  | {
      /** The receiver did not answer in time, could not be reached, or the URL is not valid. */
      readonly outcome: 'unanswered'
      readonly error: unknown
    }
  | {
      /** The message does not conform to the webhook, and was not sent. */
      readonly outcome: 'invalid'
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
 * Creates functions that send webhooks: each checks its message, signs it if `sign` is given, and returns its outcome.
 * They never reject. The caller stores messages and repeats them, and checks whether a client's URL leads to a private
 * network.
 */
export function createSender<
  const Webhooks extends Readonly<Record<string, AnyOperation>>,
  const Problems extends AnyProblemCatalog = Record<never, never>,
>(webhooks: Webhooks, options: SenderOptions<Problems>): Sender<Webhooks, Problems> {
  const manifest = createManifest(webhooks, options.problems)
  const functions = Object.entries(webhooks).map(([name, webhook]) => [
    name,
    (url: string, body: unknown, message: MessageOptions = {}) =>
      send({ manifest, name, webhook, options }, url, body, message),
  ])
  // One function was made for each webhook.
  return Object.fromEntries(functions) as Sender<Webhooks, Problems>
}

interface Sending {
  readonly manifest: ClientManifest
  readonly name: string
  readonly webhook: AnyOperation
  readonly options: SenderOptions
}

async function send(
  { manifest, name, webhook, options }: Sending,
  url: string,
  body: unknown,
  { id = `msg_${crypto.randomUUID()}`, headers = {}, signal }: MessageOptions,
): Promise<object> {
  const { sign, timeout = 10_000, fetch = globalThis.fetch, middleware } = options
  const facts = manifest.operations[name]
  try {
    if (facts === undefined) throw new TypeError(`the webhook ${name} is not known`)
    const late = AbortSignal.timeout(timeout)
    const message = await writeMessage({ body, headers }, facts, url, sign, id)
    const ending = signal === undefined ? late : AbortSignal.any([late, signal])
    const parsed = await webhook.parse(message.clone())
    if (isFailure(parsed)) return { id, outcome: 'invalid', error: parsed.error }
    const request = new Request(message, { signal: ending, redirect: 'manual' })
    const next = () => fetch(request)
    const exchange = async () => {
      const context = { request, webhook: webhook.operationId }
      return await readAnswer(facts, manifest, await (middleware?.(context, next) ?? next()))
    }
    // A `fetch` that ignores the signal does not end.
    const answer = await Promise.race([exchange(), rejectOn(ending)])
    return { id, outcome: answer.status < 400 ? 'accepted' : 'rejected', answer }
  } catch (error) {
    return { id, outcome: error instanceof ResponseError ? 'undeclared' : 'unanswered', error }
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

async function writeMessage(
  input: RequestInput,
  facts: Parameters<typeof writeBody>[0],
  url: string,
  sign: Sign | undefined,
  id: string,
): Promise<Request> {
  const headers = new Headers()
  writeHeaders(input, headers)
  const content = writeBody(facts, input, headers)
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
