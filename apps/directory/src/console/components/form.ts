import { html } from 'hono/html'
import type { Session } from '../../auth/sessions.ts'
import type { Html, Part } from '../html.ts'
import { formTokenOf } from '../seal.ts'

/** The name of the hidden field of `formToken`. */
export const FORM_TOKEN = '_token'

/** The hidden field that each posted form needs: it proves that the form is of a page of the session. */
export function formToken({ secret }: Pick<Session, 'secret'>): Html {
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(secret)}">`
}

/** A form that posts to a route, with the hidden field. A token that may only read gets an explanation instead. */
export function form(
  { session }: { readonly session: Session },
  {
    action,
    submit,
    body = [],
    isDangerous = false,
  }: {
    readonly action: string
    /** The button's text. */
    readonly submit: string
    readonly body?: Part
    readonly isDangerous?: boolean
  },
): Html {
  if (session.principal.access === 'read') {
    return html`<p class="hint">${submit}: your token may only read.</p>`
  }
  return html`<form method="post" action="${action}">${formToken(session)}
${body}
<p class="actions"><button class="${isDangerous ? 'dangerous' : 'primary'}">${submit}</button></p>
</form>`
}

/** A field of a form. */
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
  /** An HTML pattern the value must match. */
  readonly pattern?: string
  readonly type?: 'text' | 'password' | 'search' | 'date' | 'datetime-local' | 'number'
}

/** An input with its label, hint and error. */
export function field(options: FieldOptions): Html {
  const { name, value = '', isRequired = false, maxLength, pattern, type = 'text' } = options
  return labelled(
    options,
    html`<input id="field-${name}" name="${name}" type="${type}" value="${value}" autocomplete="off"${isRequired && html` required`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${pattern !== undefined && html` pattern="${pattern}"`}${described(options)}>`,
  )
}

/** Several lines of text. */
export function textArea(options: FieldOptions & { readonly rows?: number }): Html {
  const { name, value = '', isRequired = false, rows = 12 } = options
  return labelled(
    options,
    html`<textarea id="field-${name}" name="${name}" rows="${rows}" spellcheck="false"${isRequired && html` required`}${described(options)}>
${value}</textarea>`,
  )
}

/** A choice of one value. */
export function select(
  options: Omit<FieldOptions, 'pattern' | 'type' | 'maxLength'> & {
    readonly choices: readonly (readonly [value: string, text: string])[]
  },
): Html {
  const { name, value = '', choices } = options
  return labelled(
    options,
    html`<select id="field-${name}" name="${name}"${described(options)}>
${choices.map(([key, text]) => html`<option value="${key}"${key === value && html` selected`}>${text}</option>`)}
</select>`,
  )
}

/** A form that acts only if the administrator types a name, such as that of a tenant to delete. */
export function confirmByName(
  context: { readonly session: Session },
  {
    expected,
    error,
    ...options
  }: {
    readonly action: string
    readonly submit: string
    readonly expected: string
    readonly error?: string | undefined
    /** Explains what happens. */
    readonly body: Part
  },
): Html {
  return form(context, {
    ...options,
    isDangerous: true,
    body: [
      options.body,
      field({
        name: 'confirmation',
        label: `Type ${expected} to confirm`,
        isRequired: true,
        error,
      }),
    ],
  })
}

/** The errors of a rejected body by the names of its members (the `issues` of a problem). */
export function fieldErrors(
  issues: readonly { readonly pointer: string; readonly detail: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    issues.map(({ pointer, detail }) => [pointer.split('/')[1] ?? '', detail]),
  )
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
