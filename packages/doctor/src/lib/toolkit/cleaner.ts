import type { Method, Received } from '../http/exchange.ts'
import { isJsonObject, type JsonObject, memberAt, objectsOf, parseJson } from '../json.ts'

/** A request that was sent. */
export interface Sent {
  readonly method: Method
  readonly url: string
  readonly text: string | null
}

/** A resource the examination created. */
export interface Remaining {
  readonly url: string
  /** Whether a response showed the marker. Otherwise the URL could belong to another resource. */
  readonly isProven: boolean
}

/** A collection that may contain a resource with an unknown URL. */
export interface Doubt {
  readonly collection: string
  /** The attributes whose values start with the marker. */
  readonly attributes: readonly string[]
  /** Whether a request did not get a response, and the server may still be working on it. */
  readonly isOpen: boolean
}

/** Knows the resources the examination created and did not delete yet. */
export interface Cleaner {
  /** The text in the names of all created resources. */
  readonly marker: string
  /** Looks at an exchange for created or deleted resources. */
  observe(sent: Sent, received: Received): void
  /** Looks at a request without a response, which may have created a resource. */
  lose(sent: Sent): void
  /** The first DELETE the server rejected; null without one. Later resources could not be deleted. */
  readonly rejection: string | null
  /** Keeps a DELETE the server rejected. */
  reject(request: string): void
  /** Adds a resource found with the marker. */
  found(url: string): void
  /** Removes a resource that does not exist. */
  gone(url: string): void
  /** Keeps the existing resources until the examination ends. */
  keep(): void
  /** Lists the existing resources, latest first. Kept ones are omitted unless `all` is true. */
  remaining(options: { readonly all: boolean }): readonly Remaining[]
  /** The collections that may contain more. */
  doubts(): readonly Doubt[]
}

/** Creates a cleaner for the server at a base URL. */
export function createCleaner(base: string, marker: string): Cleaner {
  const existing = new Map<string, boolean>()
  const kept = new Set<string>()
  const doubts = new Map<string, Doubt>()
  const doubt = (sent: Sent, isOpen = false): void => {
    for (const { collection, data } of creationsIn(base, sent)) {
      const known = doubts.get(collection)
      const names = new Set([...(known?.attributes ?? []), ...markedMembers(data, marker)])
      doubts.set(collection, {
        collection,
        attributes: [...names],
        isOpen: isOpen || known?.isOpen === true,
      })
    }
  }
  const create = (sent: Sent, received: Received): void => {
    for (const url of createdBy(base, sent, received)) {
      // A location on another host, such as one behind a proxy, is not a URL a token may be sent to.
      if (url?.startsWith(`${base}/`) !== true) doubt(sent)
      else existing.set(url, isMarked(received.text, marker) || !isMarked(sent.text ?? '', marker))
    }
  }
  let rejection: string | null = null
  return {
    marker,
    get rejection() {
      return rejection
    },
    reject: (request) => {
      rejection ??= request
    },
    observe: (sent, received) => {
      for (const url of deletedBy(base, sent, received)) existing.delete(url)
      if (isSuccess(received.status)) create(sent, received)
      else if (received.status >= 500) doubt(sent)
    },
    lose: (sent) => doubt(sent, true),
    found: (url) => existing.set(url, true),
    gone: (url) => existing.delete(url),
    keep: () => {
      for (const url of existing.keys()) kept.add(url)
    },
    remaining: ({ all }) =>
      [...existing]
        .filter(([url]) => all || !kept.has(url))
        .map(([url, isProven]) => ({ url, isProven }))
        .reverse(),
    doubts: () => [...doubts.values()],
  }
}

/** Returns whether a text contains the marker. Some servers change the letter case of names. */
export function isMarked(text: string, marker: string): boolean {
  return text.toLowerCase().includes(marker.toLowerCase())
}

/** The URLs of the resources a successful request created; undefined if a URL is not known. */
function createdBy(
  base: string,
  { method, url }: Sent,
  received: Received,
): readonly (string | undefined)[] {
  if (method === 'PUT' || method === 'PATCH') return received.status === 201 ? [url] : []
  if (method !== 'POST' || url.endsWith('/.search')) return []
  if (url === `${base}/Bulk`) {
    const created = operationsOf(received.body, 'POST').filter(({ status }) => isSuccess(status))
    return created.map(({ location }) => (typeof location === 'string' ? location : undefined))
  }
  const id = memberAt(received.body, 'id')
  if (typeof id === 'string') return [`${pathOf(url)}/${encodeURIComponent(id)}`]
  return [received.headers.get('Location') ?? undefined]
}

function deletedBy(base: string, { method, url }: Sent, received: Received): readonly string[] {
  if (method === 'DELETE') return isSuccess(received.status) || received.status === 404 ? [url] : []
  if (url !== `${base}/Bulk`) return []
  return operationsOf(received.body, 'DELETE').map(({ location }) => String(location))
}

/** The resources a request can create (RFC 7644 §3.3, §3.7). */
function creationsIn(
  base: string,
  { method, url, text }: Sent,
): readonly { readonly collection: string; readonly data: unknown }[] {
  if (method !== 'POST' || url.endsWith('/.search')) return []
  const body = parseJson(text ?? '')
  if (url !== `${base}/Bulk`) return [{ collection: pathOf(url), data: body }]
  return operationsOf(body, 'POST').flatMap(({ path, data }) =>
    typeof path === 'string' && /^\/\w+$/.test(path) ? [{ collection: base + path, data }] : [],
  )
}

function operationsOf(body: unknown, wanted: Method): readonly JsonObject[] {
  const operations = isJsonObject(body) ? objectsOf(body.Operations) : []
  return operations.filter(({ method }) => String(method).toUpperCase() === wanted)
}

function markedMembers(data: unknown, marker: string): readonly string[] {
  return Object.entries(isJsonObject(data) ? data : {}).flatMap(([name, value]) =>
    typeof value === 'string' && value.startsWith(marker) ? [name] : [],
  )
}

/** Statuses in bulk responses are texts, or objects with a code (RFC 7644 §3.7.3). */
function isSuccess(status: unknown): boolean {
  const code = isJsonObject(status) ? status.code : status
  return /^2\d\d$/.test(String(code))
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? url
}
