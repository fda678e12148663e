import type { ClientOf } from '@plumbline/openapi/client'
import type { Action } from '@remix-run/fetch-router'
import type { Route } from '@remix-run/fetch-router/routes'
import type { Principal } from '../../kernel/access/authenticate.ts'
import type { Session } from '../../kernel/access/sessions.ts'
import type { OpenFacts } from '../../kernel/requests/outcome.ts'
import type { apiDocument } from '../operations.ts'
import type { IconName } from './design.ts'
import type { Notice } from './notice.ts'
import type { PageOptions } from './page-options.ts'

/** A request to the console. */
export interface Exchange {
  readonly request: Request
  readonly params: Readonly<Record<string, string | undefined>>
  readonly origin: string
  /** The facts about the request. Its answer returns them. */
  readonly facts: OpenFacts
}

/** The server endpoints the console uses as a client. */
export interface Served {
  /** Answers a request to the management API on behalf of the console's one. */
  api(request: Request, outer: Outer): Promise<Response>
  /** Answers a request to the SCIM endpoint on behalf of an administrator. */
  scim(request: Request, outer: Outer, principal: Principal): Promise<Response>
}

/** The console's request, whose facts get the fault of an inner one. */
export type Outer = Pick<Exchange, 'request' | 'facts'>

/** The client of the management API, with the request's session. */
export type ConsoleApi = ClientOf<typeof apiDocument>

/** A signed-in administrator's request, and the means to answer it. */
export interface ConsoleContext<Params = unknown> {
  readonly request: Request
  readonly url: URL
  /** The route's parameters. */
  readonly params: Params
  /** A posted form's fields; empty for a page. */
  readonly form: URLSearchParams
  readonly session: Session
  /** The server's origin for clients. */
  readonly origin: string
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly api: ConsoleApi
  /** Sends a request to a path below a tenant's SCIM endpoint, such as `/Users?count=10`. */
  scim(tenantId: string, path: string): Promise<Response>
  /** Answers with a page. */
  page(options: PageOptions): Promise<Response>
  /** Answers a form: the browser opens the page, which shows the notice once. */
  redirect(href: string, notice?: Notice): Response
}

/** A page or form in the console. */
export interface PageRoute extends PageRouteOptions {
  readonly route: Route
  readonly answer: (context: ConsoleContext) => Promise<Response> | Response
}

/** How a page's requests count. */
export interface PageRouteOptions {
  /** Whether the session counts as used; true by default. False if a script sends the request without the user. */
  readonly isUse?: boolean
}

/** Pages about one subject, and their links in the navigation. */
export interface Section {
  readonly pages: readonly PageRoute[]
  /** A link in every page's menu. */
  readonly link?: SectionLink & { readonly href: string }
  /** A link in a tenant's menu. */
  readonly tenantLink?: SectionLink & {
    /** The heading above the link. */
    readonly group: string
    readonly href: (params: { readonly tenantId: string }) => string
  }
}

/** A menu link. */
export interface SectionLink {
  readonly text: string
  readonly icon: IconName
  /** The key that opens it after `g`. */
  readonly key?: string
}

/** Defines a page or a form's action. `answer` receives the route's parameters. */
export function on<Target extends Route>(
  route: Target,
  answer: (context: ConsoleContext<ParamsOf<Target>>) => Promise<Response> | Response,
  options: PageRouteOptions = {},
): PageRoute {
  // The router calls it only for matching requests, with the parameters in the pattern.
  return {
    ...options,
    route,
    answer: (context) => answer(context as ConsoleContext<ParamsOf<Target>>),
  }
}

type ParamsOf<Target extends Route> =
  Action<Target> extends infer Possible
    ? Possible extends (context: infer Context) => unknown
      ? Context extends { readonly params: infer Params }
        ? Params
        : never
      : never
    : never
