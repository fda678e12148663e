import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { icon } from './icon.ts'

/**
 * A button for copying the content of the element with this id. It is shown only where a script can copy. A small
 * button shows its label only as a title.
 */
export function copyButton(
  id: string,
  label: string = 'Copy',
  { isSmall = false }: { readonly isSmall?: boolean } = {},
): Html {
  const look = isSmall ? 'btn btn-ghost btn-xs btn-square' : 'btn btn-sm'
  return html`<button type="button" class="${look} copy" data-copy="${id}" title="${label}">${icon('copy')}<span${isSmall && html` class="unseen"`}>${label}</span></button>`
}
