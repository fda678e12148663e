import { createSender, type SenderOptions, signWebhooks } from '@plumbline/openapi/webhooks'
import { hideSecrets } from '../../kernel/hide-secrets.ts'
import { createId } from '../../kernel/ids.ts'
import type { Store } from '../../kernel/store/store.ts'
import { eventKeys } from '../changes/event-keys.ts'
import { changeBody } from '../changes/handlers.ts'
import type { ReadChange } from '../changes/read-changes.ts'
import { writeSecurityEvent } from '../changes/security-event.ts'
import type { Receivers } from './addresses.ts'
import type { DeliveryRow } from './deliveries.ts'
import { changeMessage, securityEvent } from './operations.ts'
import { createReceiverFetch } from './send-request.ts'
import type { WebhookRow } from './store.ts'

/** Sends a change to a webhook, and returns the attempt; never rejects. An abort is an attempt without an answer. */
export type SendChange = (
  webhook: WebhookRow,
  change: ReadChange,
  signal?: AbortSignal,
) => Promise<DeliveryRow>

/** Options for `createSendChange`. */
export interface SendOptions {
  /** Contains the keys for signing Security Event Tokens. */
  readonly store: Store
  readonly receivers: Receivers
  /** The issuer for Security Event Tokens; null by default. */
  readonly publicOrigin?: string | null
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** How long (ms) a receiver may take to answer; 15 seconds by default. */
  readonly timeout?: number
  /** Wraps every exchange, for example to record conformance. */
  readonly middleware?: NonNullable<SenderOptions['middleware']>
}

/** Creates the function that encodes and signs a change in a webhook's format, and sends it. */
export function createSendChange({
  store,
  receivers,
  publicOrigin = null,
  now,
  ...options
}: SendOptions): SendChange {
  const exchange = createReceiverFetch(receivers)
  return async (webhook, row, signal) => {
    const { tenant_id, id: webhook_id, audience } = webhook
    const [attempted_at, started] = [now(), performance.now()]
    const answers: Response[] = []
    const fetch = async (request: Request) => {
      const response = await exchange(request)
      answers.push(response.clone())
      return response
    }
    const sending = { webhook, row, now: attempted_at, signal, options: { ...options, fetch } }
    const { outcome, error } =
      audience === null
        ? await sendMessage(sending)
        : await pushToken(sending, { store, audience, issuer: publicOrigin })
    const [response = null] = outcome === 'unanswered' ? [] : answers
    const text = response === null ? reasonOf(error) : await response.text()
    const answer = storable(hideSecrets(text, [webhook.secret, webhook.old_secret]))
    const duration = Math.round(performance.now() - started)
    const { type } = changeBody(row)
    const facts = { tenant_id, webhook_id, position: row.position, type, attempted_at, duration }
    return { ...facts, id: createId(attempted_at), status: response?.status ?? null, answer }
  }
}

interface Sending {
  readonly webhook: WebhookRow
  readonly row: ReadChange
  readonly now: number
  readonly signal: AbortSignal | undefined
  readonly options: Omit<SenderOptions, 'sign'>
}

interface Outcome {
  readonly outcome: string
  readonly error?: unknown
}

/** Sends a change as a Standard Webhooks message. */
async function sendMessage({ webhook, row, now, signal, options }: Sending): Promise<Outcome> {
  const { tenant_id, url, secret } = webhook
  const change = changeBody(row)
  const { type, time: timestamp } = change
  const sign = signWebhooks(secret, ...oldSecrets(webhook, now))
  return await createSender({ changeMessage }, { sign, ...options }).changeMessage(
    url,
    { type, timestamp, data: { ...change, tenantId: tenant_id } },
    // The same for each attempt and each webhook, so receivers recognize a repetition. A dot would end it in the signature.
    { id: `${tenant_id}-${row.epoch}-${row.position}`, ...(signal && { signal }) },
  )
}

interface TokenOptions {
  readonly store: Store
  readonly audience: string
  readonly issuer: string | null
}

/** Pushes a change as a Security Event Token (RFC 8935 §2). */
async function pushToken(
  { webhook, row, now, signal, options }: Sending,
  { store, audience, issuer }: TokenOptions,
): Promise<Outcome> {
  const { tenant_id, url, secret } = webhook
  if (issuer === null) return { outcome: 'unanswered', error: 'PUBLIC_URL, the issuer, is not set' }
  try {
    const { signing: key } = await eventKeys(store, now)
    const token = await writeSecurityEvent({ ...row, tenant_id }, { issuer, audience, key })
    // The receiver learns the new secret while the old one is sent.
    const [bearer = secret] = oldSecrets(webhook, now)
    const headers = { Accept: 'application/json', Authorization: `Bearer ${bearer}` }
    const sender = createSender({ securityEvent }, options)
    return await sender.securityEvent(url, token, { headers, ...(signal && { signal }) })
  } catch (error) {
    // The database does not answer.
    return { outcome: 'unanswered', error }
  }
}

function oldSecrets({ old_secret, old_secret_until }: WebhookRow, now: number): readonly string[] {
  return old_secret !== null && (old_secret_until ?? 0) > now ? [old_secret] : []
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'TimeoutError' ? 'No answer in time' : error.message || error.name
}

/** Makes a text storable in every database. */
function storable(text: string): string {
  return text.slice(0, MAX_STORED_LENGTH).toWellFormed().replaceAll('\0', '\ufffd')
}

const MAX_STORED_LENGTH = 1_024
