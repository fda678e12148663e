import { html } from 'hono/html'
import { relativeTime } from '../assets/times.js'
import type { Html } from '../html.ts'

/** A badge's meaning. */
export type BadgeKind = 'good' | 'bad' | 'warning' | 'neutral'

/** A state in a word. A sign shows its kind in addition to the color. */
export function badge(text: string | number, kind: BadgeKind): Html {
  return html`<span class="badge badge-sm badge-soft ${LOOKS[kind]}"><span aria-hidden="true">${SIGNS[kind]}</span> ${text}</span>`
}

/** An answer's status. */
export function statusBadge(status: number): Html {
  return badge(status, status < 400 ? 'good' : status < 500 ? 'warning' : 'bad')
}

/**
 * A relative time, such as `5 min ago`, which a script keeps correct; the title is the exact time. A dash without a
 * time.
 */
export function time(text: string | null | undefined, now: number): Html {
  if (text === null || text === undefined) return html`–`
  return html`<time datetime="${text}" title="${exact(text)}">${relativeTime(Date.parse(text), now)}</time>`
}

/** An exact time with the relative one, for pages about that moment. */
export function exactTime(text: string | null | undefined, now: number): Html {
  if (text === null || text === undefined) return html`–`
  const left = relativeTime(Date.parse(text), now)
  return text.startsWith(left) ? html`${exact(text)}` : html`${exact(text)} (${time(text, now)})`
}

function exact(text: string): string {
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`
}

/** A text to copy, such as a URL or a token id. */
export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** Multi-line program text, such as JSON. It scrolls on its own. */
export function codeBlock(
  text: string,
  { id, label }: { readonly id: string; readonly label: string },
): Html {
  return html`<pre id="${id}" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}

/**
 * Shows an error message. The lines after the sentence are an excerpt from a filter or a path, with a mark below the
 * fault; their spaces are kept. `end` follows a message that is only a sentence.
 */
export function message(text: string, { end = '' }: { readonly end?: string } = {}): Html {
  const [sentence = '', ...excerpt] = text.split('\n')
  if (excerpt.length === 0) return html`${sentence}${end}`
  return html`${sentence} <code class="excerpt">${excerpt.join('\n')}</code>`
}

const LOOKS: Readonly<Record<BadgeKind, string>> = {
  good: 'badge-success',
  bad: 'badge-error',
  warning: 'badge-warning',
  neutral: 'badge-neutral',
}
const SIGNS: Readonly<Record<BadgeKind, string>> = {
  good: '✓',
  bad: '✕',
  warning: '!',
  neutral: '•',
}
