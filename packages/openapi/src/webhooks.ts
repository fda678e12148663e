export type { Delivery, MessageOptions, Sender, SenderOptions } from './lib/webhook/sender.ts'
export { createSender } from './lib/webhook/sender.ts'
export type {
  Sign,
  SignedContent,
  VerificationFault,
  VerifiedMessage,
  Verify,
  VerifyOptions,
} from './lib/webhook/signature.ts'
export { signWebhooks, verifyWebhooks } from './lib/webhook/signature.ts'
export type { ReceivedWebhook, Webhook, WebhookSpec } from './lib/webhook/webhook.ts'
export { defineWebhook } from './lib/webhook/webhook.ts'
export type { WebhookErrorCode } from './lib/webhook/webhook-error.ts'
export { WebhookError } from './lib/webhook/webhook-error.ts'
