import type { Outcome } from '@plumbline/base'
import { getRoutePatternCaptures, RoutePattern } from '@remix-run/route-pattern'
import type { MatchParams } from '@remix-run/route-pattern/match'
import type { Method } from '../openapi.ts'

/**
 * An operation's route, from a `@remix-run/fetch-router` route map, or any object with an HTTP method and a route
 * pattern such as `/books/:bookId`.
 */
export interface Route {
  /** An HTTP method, in any letter case. */
  readonly method: string
  /** A route pattern, as a string or parsed. */
  readonly pattern: string | RoutePattern
}

/** A route as text: a method, a space and a route pattern, such as `GET /books/:bookId`. */
export type RouteText = `${string} ${string}`

/** The route a text names; a route itself. */
export type RouteOf<Given extends Route | RouteText> = Given extends Route
  ? Given
  : Given extends `${infer Name} ${infer Pattern}`
    ? { readonly method: Name; readonly pattern: Pattern }
    : never

/** Reads a route from its text. */
export function routeOf<const Given extends Route | RouteText>(given: Given): RouteOf<Given>
export function routeOf(given: Route | RouteText): Route {
  if (typeof given !== 'string') return given
  const space = given.indexOf(' ')
  // The types require a space. Without one the build reports that the method is missing.
  return space <= 0
    ? { method: '', pattern: given }
    : { method: given.slice(0, space), pattern: given.slice(space + 1) }
}

/** The parameters a route's pattern implies: an object with a string for each variable. */
export type PathParams<Of extends Route> = MatchParams<SourceOf<Of['pattern']>>

type SourceOf<Pattern> =
  Pattern extends RoutePattern<infer Source> ? Source : Pattern extends string ? Pattern : never

/** A route in the form the document needs. */
export interface PreparedRoute {
  readonly method: Method
  readonly pattern: RoutePattern
  /** The path with variables as `{name}`. */
  readonly template: string
  readonly variables: readonly string[]
  /** The origin the pattern names, or null. */
  readonly origin: string | null
}

/** Why OpenAPI cannot describe a route: a `BuildFault` code, with the facts the message quotes. */
export type RouteFault =
  | { readonly code: 'any-method' | PatternFaultCode }
  | { readonly code: 'missing-method'; readonly path: string }
  | { readonly code: 'unsupported-method'; readonly method: string; readonly remedy: string }
  | { readonly code: 'invalid-pattern'; readonly reason: string }
  | { readonly code: 'foreign-pattern'; readonly part: string; readonly remedy: string }

type PatternFaultCode =
  | 'query-in-pattern'
  | 'optional-segment'
  | 'hostname-variable'
  | 'unnamed-wildcard'

/** Prepares a route for the document. */
export function prepareRoute({ method, pattern }: Route): Outcome<PreparedRoute, RouteFault> {
  const name = METHODS.get(method.toUpperCase())
  if (name === undefined) return { fault: methodFault(method, sourceOf(pattern)) }
  const foreign = findForeignSyntax(sourceOf(pattern))
  if (foreign) return { fault: foreign }
  const { value: parsed, fault } = parsePattern(pattern)
  if (fault) return { fault }
  const { protocol, hostname, port, pathname, search } = parsed.toJSON()
  const captures = getRoutePatternCaptures(parsed)
  const code = findPatternFault(`${hostname}${pathname}`, search, captures)
  if (code !== null) return { fault: { code } }
  const value = {
    method: name,
    pattern: parsed,
    template: `/${pathname.replace(TOKEN, toTemplate)}`,
    variables: [...new Set(captures.map((capture) => capture.name))],
    origin:
      hostname === ''
        ? null
        : `${protocol.replace('(s)', 's') || 'https'}://${hostname}${port && `:${port}`}`,
  }
  return { value }
}

function sourceOf(pattern: Route['pattern']): string {
  return typeof pattern === 'string' ? pattern : pattern.source
}

function methodFault(method: string, path: string): RouteFault {
  if (method.toUpperCase() === 'ANY') return { code: 'any-method' }
  // The text of a route without a method may have a space in the path.
  if (method === '' || method.includes('/')) {
    const text = method === '' ? path : `${method} ${path}`
    return { code: 'missing-method', path: JSON.stringify(text) }
  }
  return { code: 'unsupported-method', method, remedy: 'use another method' }
}

