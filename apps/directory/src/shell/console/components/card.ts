import { html } from 'hono/html'
import type { Html, Part } from '../html.ts'

/** A page section with a heading, such as a form. `isDangerous` marks irreversible actions. */
export function card({
  title,
  body,
  id,
  isDangerous = false,
}: {
  readonly title: string
  readonly body: Part
  /** The target for links to it. */
  readonly id?: string
  readonly isDangerous?: boolean
}): Html {
  return html`<section class="card card-border${isDangerous ? ' danger' : ''}"${id !== undefined && html` id="${id}"`}><div class="card-body">
<h2 class="card-title">${title}</h2>
${body}
</div></section>`
}
