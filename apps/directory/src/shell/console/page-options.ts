import type { ScriptName } from './assets.ts'
import type { Html, Part } from './html.ts'

/** A page's content. */
export interface PageOptions {
  /** The start of the page's title. */
  readonly title: string
  /** The page's only `h1`; defaults to the title. */
  readonly heading?: string
  readonly body: Html
  /** Buttons and links next to the heading. */
  readonly actions?: Part
  /** Defaults to 200. */
  readonly status?: number
  /** The page's tenant, whose navigation is shown. */
  readonly tenant?: { readonly id: string; readonly name: string }
  /** The pages above this one, without the tenant. */
  readonly crumbs?: readonly { readonly text: string; readonly href: string }[]
  /** The page's own scripts, in addition to those on every page. */
  readonly scripts?: readonly ScriptName[]
}
