import { html } from 'hono/html'
import type { Html } from '../html.ts'

const STEPS = ['Create a tenant', 'Connect its provider', 'Watch the first requests']

/** The steps for a first visit. `current` is this page's step. */
export function firstSteps(current: 0 | 1 | 2): Html {
  return html`<ol class="steps">${STEPS.map(
    (text, at) =>
      html`<li class="step${at <= current && ' step-primary'}"${at === current && html` aria-current="step"`}>${text}</li>`,
  )}</ol>`
}
