import { html } from 'hono/html'
import { assetHref } from '../assets.ts'
import type { IconName } from '../design.ts'
import type { Html } from '../html.ts'

/** An icon next to a text. Screen readers skip it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="${assetHref('icons.svg')}#${name}"/></svg>`
}
