import type { Incoming } from '@plumbline/base'
import { createMultiMatcher } from '@remix-run/route-pattern/match'
import type { Method, Server } from '../openapi.ts'
import type { PreparedRoute } from '../spec/route.ts'
import { compileBasePath, compileBasePaths, urlsBelow } from './base-path.ts'
import type { RouteMatch } from './route-match.ts'
import { createSegmentMatcher, type Matcher } from './segment-matcher.ts'

/** Routes with a value each. */
export interface RouteTable<Value> {
  /** Finds a request's route. HEAD falls back to GET's route. */
  find(request: Incoming, basePath?: string): RouteMatch<Value> | null
  /** Returns the methods supported at a request's URL. */
  methodsOf(request: Incoming, basePath?: string): readonly Method[]
  /**
   * Returns the urls used to match a request: below `basePath` if it is given, otherwise below each server's path and
   * at the root.
   */
  urlsOf(request: Incoming, basePath?: string): readonly string[]
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
  let needsUrl = servers.length > 0
  const matchers = new Map(
    [...grouped].map(([method, all]) => {
      const simple = createSegmentMatcher(all)
      if (simple === null) needsUrl = true
      return [method.toUpperCase(), simple ?? createMatcher(all)]
    }),
  )
  const bases = compileBasePaths(servers)
  const basesOf = createCache((path: string) => [compileBasePath(path)])
  const matcherOf = (method: string): Matcher<Value> | undefined =>
    matchers.get(method) ?? matchers.get(method.toUpperCase())
  const urlsOf: RouteTable<Value>['urlsOf'] = ({ url }, basePath) => {
    if (basePath !== undefined) return urlsBelow(url, basesOf(basePath))
    return bases.length === 0 ? [url] : [...urlsBelow(url, bases), url]
  }
  return {
    urlsOf,
    find: (request, basePath) => {
      const { method, plain = null } = request
      const match = matcherOf(method)
      const matchGet = method === 'HEAD' ? matchers.get('GET') : undefined
      if (plain !== null && !needsUrl && basePath === undefined) {
        return match?.(plain) ?? matchGet?.(plain) ?? null
      }
      for (const url of urlsOf(request, basePath)) {
        const found = match?.(url) ?? matchGet?.(url)
        if (found) return found
      }
      return null
    },
    methodsOf: (request, basePath) => {
      const urls = urlsOf(request, basePath)
      return [...grouped.keys()].filter((method) => urls.some((url) => matcherOf(method)?.(url)))
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
