import { defined } from '@plumbline/base'
import { ERROR_SCHEMA, LIST_RESPONSE_SCHEMA, MEDIA_TYPE } from '../constants.ts'
import type { ScimError } from '../error.ts'
import type { CursorPage, Page } from '../model.ts'
import { appendList, elementsOf } from './json-text.ts'
import { RawJson, stringifyJson } from './raw-json.ts'

/**
 * Creates a response with `body` as `application/scim+json`; status 200 by default.
 *
 * @example
 * ```ts
 * import { scimResponse } from '@plumbline/scim'
 *
 * scimResponse({ id: '1' }, { status: 201 }).headers.get('Content-Type') //=> 'application/scim+json'
 * ```
 * @see RFC 7644 §3.1
 */
export function scimResponse(body: object, init: ResponseInit = {}): Response {
  return new Response(stringifyJson(body), { ...init, headers: withMediaType(init.headers) })
}

/** Adds our content type to the headers. A plain object is kept, because servers write it faster. */
function withMediaType(given: HeadersInit | undefined): HeadersInit {
  if (given === undefined) return { 'Content-Type': MEDIA_TYPE }
  const isPlain = !(given instanceof Headers || Symbol.iterator in given)
  if (isPlain && !Object.keys(given).some((name) => name.toLowerCase() === 'content-type')) {
    return { ...(given as Record<string, string>), 'Content-Type': MEDIA_TYPE }
  }
  const headers = new Headers(given)
  headers.set('Content-Type', MEDIA_TYPE)
  return headers
}

/**
 * Creates a rejected request's error document, with the error's status.
 *
 * @example
 * ```ts
 * import { errorResponse, ScimError } from '@plumbline/scim'
 *
 * const taken = new ScimError(409, 'userName is taken', { scimType: 'uniqueness' })
 * const { status, scimType } = await errorResponse(taken).json()
 * status //=> '409'
 * scimType //=> 'uniqueness'
 * ```
 * @see RFC 7644 §3.12
 */
export function errorResponse(error: ScimError, init: ResponseInit = {}): Response {
  return scimResponse(writeErrorDocument(error), { ...init, status: error.status })
}

/** Writes the document itself, as a BulkResponse contains it for each failed operation. */
export function writeErrorDocument({
  status,
  scimType,
  message,
}: ScimError): Record<string, unknown> {
  return defined({
    schemas: [ERROR_SCHEMA],
    scimType: scimType ?? undefined,
    detail: message,
    // RFC 7644 §3.12: the status is a JSON string.
    status: String(status),
  })
}

/**
 * Creates a ListResponse of one page. `toResource` writes each resource.
 *
 * A page by cursor has `nextCursor` and `previousCursor` in place of `startIndex`.
 *
 * @example
 * ```ts
 * import { listResponse } from '@plumbline/scim'
 *
 * const page = { resources: ['a', 'b'], totalResults: 7, startIndex: 3 }
 * const { itemsPerPage } = await listResponse(page, (id) => ({ id })).json()
 * itemsPerPage //=> 2
 * const { nextCursor } = await listResponse(
 *   { resources: ['a'], nextCursor: 'x' },
 *   (id) => ({ id }),
 * ).json()
 * nextCursor //=> 'x'
 * ```
 * @see RFC 7644 §3.4.2, RFC 9865 §2
 */
export function listResponse<Resource>(
  page: Page<Resource> | CursorPage<Resource>,
  toResource: (resource: Resource) => object,
  init: ResponseInit = {},
): Response {
  const { head, texts } = writeList(page, toResource)
  return scimResponse(new RawJson(appendList(head, 'Resources', [texts.join(',')]).join('')), init)
}

/**
 * Writes the body of `listResponse` in pieces of JSON: the start, one piece for each resource, and the end. A
 * server can send a large page piece by piece.
 *
 * @example
 * ```ts
 * import { RawJson, stringifyList } from '@plumbline/scim'
 *
 * const page = { resources: ['{"id":"1"}', '{"id":"2"}'], totalResults: 2, startIndex: 1 }
 * const pieces = stringifyList(page, (text) => new RawJson(text))
 * pieces.slice(1) //=> ['{"id":"1"}', ',{"id":"2"}', ']}']
 * ```
 * @see RFC 7644 §3.4.2, RFC 9865 §2
 */
export function stringifyList<Resource>(
  page: Page<Resource> | CursorPage<Resource>,
  toResource: (resource: Resource) => object,
): string[] {
  const { head, texts } = writeList(page, toResource)
  return appendList(head, 'Resources', texts)
}

/** Writes a ListResponse without the resources, and each resource, as JSON. */
function writeList<Resource>(
  { resources, totalResults, startIndex, ...page }: Page<Resource> | CursorPage<Resource>,
  toResource: (resource: Resource) => object,
): { readonly head: string; readonly texts: readonly string[] } {
  const { nextCursor, previousCursor }: Partial<CursorPage<Resource>> = page
  // JSON omits undefined members.
  const head = JSON.stringify({
    schemas: [LIST_RESPONSE_SCHEMA],
    totalResults,
    itemsPerPage: resources.length,
    startIndex,
    nextCursor,
    previousCursor,
  })
  return { head, texts: resources.map((resource) => stringifyJson(toResource(resource))) }
}

/**
 * Writes an object whose last member is a long list, in pieces of JSON: the start, one piece for each non-empty list in
 * `lists`, and the end. Each list is JSON, as `JSON.stringify` writes it. They are joined to one list, so a server
 * never has the whole list in memory as objects.
 *
 * @example
 * ```ts
 * import { stringifyWithList } from '@plumbline/scim/internal'
 *
 * const lists = ['[{"value":"1"}]', '[{"value":"2"}]']
 * const group = stringifyWithList({ id: '7' }, 'members', lists).join('')
 * JSON.parse(group) //=> { id: '7', members: [{ value: '1' }, { value: '2' }] }
 * ```
 */
export function stringifyWithList(
  object: object,
  name: string,
  lists: readonly string[],
): string[] {
  return appendList(stringifyJson(object), name, lists.map(elementsOf).filter(Boolean))
}
