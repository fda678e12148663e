import type { ScriptName } from './assets.ts'
import type { Html } from './html.ts'

/** A page's content. */
export interface PageOptions {
  /** The only `h1` of the page, and the start of its title. */
  readonly title: string
  readonly body: Html
  /** 200 by default. */
  readonly status?: number
  /** The page's tenant, whose navigation is shown. */
  readonly tenant?: { readonly id: string; readonly name: string }
  /** The pages above this one, without the tenant. */
  readonly crumbs?: readonly { readonly text: string; readonly href: string }[]
  /** The page's scripts; `copy.js` is always loaded. */
  readonly scripts?: readonly ScriptName[]
}
