import type { RouterParams } from '../spec/operation-spec.ts'
import type { PreparedRoute } from '../spec/route.ts'
import type { RouteMatch } from './route-match.ts'

/** Finds a URL's route. A matcher of simple paths also takes the `plain` of a request. */
export type Matcher<Value> = (url: string) => RouteMatch<Value> | null

/**
 * Creates a matcher for routes whose segments are literals or whole variables, as in most APIs; null if another route
 * is among them. It finds the same routes as the `route-pattern` matcher in a fifth of the time: literals come before
 * variables, from left to right.
 */
export function createSegmentMatcher<Value>(
  routes: readonly (readonly [PreparedRoute, Value])[],
): Matcher<Value> | null {
  const root = createNode<Value>()
  for (const [{ pattern, origin }, value] of routes) {
    const { pathname } = pattern.toJSON()
    if (origin !== null || !SIMPLE.test(pathname)) return null
    const names: string[] = []
    let node = root
    for (const segment of pathname.split('/')) {
      const isVariable = segment.startsWith(':')
      if (isVariable) names.push(segment.slice(1))
      const next = (isVariable ? node.variable : node.literals.get(segment)) ?? createNode<Value>()
      if (isVariable) node.variable = next
      else node.literals.set(segment, next)
      node = next
    }
    node.leaf ??= { names, value }
  }
  return (url) => {
    const segments = segmentsOf(url)
    return segments && matchFrom(root, segments, 0, [])
  }
}

/** Segments with the same beginning. */
interface Node<Value> {
  readonly literals: Map<string, Node<Value>>
  variable: Node<Value> | null
  leaf: { readonly names: readonly string[]; readonly value: Value } | null
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map(), variable: null, leaf: null }
}

/** Returns the path's decoded segments; null if one is not UTF-8. */
function segmentsOf(url: string): readonly string[] | null {
  const plain = plainPathOf(url)
  if (plain !== null) return splitPath(plain)
  const { protocol, pathname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return null
  const segments = pathname.slice(1).split('/')
  if (!pathname.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}

/** Does the same as `split`, which takes twice as long for a few segments. */
function splitPath(path: string): readonly string[] {
  const segments: string[] = []
  let from = 0
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', from)) {
    segments.push(path.slice(from, end))
    from = end + 1
  }
  segments.push(path.slice(from))
  return segments
}

/**
 * Returns the path without the first slash, if it has only characters `URL` keeps; otherwise null. A request's URL is
 * normalized, so the first slash after the scheme begins the path. `URL` would take 6 % of a small request.
 */
function plainPathOf(url: string): string | null {
  const isPath = url.startsWith('/')
  if (!isPath && !url.startsWith('http:') && !url.startsWith('https:')) return null
  const from = isPath ? 0 : url.indexOf('/', 'https://'.length)
  const query = url.indexOf('?', from)
  const path = url.slice(from + 1, query < 0 ? undefined : query)
  return !isPath && NOT_PLAIN.test(path) ? null : path
}

/** `values` are those of the variables before: what this call adds is removed unless it finds the route. */
function matchFrom<Value>(
  { literals, variable, leaf }: Node<Value>,
  segments: readonly string[],
  at: number,
  values: string[],
): RouteMatch<Value> | null {
  const segment = segments[at]
  if (segment === undefined) {
    return leaf && { value: leaf.value, params: paramsOf(leaf.names, values) }
  }
  const next = literals.get(segment)
  const found = next === undefined ? null : matchFrom(next, segments, at + 1, values)
  if (found !== null || variable === null || segment === '') return found
  values.push(segment)
  const matched = matchFrom(variable, segments, at + 1, values)
  if (matched === null) values.pop()
  return matched
}

function paramsOf(names: readonly string[], values: readonly string[]): RouterParams {
  const params: Record<string, string | undefined> = {}
  for (let at = 0; at < names.length; at += 1) params[names[at] ?? ''] = values[at]
  return params
}

const NOT_PLAIN = /[^\w/~-]/

/** Segments without pattern syntax, or a variable. */
const SIMPLE = /^(?:(?::[A-Za-z]\w*|[^:*()\\/]*)(?:\/|$))*$/
