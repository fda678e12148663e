import { createMultiMatcher, type MultiMatcher } from '@remix-run/route-pattern/match'
import type { Method, Server } from '../openapi.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import type { PreparedRoute } from '../spec/route.ts'
import { compileBasePath, compileBasePaths, urlsBelow } from './base-path.ts'

/** The value of a route that matches a request, with the path parameters. */
export interface RouteMatch<Value> {
  readonly value: Value
  readonly params: RouterParams
}

/** Routes with a value for each of them. */
export interface RouteTable<Value> {
  /** The route of a request. HEAD falls back to the route of GET. */
  find(request: Request, basePath?: string): RouteMatch<Value> | null
  /** The methods of the routes that match the URL of a request. */
  methodsOf(request: Request, basePath?: string): readonly Method[]
  /**
   * The urls by which a request is matched: below `basePath`, or by default below the path of each server
   * and at the root.
   */
  urlsOf(request: Request, basePath?: string): readonly string[]
}

/** Makes a table of routes. */
export function createRouteTable<Value>(
  routes: Iterable<readonly [route: PreparedRoute, value: Value]>,
  servers: readonly Server[],
): RouteTable<Value> {
  const matchers = new Map<Method, MultiMatcher<Value>>()
  for (const [{ method, pattern }, value] of routes) {
    const matcher = matchers.get(method) ?? createMultiMatcher<Value>()
    matcher.add(pattern, value)
    matchers.set(method, matcher)
  }
  const bases = compileBasePaths(servers)
  const basesOf = createCache((path: string) => [compileBasePath(path)])
  const match = (method: string, url: string): RouteMatch<Value> | null => {
    // A method of another name is not a key of the map.
    const found = matchers.get(method as Method)?.match(url) ?? null
    return found && { value: found.data, params: found.params }
  }
  const urlsOf: RouteTable<Value>['urlsOf'] = ({ url }, basePath) =>
    basePath === undefined ? [...urlsBelow(url, bases), url] : urlsBelow(url, basesOf(basePath))
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

/** Computes the value of a key. It caches the last one: a server has one base path. */
function createCache<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  let last: { readonly key: Key; readonly value: Value } | null = null
  return (key) => {
    if (last?.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}
