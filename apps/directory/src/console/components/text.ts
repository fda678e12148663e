import { html } from 'hono/html'
import type { Html } from '../html.ts'

/** The meaning of a badge. */
export type BadgeKind = 'good' | 'bad' | 'warning' | 'neutral'

/** A state in a word. A sign shows its kind in addition to the color. */
export function badge(text: string | number, kind: BadgeKind): Html {
  return html`<span class="badge ${kind}"><span aria-hidden="true">${SIGNS[kind]}</span> ${text}</span>`
}

/** An answer's status. */
export function statusBadge(status: number): Html {
  return badge(status, status < 400 ? 'good' : status < 500 ? 'warning' : 'bad')
}

/** A time, such as `2026-11-22 17:05:09 UTC`; a dash without one. */
export function time(text: string | null | undefined): Html {
  if (text === null || text === undefined) return html`–`
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 19)} UTC</time>`
}

/** A number with separators, such as `1,000,000`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** A number of the API, which may be a lower bound. */
export function countOf({
  count: value,
  isExact,
}: {
  readonly count: number
  readonly isExact: boolean
}): string {
  return isExact ? count(value) : `${count(value)} or more`
}

/** A text to copy, such as a URL or a token id. */
export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** Program text of several lines, such as JSON. It scrolls on its own. */
export function codeBlock(
  text: string,
  { id, label }: { readonly id: string; readonly label: string },
): Html {
  return html`<pre id="${id}" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}

/**
 * A message of an error. The lines after its sentence are an excerpt of a filter or a path with a mark below the fault,
 * which keeps its spaces. `end` follows a message that is only a sentence.
 */
export function message(text: string, { end = '' }: { readonly end?: string } = {}): Html {
  const [sentence = '', ...excerpt] = text.split('\n')
  if (excerpt.length === 0) return html`${sentence}${end}`
  return html`${sentence} <code class="excerpt">${excerpt.join('\n')}</code>`
}

const SIGNS: Readonly<Record<BadgeKind, string>> = {
  good: '✓',
  bad: '✕',
  warning: '!',
  neutral: '•',
}
