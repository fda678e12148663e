import { html } from 'hono/html'
import type { Session } from '../../../kernel/access/sessions.ts'
import type { Html, Part } from '../html.ts'
import { formTokenOf } from '../seal.ts'

/** The name of the hidden field from `formToken`. */
export const FORM_TOKEN = '_token'

/** The hidden field required in each posted form: it proves the form comes from a page in this session. */
export function formToken({ secret }: Pick<Session, 'secret'>): Html {
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(secret)}">`
}

/** A form that posts to a route, with the hidden field. A read-only token gets an explanation instead. */
export function form(
  { session }: { readonly session: Session },
  {
    action,
    submit,
    body = [],
    look = 'primary',
  }: {
    readonly action: string
    /** The button's text. */
    readonly submit: string
    readonly body?: Part
    /** `danger` marks irreversible actions. */
    readonly look?: keyof typeof LOOKS
  },
): Html {
  if (session.principal.access === 'read') {
    return html`<p class="hint">${submit}: your token may only read.</p>`
  }
  return html`<form method="post" action="${action}">${formToken(session)}
${body}
<p class="actions"><button class="${LOOKS[look]}">${submit}</button></p>
</form>`
}

/** A form field. */
export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  /** Explains the field. */
  readonly hint?: Part
  /** Why the posted value was rejected. */
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly maxLength?: number
  /** An HTML pattern for the value. */
  readonly pattern?: string
  /** The key that focuses it. */
  readonly keys?: string
  /** Whether the page opens with the cursor in it. */
  readonly isFocused?: boolean
  readonly type?: 'text' | 'password' | 'search' | 'date' | 'datetime-local' | 'number'
}

/** An input with a label, a hint and an error. */
export function field(options: FieldOptions): Html {
  const { name, value = '', isRequired = false, maxLength, pattern, keys, type = 'text' } = options
  const { isFocused = false } = options
  return labelled(
    options,
    html`<input id="field-${name}" name="${name}" type="${type}" value="${value}" class="input" autocomplete="off"${isRequired && html` required`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${pattern !== undefined && html` pattern="${pattern}"`}${keys !== undefined && html` data-keys="${keys}"`}${isFocused && html` autofocus`}${described(options)}>`,
  )
}

/** A multi-line text input. */
export function textArea(options: FieldOptions & { readonly rows?: number }): Html {
  const { name, value = '', isRequired = false, rows = 12 } = options
  return labelled(
    options,
    html`<textarea id="field-${name}" name="${name}" class="textarea" rows="${rows}" spellcheck="false"${isRequired && html` required`}${described(options)}>
${value}</textarea>`,
  )
}

/** A select box for one value. */
export function select(
  options: Omit<FieldOptions, 'pattern' | 'type' | 'maxLength'> & {
    readonly choices: readonly (readonly [value: string, text: string])[]
  },
): Html {
  const { name, value = '', choices } = options
  return labelled(
    options,
    html`<select id="field-${name}" name="${name}" class="select"${described(options)}>
${choices.map(([key, text]) => html`<option value="${key}"${key === value && html` selected`}>${text}</option>`)}
</select>`,
  )
}

/** Returns a rejected body's errors, keyed by member name (the problem's `issues`). */
export function fieldErrors(
  issues: readonly { readonly pointer: string; readonly detail: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    issues.map(({ pointer, detail }) => [pointer.split('/')[1] ?? '', detail]),
  )
}

const LOOKS = {
  primary: 'btn btn-primary',
  default: 'btn',
  danger: 'btn btn-error btn-soft',
}

function labelled({ name, label, hint, error }: FieldOptions, control: Html): Html {
  return html`<div class="field">
<label for="field-${name}">${label}</label>
${control}
${hint !== undefined && html`<p class="hint" id="hint-${name}">${hint}</p>`}
${error !== undefined && html`<p class="error" id="error-${name}">${error}</p>`}
</div>`
}

function described({ name, hint, error }: FieldOptions): Html {
  const ids = [hint === undefined ? [] : `hint-${name}`, error === undefined ? [] : `error-${name}`]
  const value = ids.flat().join(' ')
  return html`${value !== '' && html` aria-describedby="${value}"`}${error !== undefined && html` aria-invalid="true"`}`
}
