import { routes } from './routes.ts'

/** The page that shows a resource of a type. */
export interface TypePage {
  /** The resource in a sentence, such as `user`. */
  readonly noun: string
  href(params: { readonly tenantId: string; readonly id: string }): string
}

/** The page of the resources of a type; null for a type without one. */
export function pageOf(type: string | null): TypePage | null {
  return PAGES.get(type ?? '') ?? null
}

const PAGES: ReadonlyMap<string, TypePage> = new Map([
  ['User', { noun: 'user', href: (params) => routes.user.href(params) }],
  ['Group', { noun: 'group', href: (params) => routes.group.href(params) }],
])
