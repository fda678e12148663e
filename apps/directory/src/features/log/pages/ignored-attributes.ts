import { html } from 'hono/html'
import { countOf } from '../../../kernel/counts.ts'
import { badge } from '../../../shell/console/components/text.ts'
import type { Html } from '../../../shell/console/html.ts'
import { MAX_IGNORED } from '../entry.ts'

/** Lists a PATCH's ignored attributes, such as `1 attribute ignored: emails.valu`; empty without any. */
export function ignoredAttributes(
  { ignored }: { readonly ignored: readonly string[] },
  { most = MAX_IGNORED }: { readonly most?: number } = {},
): Html | '' {
  if (ignored.length === 0) return ''
  const count = countOf({ count: ignored.length, isExact: ignored.length < MAX_IGNORED })
  const mark = badge(`${count} ${count === '1' ? 'attribute' : 'attributes'} ignored:`, 'warning')
  const names = ignored.slice(0, most)
  return html`${mark} ${names.map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}${names.length < ignored.length && ', …'}`
}
