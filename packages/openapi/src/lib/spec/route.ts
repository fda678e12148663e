import { getRoutePatternCaptures, RoutePattern } from '@remix-run/route-pattern'
import type { MatchParams } from '@remix-run/route-pattern/match'
import type { Method } from '../openapi.ts'

/**
 * What an operation is bound to: a route of a `@remix-run/fetch-router` route map, or any object with
 * an HTTP method and a route pattern such as `/books/:bookId`.
 */
export interface Route {
  readonly method: string
  readonly pattern: string | RoutePattern
}

/** The parameters that the pattern of a route implies: an object with a string for each variable. */
export type PathParams<Of extends Route> = MatchParams<SourceOf<Of['pattern']>>

type SourceOf<Pattern> =
  Pattern extends RoutePattern<infer Source> ? Source : Pattern extends string ? Pattern : never

/** A route as the document shows it. */
export interface PreparedRoute {
  readonly method: Method
  readonly pattern: RoutePattern
  /** The path with its variables as `{name}`. */
  readonly template: string
  readonly variables: readonly string[]
  /** The origin that the pattern names, or null. */
  readonly origin: string | null
}

/** Works out what OpenAPI says of a route, or gives the sentence that tells why it can say nothing. */
export function prepareRoute({ method, pattern }: Route): PreparedRoute | string {
  const name = METHODS.get(method.toUpperCase())
  if (name === undefined) {
    return method.toUpperCase() === 'ANY'
      ? 'the route takes any method; bind the operation to one method'
      : `OpenAPI has no field for the method ${method}`
  }
  const parsed = parsePattern(pattern)
  if (typeof parsed === 'string') return parsed
  const { protocol, hostname, port, pathname, search } = parsed.toJSON()
  if (search !== '') return 'the pattern names query parameters; declare them in query instead'
  const captures = getRoutePatternCaptures(parsed)
  if (/(?<!\\)[()]/.test(`${hostname}${pathname}`)) {
    return 'the pattern has an optional segment; define one operation with it and one without'
  }
  if (captures.some(({ part }) => part === 'hostname')) {
    return 'the pattern has a variable in its hostname; name the hosts in servers instead'
  }
  if (captures.some(({ name: variable }) => variable === '*')) {
    return 'the pattern has an unnamed wildcard; give it a name, such as *path'
  }
  return {
    method: name,
    pattern: parsed,
    template: `/${pathname.replace(TOKEN, toTemplate)}`,
    variables: [...new Set(captures.map((capture) => capture.name))],
    origin:
      hostname === ''
        ? null
        : `${protocol.replace('(s)', 's') || 'https'}://${hostname}${port && `:${port}`}`,
  }
}

function parsePattern(pattern: string | RoutePattern): RoutePattern | string {
  if (typeof pattern !== 'string') return pattern
  try {
    return RoutePattern.parse(pattern)
  } catch (error) {
    return `the pattern cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * A variable becomes `{name}`, an escaped character itself. The router matches decoded paths, so what a
 * path cannot hold as it is, a percent sign and braces among them, is written encoded.
 */
function toTemplate(token: string, variable?: string): string {
  if (variable !== undefined) return `{${variable}}`
  const text = token.startsWith('\\') ? token.slice(1) : token
  return PCHAR.test(text) ? text : encodeURIComponent(text)
}

// RFC 3986 §3.3, pchar and "/". A lone surrogate stays: no URL can hold it.
const PCHAR = /^[\w\-.~!$&'()*+,;=:@/]$/
const TOKEN = /\\.|[:*]([A-Za-z_$][\w$]*)|[^\w\-.~!$&'()*+,;=:@/\p{Cs}]/gu

const METHODS: ReadonlyMap<string, Method> = new Map(
  (['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const).map((name) => [
    name.toUpperCase(),
    name,
  ]),
)
