import { html } from 'hono/html'
import type { IconName } from '../design.ts'
import type { Html, Part } from '../html.ts'
import { icon } from './icon.ts'

/** An alert's meaning. */
export type AlertKind = 'info' | 'success' | 'warning' | 'error'

/** A message in a box. Set `role` to `alert` after a failure, and to `status` after a success. */
export function alert(
  kind: AlertKind,
  body: Part,
  { role }: { readonly role?: 'alert' | 'status' } = {},
): Html {
  return html`<div class="alert alert-soft alert-${kind}"${role !== undefined && html` role="${role}"`}>${icon(ICONS[kind])}
<div>${body}</div></div>`
}

const ICONS: Readonly<Record<AlertKind, IconName>> = {
  info: 'info',
  success: 'check-circle',
  warning: 'alert',
  error: 'stop',
}
