import { isJsonObject } from '@plumbline/base'
import { KNOWN, type Parts } from './parts.ts'
import type { OperationPlan } from './plan.ts'
import type { GeneratedExchange } from './session.ts'

/** Finds values for path parameters in the answers to earlier requests. */
export interface Ids {
  /** Whether such a value may be found for a path parameter. */
  isKnown(plan: OperationPlan, name: string): boolean
  /** Replaces the path parameters that are `KNOWN`. */
  fill(plan: OperationPlan, parts: Parts, filling: Filling): Promise<Filled>
}

/** How path parameters are filled in. */
export interface Filling {
  /** Whether the request may name an earlier request's resource, because it must be rejected. */
  readonly mayReuse: boolean
  /** Makes a value not contained in any answer. */
  readonly otherwise: (plan: OperationPlan, name: string) => Promise<unknown>
}

/** A request with values for all its path parameters. */
export interface Filled {
  readonly parts: Parts
  /** Whether a value does not name an existing resource. */
  readonly isUnknown: boolean
}

/** Sends an operation's valid request with these path parameters; null if it cannot be made. */
export type SendValid = (
  plan: OperationPlan,
  params: Readonly<Record<string, unknown>>,
) => Promise<GeneratedExchange | null>

/**
 * Creates an id finder for an API. The value for `{bookId}` in `/books/{bookId}` is in the answer to `POST /books`: the
 * Location's last segment, or a member `bookId` or `id`. Without such an operation, read requests use the first element
 * in the list `GET /books` returns. `given` contains values from the test options.
 */
export function createIds(
  plans: readonly OperationPlan[],
  given: Readonly<Record<string, string>>,
  sendValid: SendValid,
): Ids {
  const lookup = createLookup(plans, sendValid)
  return {
    isKnown: (plan, name) =>
      Object.hasOwn(given, name) || lookup.sourceOf(plan, name).source !== undefined,
    fill: async (plan, parts, { mayReuse, otherwise }) => {
      const names = [...plan.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
      const fillOnce = async () => {
        const params: Record<string, unknown> = { ...parts.params }
        const unknown: string[] = []
        for (const name of names) {
          if (params[name] !== KNOWN) unknown.push(name)
          else {
            const id = Object.hasOwn(given, name)
              ? given[name]
              : await lookup.read(plan, name, params, mayReuse)
            params[name] = id ?? (await otherwise(plan, name))
            if (id === null) unknown.push(name)
          }
        }
        return { parts: { ...parts, params }, isUnknown: unknown.length > 0 }
      }
      const filled = await fillOnce()
      const isChosen = names.every((name) => parts.params[name] !== KNOWN)
      if (!filled.isUnknown || isChosen || lookup.cache.size === 0) return filled
      // A reused resource may not allow another one below it.
      lookup.cache.clear()
      return await fillOnce()
    },
  }
}

/** Creates the id look-up in answers to requests, with a cache for found ids. */
function createLookup(plans: readonly OperationPlan[], sendValid: SendValid) {
  const cache = new Map<string, string>()
  const find = (path: string, method: string) =>
    plans.find((plan) => plan.method === method && plan.path.replace(/\/$/, '') === path)
  const sourceOf = (plan: OperationPlan, name: string) => {
    const path = plan.path.slice(0, plan.path.indexOf(`/{${name}}`))
    const reads = isSafe(plan) ? find(path, 'get') : undefined
    return { path, source: find(path, 'post') ?? reads }
  }
  const read = async (
    plan: OperationPlan,
    name: string,
    params: Readonly<Record<string, unknown>>,
    isRejected: boolean,
  ) => {
    const { path, source } = sourceOf(plan, name)
    if (source === undefined) return null
    const key = path.replace(/\{([^}]+)\}/g, (_, variable) => String(params[variable]))
    // A request that changes a resource gets a separate resource.
    const mayReuse = isRejected || isSafe(plan) || name !== plan.path.match(LAST_VARIABLE)?.[1]
    const cached = cache.get(key)
    if (mayReuse && cached !== undefined) return cached
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const exchange = await sendValid(source, params)
      const id = exchange?.response?.ok
        ? idIn(exchange, name, `${path}/{${name}}`, source.method === 'get')
        : null
      if (id === null) continue
      if (mayReuse) cache.set(key, id)
      return id
    }
    return null
  }
  return { cache, sourceOf, read }
}

function isSafe({ method }: OperationPlan): boolean {
  return method === 'get' || method === 'head'
}

function idIn(
  { response, text }: GeneratedExchange,
  name: string,
  path: string,
  isList: boolean,
): string | null {
  const location = response?.headers.get('Location') ?? null
  if (location !== null && URL.canParse(location, 'http://localhost')) {
    const { pathname } = new URL(location, 'http://localhost')
    const segments = pathname.split('/')
    const last = segments.at(-1) ?? ''
    if (segments.length >= path.split('/').length && last !== '') return decodeURIComponent(last)
  }
  try {
    const body: unknown = JSON.parse(text)
    return idOf(isList ? firstOf(body) : body, name.toLowerCase())
  } catch {
    return null
  }
}

/** The first element in a list, or in the first list among an object's members. */
function firstOf(body: unknown): unknown {
  const list = [body, ...(isJsonObject(body) ? Object.values(body) : [])].find(Array.isArray)
  return Array.isArray(list) ? list[0] : undefined
}

function idOf(resource: unknown, name: string): string | null {
  const members = Object.entries(Object(resource)).filter(
    ([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number',
  )
  // The member `bookId`, or `id`: the longest name at the variable's end.
  const named = members.filter(([key]) => key.length > 1 && name.endsWith(key.toLowerCase()))
  const [found] = named.sort(([a], [b]) => b.length - a.length)
  return found === undefined ? null : String(found[1])
}

const LAST_VARIABLE = /\{([^{}]+)\}[^{}]*$/
/** A create may fail, for example because a name already exists. */
const MAX_TRIES = 5
