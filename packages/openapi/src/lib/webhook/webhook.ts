import { optionFault } from '@plumbline/base'
import { failure, isFailure, type Result, success } from '@plumbline/result'
import { defineOperation, type Operation } from '../operation.ts'
import type { OperationInputError } from '../request/input-error.ts'
import { limitBody } from '../server/limit-body.ts'
import type { CallbackWebhook, OperationSpec, ParsedRequest } from '../spec/operation-spec.ts'
import { findUrlFaults } from '../spec/runtime-expression.ts'
import type { Verify } from './signature.ts'
import { WebhookError } from './webhook-error.ts'

/** A webhook's description: the operation fields that apply to a request to a foreign URL. */
export type WebhookSpec = Pick<
  OperationSpec,
  | 'summary'
  | 'description'
  | 'tags'
  | 'deprecated'
  | 'headers'
  | 'body'
  | 'bodyLimit'
  | 'examples'
  | 'responses'
  | 'problems'
>

/** A webhook's route. The receiver chooses its URL. */
interface WebhookRoute {
  readonly method: 'POST'
  readonly pattern: '/'
}

/** A request an API sends, as one value for the sender, the receiver and the document. */
export interface Webhook<Name extends string = string, Spec extends WebhookSpec = WebhookSpec>
  extends Operation<WebhookRoute, Spec, Name>,
    Pick<CallbackWebhook, 'findUrlFaults'> {
  /**
   * Verifies a message, and parses the headers and body. It never rejects because of a client's data, only with a
   * `TypeError` if the program has read the body before. A receiver answers an error with 400, or 401 for a
   * `WebhookError`, and ignores IDs it has already processed.
   */
  receive(
    request: Request,
    options: { readonly verify: Verify },
  ): Promise<Result<ReceivedWebhook<Spec>, WebhookError | OperationInputError>>
}

/** A verified and parsed message. */
export interface ReceivedWebhook<Spec extends WebhookSpec = WebhookSpec>
  extends Pick<ParsedRequest<WebhookRoute, Spec>, 'headers' | 'body'> {
  /** The message ID, which stays the same when it is sent again. */
  readonly id: string
  /** When the attempt was made, in seconds since 1970. */
  readonly timestamp: number
}

/**
 * Defines a webhook: a request an API sends to its users' URL.
 *
 * @example
 * ```ts
 * import { unwrap } from '@plumbline/result'
 * import { createSender, defineWebhook, signWebhooks, verifyWebhooks } from '@plumbline/openapi/webhooks'
 * import { z } from 'zod'
 *
 * const bookSold = defineWebhook('bookSold', {
 *   summary: 'A book was sold',
 *   body: z.object({ title: z.string() }),
 *   responses: { '2XX': { description: 'Accepted' } },
 * })
 * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
 *
 * const receive = async (request: Request) => {
 *   const { body } = unwrap(await bookSold.receive(request, { verify: verifyWebhooks(secret) }))
 *   return new Response(null, { status: body.title === 'Emma' ? 204 : 400 })
 * }
 * const sender = createSender({ bookSold }, { sign: signWebhooks(secret), fetch: receive })
 * const { outcome } = await sender.bookSold('https://example.com/hooks', { title: 'Emma' })
 * outcome //=> 'accepted'
 * ```
 * @see OpenAPI 3.1.1 §4.8.1, `webhooks`
 */
export function defineWebhook<const Name extends string, const Spec extends WebhookSpec>(
  name: Name,
  spec: Spec & {
    readonly [Unknown in Exclude<
      keyof Spec,
      keyof WebhookSpec
    >]: `unknown field of a webhook: ${Unknown & string}`
  },
): Webhook<Name, Spec> {
  const operation = defineOperation<Name, WebhookRoute, WebhookSpec>(name, ROUTE, spec)
  return {
    findUrlFaults,
    // The schemas that parse are the ones in the spec's type.
    ...(operation as unknown as Operation<WebhookRoute, Spec, Name>),
    receive: (request, options) =>
      receiveWebhook(operation, request, options) as Promise<
        Result<ReceivedWebhook<Spec>, WebhookError | OperationInputError>
      >,
  }
}

async function receiveWebhook(
  operation: Operation<WebhookRoute, WebhookSpec>,
  request: Request,
  { verify }: { readonly verify?: Verify } = {},
): Promise<Result<ReceivedWebhook, WebhookError | OperationInputError>> {
  if (typeof verify !== 'function') {
    throw optionFault(`${operation.operationId}.receive: verify`, 'a function', verify)
  }
  const limit = operation.spec.bodyLimit ?? MEBIBYTE
  const limited = await limitBody(request, limit, true)
  if (limited === 'too-large' || limited === 'unreadable') {
    const message = limited === 'too-large' ? `more than ${limit} bytes` : 'incomplete'
    return failure(new WebhookError(limited, `the body is ${message}`))
  }
  // The signature covers the bytes. JSON may differ after it is parsed and written again.
  const bytes = new Uint8Array(limited ?? [])
  const { headers, url } = request
  const verified = await verify(headers, bytes)
  if ('code' in verified) return failure(new WebhookError(verified.code, verified.message))
  const parsed = await operation.parse(new Request(url, { method: 'POST', headers, body: bytes }))
  if (isFailure(parsed)) return parsed
  const { id, timestamp } = verified
  return success({ id, timestamp, headers: parsed.data.headers, body: parsed.data.body })
}

const ROUTE: WebhookRoute = { method: 'POST', pattern: '/' }
const MEBIBYTE = 1024 * 1024
