import type { Server } from '../openapi.ts'

/** Matches the start of a path below one base path. */
export type BasePath = RegExp

/** Prepares a base path such as `/api/{version}`, whose variables match one segment each. */
export function compileBasePath(path: string): BasePath {
  const { pathname } = new URL(path.replace(/\{[^}]*\}/g, '*'), 'http://localhost')
  const literals = pathname.replace(/\/+$/, '').split('*')
  return new RegExp(`^${literals.map(escapeRegExp).join('[^/]+')}(?=/|$)`)
}

/** Returns the base paths in server urls (OpenAPI 3.1.1 §4.8.5.1), the longest first. */
export function compileBasePaths(servers: readonly Server[]): readonly BasePath[] {
  const paths = servers.map(({ url }) => url.replace(/^[^/]*:\/\/[^/?#]*/, ''))
  // The build reports an invalid url.
  const bases = paths.filter((path) => URL.canParse(path, 'http://localhost')).map(compileBasePath)
  return bases.sort((a, b) => b.source.length - a.source.length)
}

/** Removes each matching base path from a url. Returns one url per match, in base path order. */
export function urlsBelow(url: string, bases: readonly BasePath[]): readonly string[] {
  return bases.flatMap((base) => {
    const below = new URL(url)
    if (!base.test(below.pathname)) return []
    below.pathname = below.pathname.replace(base, '')
    return [below.href]
  })
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