/** Finds syntax of other routers. The matcher would read most of it as text, so no request would match. */
function findForeignSyntax(source: string): RouteFault | null {
  if (/^\s|\s$/.test(source)) {
    return { code: 'invalid-pattern', reason: 'it starts or ends with white space; remove it' }
  }
  const [path = ''] = source.replace(ORIGIN, '').replace(ESCAPED, '_').split(QUERY)
  if (/[:*][\w$]+\?(?:\/|$)/.test(path)) return { code: 'optional-segment' }
  if (path.endsWith('?')) return { code: 'query-in-pattern' }
  for (const [syntax, remedyFor] of FOREIGN) {
    const [part, name = 'name'] = syntax.exec(path) ?? []
    if (part !== undefined) return { code: 'foreign-pattern', part, remedy: remedyFor(name, part) }
  }
  return null
}

function parsePattern(pattern: string | RoutePattern): Outcome<RoutePattern, RouteFault> {
  if (typeof pattern !== 'string') return { value: pattern }
  try {
    return { value: RoutePattern.parse(pattern) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { fault: { code: 'invalid-pattern', reason } }
  }
}

/** Returns the code for the pattern's first part that OpenAPI cannot describe, or null. */
function findPatternFault(
  path: string,
  search: string,
  captures: ReturnType<typeof getRoutePatternCaptures>,
): PatternFaultCode | null {
  if (search !== '') return 'query-in-pattern'
  if (/(?<!\\)[()]/.test(path)) return 'optional-segment'
  if (captures.some(({ part }) => part === 'hostname')) return 'hostname-variable'
  return captures.some(({ name }) => name === '*') ? 'unnamed-wildcard' : null
}

/**
 * A variable becomes `{name}`, and an escaped character loses its backslash. The router matches decoded paths, so
 * characters a path cannot contain, such as a percent sign or braces, are encoded.
 */
function toTemplate(token: string, variable?: string): string {
  if (variable !== undefined) return `{${variable}}`
  const text = token.startsWith('\\') ? token.slice(1) : token
  return PCHAR.test(text) ? text : encodeURIComponent(text)
}

const ORIGIN = /^[\w()]*:\/\/[^/]*/
/** The start of a query with values, such as `?page={page}`. */
const QUERY = /\?(?=[\w.-]+=)/
/** A character that a backslash makes text. */
const ESCAPED = /\\\W/g

/** Syntax of other routers, and what to write instead. */
const FOREIGN: readonly (readonly [RegExp, (name: string, part: string) => string])[] = [
  // `:path*` and `:path+`.
  [/:([A-Za-z_$][\w$]*)(?:\*(?![A-Za-z_$])|\+(?=\/|$))/, (name) => `write *${name}`],
  // `:id{[0-9]+}` and `:id<int>`.
  [/:([A-Za-z_$][\w$]*)(?:\{.*?\}+|<.*?>)/, constrain],
  // `:id(\\d+)` and `(.*)`. The parentheses of an optional part do not contain these characters.
  [/(?::([A-Za-z_$][\w$]*))?\((?:\?|[^()]*(?:[+|[^]|\\\w|\.\*(?![A-Za-z_$])))[^()]*\)?/, constrain],
  [/\{.*?\}+|\[.*?\]+/, (_, part) => `write ${variableIn(part, 0)}`],
  // `<int:id>`.
  [/<.*?>/, (_, part) => `write ${variableIn(part, -1)}`],
]

function constrain(name: string): string {
  return `write :${name}, and declare its schema in params`
}

function variableIn(part: string, at: number): string {
  const name = part.match(/[A-Za-z_$][\w$]*/g)?.at(at) ?? 'name'
  return /^\{\*|\.\.\.|\.\*/.test(part) ? `*${name}` : `:${name}`
}

// RFC 3986 §3.3, pchar and "/". A lone surrogate is not encoded: a URL cannot contain it.
const PCHAR = /[\w\-.~!$&'()*+,;=:@/]/
const TOKEN = /\\.|[:*]([A-Za-z_$][\w$]*)|[^\w\-.~!$&'()*+,;=:@/\p{Cs}]/gu

const METHODS: ReadonlyMap<string, Method> = new Map(
  (['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const).map(
    (name) => [name.toUpperCase(), name],
  ),
)
