import { html } from 'hono/html'
import { field, select } from '../../../shell/console/components/form.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import type { Html } from '../../../shell/console/html.ts'

type Form = Pick<ConsoleContext, 'form'>

/** The fields' values. */
interface Webhook {
  readonly url: string
  readonly kinds: readonly string[] | null
  readonly format: 'standard' | 'set'
  readonly audience: string | null
}

/** Form fields for a new or existing webhook. */
export function webhookFields(
  { form: posted }: Form,
  webhook: Webhook | null,
  errors: Readonly<Record<string, string>>,
): Html {
  return html`${field({
    name: 'url',
    label: 'URL',
    isRequired: true,
    maxLength: 2_000,
    error: errors.url,
    value: posted.get('url') ?? webhook?.url,
    hint: 'Starts with https:// and is not in a private network.',
  })}
${field({
  name: 'kinds',
  label: 'Kinds of changes',
  error: errors.kinds,
  value: posted.get('kinds') ?? webhook?.kinds?.join(', '),
  hint: 'Such as user.created, user.deactivated, group.members. Empty for all.',
})}
${
  webhook === null &&
  select({
    name: 'format',
    label: 'Format',
    error: errors.format,
    choices: FORMATS,
    value: posted.get('format') ?? 'standard',
  })
}
${
  webhook?.format !== 'standard' &&
  field({
    name: 'audience',
    label: 'Audience',
    maxLength: 500,
    error: errors.audience,
    value: posted.get('audience') ?? webhook?.audience ?? '',
    hint: 'The claim aud of Security Event Tokens. The receiver answers them with 202.',
  })
}`
}

/** Reads the body for creating a webhook. */
export function readNew(context: Form) {
  const { form: posted } = context
  const format = posted.get('format') === 'set' ? 'set' : 'standard'
  return { audience: null, ...readChanged(context), format } as const
}

/** Reads the body for changing a webhook. */
export function readChanged({ form: posted }: Form) {
  const kinds = (posted.get('kinds') ?? '').split(/[\s,]+/).filter((kind) => kind !== '')
  const audience = posted.get('audience')?.trim() ?? ''
  return {
    url: posted.get('url')?.trim() ?? '',
    kinds: kinds.length === 0 ? null : kinds,
    ...(audience !== '' && { audience }),
  }
}

const FORMATS = [
  ['standard', 'Standard Webhooks'],
  ['set', 'Security Event Tokens (RFC 8935)'],
] as const
/** The formats' names. */
export const FORMAT_NAMES = Object.fromEntries(FORMATS)
