import { html, type Markup } from './markup.ts'

/** A badge's meaning. */
export type BadgeKind = 'success' | 'warning' | 'error' | 'neutral'

/** Renders a boxed word with a sign, so its meaning does not depend on color. */
export function badge(kind: BadgeKind, text: string): Markup {
  return html`<span class="badge badge-${kind}"><span aria-hidden="true">${SIGNS[kind]}</span> ${text}</span>`
}

const SIGNS: Readonly<Record<BadgeKind, string>> = {
  success: '✓',
  warning: '!',
  error: '✕',
  neutral: '•',
}
