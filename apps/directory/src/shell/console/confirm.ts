import { html } from 'hono/html'
import { card } from './components/card.ts'
import { FORM_TOKEN, field, form } from './components/form.ts'
import type { ConsoleContext } from './context.ts'
import type { Html, Part } from './html.ts'
import type { PageOptions } from './page-options.ts'

/** A question to answer before an action that cannot be reverted. */
export interface Confirmation {
  /** Such as `Revoke the token Okta?`. */
  readonly question: string
  /** The consequence, as a paragraph. */
  readonly consequence: Part
  /** The text of the button that acts. */
  readonly submit: string
  /** The page to return to instead. */
  readonly back: string
  /** The tenant whose navigation is shown. */
  readonly tenant?: PageOptions['tenant'] | null
  /** A name to type, for the actions with the worst consequences; by default, a button is enough. */
  readonly expected?: string
}

/**
 * Asks before an action that cannot be reverted. A form's first post answers with the question, whose form posts the
 * same fields again with the confirmation. It works without scripts.
 */
export function confirmed<Context extends ConsoleContext>(
  ask: (context: Context) => Confirmation | Promise<Confirmation>,
  act: (context: Context) => Promise<Response>,
): (context: Context) => Promise<Response> {
  return async (context) => {
    const confirmation = await ask(context)
    const given = context.form.get(CONFIRMATION)
    const { question, tenant, expected = YES } = confirmation
    if (given === expected) return await act(context)
    return await context.page({
      title: question,
      ...(tenant && { tenant }),
      status: given === null ? 200 : 422,
      body: questionForm(context, confirmation, given !== null),
    })
  }
}

function questionForm(
  context: ConsoleContext,
  { consequence, submit, back, expected }: Confirmation,
  isWrong: boolean,
): Html {
  const others = [...context.form].filter(([name]) => !OWN_FIELDS.includes(name))
  const isTyped = expected !== undefined
  return card({
    title: 'Confirm',
    isDangerous: true,
    body: html`${form(context, {
      action: context.url.pathname,
      submit,
      look: 'danger',
      body: html`${consequence}
${others.map(([name, value]) => hidden(name, value))}${
  isTyped
    ? field({
        name: CONFIRMATION,
        label: `Type ${expected} to confirm`,
        isRequired: true,
        error: isWrong ? `Type ${expected}. Nothing was changed.` : undefined,
      })
    : hidden(CONFIRMATION, YES)
}`,
    })}
<p><a href="${back}">Cancel</a></p>`,
  })
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

const CONFIRMATION = 'confirmation'
const YES = 'yes'
const OWN_FIELDS: readonly string[] = [FORM_TOKEN, CONFIRMATION]
