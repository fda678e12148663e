import type { VerificationFault } from './signature.ts'

/** The reason why a message is rejected before it is parsed. Codes are stable; messages may change. */
export type WebhookErrorCode = VerificationFault['code'] | 'too-large' | 'unreadable'

/** Thrown for messages that cannot be trusted or read. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError'
  /** The reason. */
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
