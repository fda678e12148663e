import { html } from 'hono/html'
import type { Session } from '../../kernel/access/sessions.ts'
import { formToken } from './components/form.ts'
import { icon } from './components/icon.ts'
import type { Section, SectionLink } from './context.ts'
import type { Html } from './html.ts'
import { routes } from './routes.ts'

interface Place {
  readonly session: Session | null
  readonly sections: readonly Section[]
  readonly path: string
}

interface MenuLink extends SectionLink {
  readonly href: string
}

/** Links for the tenant and the server. They are a column, or open from the bar's button in a narrow window. */
export function menu(
  tenant: { readonly id: string; readonly name: string } | null,
  { session, sections, path }: Place,
): Html {
  const ofTenant = sections.flatMap(({ tenantLink }) => tenantLink ?? [])
  const groups = [...new Set(ofTenant.map(({ group }) => group))]
  const ofServer = sections.flatMap(({ link }) => link ?? [])
  return html`<div class="side" id="menu" popover>
${session !== null && tenantSearch()}
${
  tenant !== null &&
  html`<nav aria-label="Tenant ${tenant.id}"><p class="name" title="${tenant.name}">${tenant.name}</p>
${groups.map((group) => {
  const links = ofTenant
    .filter((one) => one.group === group)
    .map((one) => ({ ...one, href: one.href({ tenantId: tenant.id }) }))
  return list(group, links, path)
})}</nav>`
}
${session !== null && html`<nav aria-label="Main">${list('Server', ofServer, path)}</nav>${account(session)}`}
</div>${session !== null && shortcuts([...ofTenant, ...ofServer])}`
}

function list(title: string, links: readonly MenuLink[], path: string): Html {
  return html`<p class="menu-title">${title}</p><ul class="menu">
${links.map(({ text, href, icon: name, key }) => {
  const current = path === href && html` aria-current="page"`
  const keys = key !== undefined && html` data-keys="g ${key}"`
  return html`<li><a href="${href}"${current}${keys}>${icon(name)}${text}</a></li>
`
})}</ul>`
}

function tenantSearch(): Html {
  return html`<form class="jump" action="${routes.openTenant.href()}" method="get">
<label class="unseen" for="open-tenant">Tenant</label>
<input class="input input-sm" id="open-tenant" name="id" required maxlength="63" autocomplete="off" spellcheck="false" placeholder="Go to a tenant’s id" data-keys="/">
<button class="btn btn-sm">Open</button>
</form>`
}

function account(session: Session): Html {
  const { tokenId, access } = session.principal
  const href =
    tokenId === null ? routes.administrators.href() : routes.administrator.href({ tokenId })
  return html`<div class="account"><a href="${href}">${icon('person')}${access === 'read' ? 'Your token, reading only' : 'Your token'}</a>
<button type="button" class="btn btn-ghost btn-sm" id="open-shortcuts" hidden>${icon('question')}Keyboard shortcuts</button>
<form method="post" action="${routes.signOut.href()}">${formToken(session)}<button class="btn btn-ghost btn-sm">${icon('sign-out')}Sign out</button></form></div>`
}

/** The list of keyboard shortcuts, which a script opens. */
function shortcuts(links: readonly SectionLink[]): Html {
  const keys = links.flatMap(({ key, text }) => (key === undefined ? [] : [[`g ${key}`, text]]))
  const all = [['?', 'This list'], ['/', 'Search'], ...keys]
  return html`<dialog class="modal" id="shortcuts" aria-labelledby="shortcuts-title"><div class="modal-box">
<h2 id="shortcuts-title">Keyboard shortcuts</h2>
<dl class="facts">${all.map(
    ([keys = '', text]) =>
      html`<div><dt>${text}</dt><dd>${keys.split(' ').map((one) => html`<kbd class="kbd kbd-sm">${one}</kbd> `)}</dd></div>`,
  )}</dl>
<form method="dialog" class="heading"><label><input type="checkbox" id="shortcuts-on"> Shortcuts are on</label><button class="btn">Close</button></form>
</div></dialog>`
}
