import { html } from 'hono/html'
import type { Session } from '../auth/sessions.ts'
import { assetHref } from './assets.ts'
import { copyButton } from './components/copy-button.ts'
import { formToken } from './components/form.ts'
import type { Section } from './context.ts'
import type { Html } from './html.ts'
import type { Notice } from './notice.ts'
import type { PageOptions } from './page-options.ts'
import { routes } from './routes.ts'

/** The parts of a page that it shares with others. */
export interface Frame {
  /** Null for a page that everyone may see. */
  readonly session: Session | null
  readonly sections: readonly Section[]
  readonly path: string
  readonly notice: Notice | null
}

/** Writes a page as HTML. */
export async function renderPage(options: PageOptions, frame: Frame): Promise<string> {
  const { title, body, tenant, scripts = [] } = options
  const names = tenant === undefined ? [title] : [title, tenant.name]
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${[...names, 'Plumbline Directory'].join(' · ')}</title>
<link rel="icon" href="${assetHref('icon.svg')}">
<link rel="stylesheet" href="${assetHref('console.css')}">
${(['copy.js', ...scripts] as const).map(
  (name) => html`<script type="module" src="${assetHref(name)}"></script>
`,
)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${header(frame)}
<div class="columns">
${tenant !== undefined && tenantNavigation(tenant, frame)}
<main id="main" tabindex="-1">
${breadcrumb(options)}
<h1>${title}</h1>
${frame.notice !== null && notice(frame.notice)}
${body}
</main>
</div>
</body>
</html>
`
  return (await document).toString()
}

function header({ session, sections, path }: Frame): Html {
  if (session === null) {
    return html`<header class="bar"><span class="product">Plumbline Directory</span></header>`
  }
  const links = sections.flatMap(({ link }) => link ?? [])
  return html`<header class="bar">
<a class="product" href="${routes.home.href()}">Plumbline Directory</a>
<nav aria-label="Main"><ul>
${links.map(({ text, href }) => html`<li>${navigationLink(text, href, path)}</li>`)}
</ul></nav>
<form class="switch" action="${routes.openTenant.href()}" method="get">
<label for="open-tenant">Tenant</label>
<input id="open-tenant" name="id" required maxlength="63" autocomplete="off" spellcheck="false" placeholder="id">
<button>Open</button>
</form>
<form class="sign-out" method="post" action="${routes.signOut.href()}">${formToken(session)}<button>Sign out</button></form>
</header>`
}

function tenantNavigation(
  tenant: { readonly id: string; readonly name: string },
  { sections, path }: Frame,
): Html {
  const links = sections.flatMap(({ tenantLink }) => tenantLink ?? [])
  return html`<nav class="side" aria-label="Tenant ${tenant.id}"><p>${tenant.name}</p><ul>
${links.map(({ text, href }) => html`<li>${navigationLink(text, href({ tenantId: tenant.id }), path)}</li>`)}
</ul></nav>`
}

function navigationLink(text: string, href: string, path: string): Html {
  if (path === href) return html`<a href="${href}" aria-current="page">${text}</a>`
  return html`<a href="${href}">${text}</a>`
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
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
${all.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)}
<li aria-current="page">${title}</li>
</ol></nav>`
}

function notice({ message, secret }: Notice): Html {
  return html`<div class="notice" role="status"><p>${message}</p>
${
  secret !== undefined &&
  html`<p><code id="secret" class="secret">${secret}</code> ${copyButton('secret')}</p>
<p>Copy it now: after this page it cannot be shown again.</p>`
}</div>`
}
