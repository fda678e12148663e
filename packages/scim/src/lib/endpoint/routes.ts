import { answerBulk, type Execute } from './bulk.ts'
import type { Answer, Exchange, Handler } from './core/exchange.ts'
import type { Documents } from './documents.ts'
import { type Me, meHandlers, NOT_IMPLEMENTED } from './me.ts'
import type { ServedType } from './options/resource-type.ts'
import { answerList, answerSearch } from './read/list.ts'
import { answerRead } from './read/read.ts'
import { createSearchAll } from './read/search-all.ts'
import { answerDelete } from './write/delete.ts'
import { answerPatch } from './write/patch.ts'
import { answerCreate, answerReplace } from './write/write.ts'

/** A path's handlers, keyed by method. */
export interface Route<Context> {
  /** The path below the endpoint, such as `/Users/:id`. */
  readonly pattern: string
  readonly handlers: ReadonlyMap<string, Handler<Context>>
  /** The methods, as the Allow header lists them. */
  readonly allow: string
  /** Whether bulk operations may have this path (RFC 7644 §3.7). */
  readonly isInBulk: boolean
}

/** A route, and the decoded id in the path. */
export interface Matched<Context> {
  readonly route: Route<Context>
  readonly id: string
}

/** The parts from which routes are made. */
export interface RouteParts<Context> {
  readonly types: readonly ServedType<Context>[]
  readonly documents: Documents
  readonly execute: Execute<Context>
  /** The `/Me` type, and the id of a client's resource; null if `/Me` is not supported. */
  readonly me: Me<Context> | null
}

/**
 * Returns the function that finds a route, or null. It accepts a path below the endpoint, without a trailing slash, and
 * costs at most two look-ups.
 */
export function createRoutes<Context>(
  parts: RouteParts<Context>,
): (path: string) => Matched<Context> | null {
  const exact = new Map(withPatterns(exactRoutes(parts), ''))
  const byId = new Map(withPatterns(routesById(parts), '/:id'))
  return (path) => {
    const route = exact.get(path)
    if (route !== undefined) return { route, id: '' }
    const slash = path.lastIndexOf('/')
    const parent = byId.get(path.slice(0, slash))
    if (parent === undefined) return null
    const id = decodeSegment(path.slice(slash + 1))
    return id === null ? null : { route: parent, id }
  }
}

/** A route without its pattern. */
type Unnamed<Context> = Omit<Route<Context>, 'pattern'>

function* withPatterns<Context>(
  routes: Iterable<[string, Unnamed<Context>]>,
  end: string,
): Generator<[string, Route<Context>]> {
  for (const [path, route] of routes) yield [path, { ...route, pattern: `${path}${end}` }]
}

function* exactRoutes<Context>({
  types,
  documents,
  execute,
  me,
}: RouteParts<Context>): Generator<[string, Unnamed<Context>]> {
  for (const type of types) {
    const handlers = {
      GET: withType(type, answerList),
      POST: withType(type, answerCreate),
    }
    yield [type.endpoint, routeOf(handlers, { isInBulk: true })]
    yield [`${type.endpoint}/.search`, routeOf({ POST: withType(type, answerSearch) })]
  }
  yield [
    '/Me',
    routeOf(me === null ? NOT_IMPLEMENTED : meHandlers(me, resourceHandlers(me.type)), {
      isInBulk: true,
    }),
  ]
  yield ['/.search', routeOf({ POST: createSearchAll(types) })]
  const bulkTypes = me === null ? types : [...types, { ...me.type, endpoint: '/Me' }]
  yield ['/Bulk', routeOf({ POST: (exchange) => answerBulk(exchange, bulkTypes, execute) })]
  yield ['/ServiceProviderConfig', routeOf({ GET: documents.configuration })]
  yield ['/ResourceTypes', routeOf({ GET: documents.resourceTypes })]
  yield ['/Schemas', routeOf({ GET: documents.schemas })]
}

function* routesById<Context>({
  types,
  documents,
}: RouteParts<Context>): Generator<[string, Unnamed<Context>]> {
  for (const type of types) {
    yield [type.endpoint, routeOf(resourceHandlers(type), { isInBulk: true })]
  }
  yield ['/ResourceTypes', routeOf({ GET: documents.resourceTypes })]
  yield ['/Schemas', routeOf({ GET: documents.schemas })]
}

function resourceHandlers<Context>(
  type: ServedType<Context>,
): Readonly<Record<string, Handler<Context>>> {
  return {
    GET: withType(type, answerRead),
    PUT: withType(type, answerReplace),
    PATCH: withType(type, answerPatch),
    DELETE: withType(type, answerDelete),
  }
}

/** Handles a request for the type as the client's profile sees it. */
function withType<Context>(
  type: ServedType<Context>,
  answer: (exchange: Exchange<Context>, type: ServedType<Context>) => Promise<Answer>,
): Handler<Context> {
  return (exchange) => answer(exchange, type.seenBy(exchange.profile))
}

function routeOf<Context>(
  handlers: Readonly<Record<string, Handler<Context>>>,
  { isInBulk = false } = {},
): Unnamed<Context> {
  return {
    handlers: new Map(Object.entries(handlers)),
    allow: Object.keys(handlers)
      // RFC 9110 §9.3.2: HEAD is answered like GET, without the body.
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', '),
    isInBulk,
  }
}

/** Null for a segment that is empty, not valid or contains U+0000, which databases reject. */
function decodeSegment(segment: string): string | null {
  if (!segment.includes('%')) return segment || null
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
