import { html } from 'hono/html'
import type { Session } from '../../kernel/access/sessions.ts'
import { assetHref } from './assets.ts'
import { alert } from './components/alert.ts'
import { copyButton } from './components/copy-button.ts'
import { icon } from './components/icon.ts'
import type { Section } from './context.ts'
import type { Html } from './html.ts'
import { markControls } from './mark-controls.ts'
import { menu } from './menu.ts'
import type { Notice } from './notice.ts'
import type { PageOptions } from './page-options.ts'
import { routes } from './routes.ts'

/** The parts a page shares with others. */
export interface Frame {
  /** Null for a public page. */
  readonly session: Session | null
  readonly sections: readonly Section[]
  readonly path: string
  readonly notice: Notice | null
}

/** Renders a page as HTML. */
export async function renderPage(options: PageOptions, frame: Frame): Promise<string> {
  const { title, tenant, scripts = [] } = options
  const names = tenant === undefined ? [title] : [title, tenant.name]
  const hasMenu = frame.session !== null || tenant !== undefined
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${[...names, 'Plumbline Directory'].join(' · ')}</title>
<link rel="icon" href="${assetHref('icon.svg')}">
<link rel="stylesheet" href="${assetHref('console.css')}">
${([...SCRIPTS, ...scripts] as const).map(
  (name) => html`<script type="module" src="${assetHref(name)}"></script>
`,
)}</head>
<body class="${hasMenu ? 'shell' : 'alone'}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">${hasMenu ? bar(options, frame) : product(frame)}
${hasMenu && menu(tenant ?? null, frame)}</header>
${content(options, frame)}
</body>
</html>
`
  return markControls((await document).toString())
}

/** The first row on every page. In a narrow window, its button opens the menu. */
function bar({ tenant }: PageOptions, frame: Frame): Html {
  return html`<div class="bar"><button type="button" class="btn btn-ghost btn-square opener" popovertarget="menu" aria-label="Menu">${icon('three-bars')}</button>
${product(frame)}
${tenant !== undefined && html`<span class="place">${tenant.name}</span>`}</div>`
}

function product({ session }: Frame): Html {
  const name = html`${icon('mark')}Plumbline Directory`
  if (session === null) return html`<span class="product">${name}</span>`
  return html`<a class="product" href="${routes.home.href()}">${name}</a>`
}

function content(options: PageOptions, frame: Frame): Html {
  const { title, heading = title, body, actions } = options
  return html`<main id="main" tabindex="-1">
${frame.session !== null && breadcrumb(options)}
<div class="heading"><h1>${heading}</h1>${actions !== undefined && html`<div class="actions">${actions}</div>`}</div>
${frame.notice !== null && notice(frame.notice)}
${body}
</main>`
}

function breadcrumb({ crumbs = [], tenant, title }: PageOptions): Html | '' {
  const ofTenant =
    tenant === undefined
      ? []
      : [
          { text: 'Tenants', href: routes.tenants.href() },
          { text: tenant.name, href: routes.tenant.href({ tenantId: tenant.id }) },
        ]
  const all = [...ofTenant, ...crumbs]
  if (all.length === 0) return ''
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>
${all.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)}
<li aria-current="page"><span>${title}</span></li>
</ol></nav>`
}

function notice({ message, secret }: Notice): Html {
  const shown =
    secret !== undefined &&
    html`<p><code id="secret" class="secret">${secret}</code> ${copyButton('secret')}</p>
<p>Copy it now: after this page it cannot be shown again.</p>`
  return alert('success', html`<p>${message}</p>${shown}`, { role: 'status' })
}

/** Scripts for every page. */
const SCRIPTS = ['copy.js', 'times.js', 'shortcuts.js'] as const
