import type { ScriptName } from './assets.ts'
import type { Html } from './html.ts'

/** The content of a page. */
export interface PageOptions {
  /** The only `h1` of the page, and the start of its title. */
  readonly title: string
  readonly body: Html
  /** 200 by default. */
  readonly status?: number
  /** The tenant of the page, whose navigation is shown. */
  readonly tenant?: { readonly id: string; readonly name: string }
  /** The pages above this one, without the tenant. */
  readonly crumbs?: readonly { readonly text: string; readonly href: string }[]
  /** The scripts of the page; `copy.js` is always loaded. */
  readonly scripts?: readonly ScriptName[]
}
