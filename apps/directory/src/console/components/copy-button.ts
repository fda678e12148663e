import { html } from 'hono/html'
import type { Html } from '../html.ts'

/** A button that copies the content of the element with the id. It is shown only where a script can copy. */
export function copyButton(id: string, label: string = 'Copy'): Html {
  return html`<button type="button" class="copy" data-copy="${id}">${label}</button>`
}
