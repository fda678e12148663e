import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { Method, Server } from '../openapi.ts'
import type { PreparedRoute } from '../spec/route.ts'
import { compileBasePath, compileBasePaths, urlsBelow } from './base-path.ts'
import type { RouteMatch } from './route-match.ts'
import { createSegmentMatcher, type Matcher } from './segment-matcher.ts'

/** Routes with a value each. */
export interface RouteTable<Value> {
  /** Finds a request's route. HEAD falls back to GET's route. */
  find(request: Request, basePath?: string): RouteMatch<Value> | null
  /** Returns the methods supported at a request's URL. */
  methodsOf(request: Request, basePath?: string): readonly Method[]
  /**
   * Returns the urls used to match a request: below `basePath`, or by default below each server's path and at the root.
   */
  urlsOf(request: Request, basePath?: string): readonly string[]
}

/** Creates a route table. */
export function createRouteTable<Value>(
  routes: Iterable<readonly [route: PreparedRoute, value: Value]>,
  servers: readonly Server[],
): RouteTable<Value> {
  const grouped = new Map<Method, (readonly [PreparedRoute, Value])[]>()
  for (const route of routes) {
    const [{ method }] = route
    const known = grouped.get(method) ?? []
    known.push(route)
    grouped.set(method, known)
  }
  const matchers = new Map(
    [...grouped].map(([method, all]) => [method, createSegmentMatcher(all) ?? createMatcher(all)]),
  )
  const bases = compileBasePaths(servers)
  const basesOf = createCache((path: string) => [compileBasePath(path)])
  const match = (method: string, url: string): RouteMatch<Value> | null => {
    // Other method names aren't keys in the map.
    return matchers.get(method as Method)?.(url) ?? null
  }
  const urlsOf: RouteTable<Value>['urlsOf'] = ({ url }, basePath) => {
    if (basePath !== undefined) return urlsBelow(url, basesOf(basePath))
    return bases.length === 0 ? [url] : [...urlsBelow(url, bases), url]
  }
  return {
    urlsOf,
    find: (request, basePath) => {
      const method = request.method.toLowerCase()
      for (const url of urlsOf(request, basePath)) {
        const found = match(method, url) ?? (method === 'head' ? match('get', url) : null)
        if (found !== null) return found
      }
      return null
    },
    methodsOf: (request, basePath) => {
      const urls = urlsOf(request, basePath)
      return [...matchers.keys()].filter((method) => urls.some((url) => match(method, url)))
    },
  }
}

function createMatcher<Value>(
  routes: readonly (readonly [PreparedRoute, Value])[],
): Matcher<Value> {
  const matcher = createMultiMatcher<Value>()
  for (const [{ pattern }, value] of routes) matcher.add(pattern, value)
  return (url) => {
    const found = matcher.match(url)
    return found && { value: found.data, params: found.params }
  }
}

/** Computes a key's value. It caches the last one: a server has one base path. */
function createCache<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  let last: { readonly key: Key; readonly value: Value } | null = null
  return (key) => {
    if (last?.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}
