import { ERROR_SCHEMA, LIST_RESPONSE_SCHEMA, MEDIA_TYPE } from '../constants.ts'
import type { CursorPage, Page } from '../model.ts'
import type { ScimError } from './error.ts'
import { withMember } from './json-text.ts'

/**
 * Creates the response that carries `body` as `application/scim+json`; status 200 by default.
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
  return new Response(jsonOf(body), { ...init, headers: typed(init.headers) })
}

/**
 * A resource that is already JSON, such as one that was stored as a string. `scimResponse` and
 * `listResponse` send it unchanged, without parsing or checking it.
 *
 * @example
 * ```ts
 * import { RawJson, scimResponse } from '@plumbline/scim'
 *
 * const stored = '{"id":"1","userName":"bjensen"}'
 * const { userName } = await scimResponse(new RawJson(stored)).json()
 * userName //=> 'bjensen'
 * ```
 */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Inside another value that is written as JSON, it is the value that it represents. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

function jsonOf(body: object): string {
  return body instanceof RawJson ? body.text : JSON.stringify(body)
}

/** The headers with our content type. A plain object is kept, because servers write it faster. */
function typed(given: HeadersInit | undefined): HeadersInit {
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
 * Creates the error document of a rejected request, with the status of the error.
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
  return scimResponse(errorDocument(error), { ...init, status: error.status })
}

/** The document itself, as a BulkResponse carries it for each operation that failed. */
export function errorDocument({ status, scimType, message }: ScimError): Record<string, unknown> {
  return {
    schemas: [ERROR_SCHEMA],
    ...(scimType === null ? {} : { scimType }),
    detail: message,
    // RFC 7644 §3.12: the status is a JSON string.
    status: String(status),
  }
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
  { resources, totalResults, startIndex, ...page }: Page<Resource> | CursorPage<Resource>,
  toResource: (resource: Resource) => object,
  init: ResponseInit = {},
): Response {
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
  const list = resources.map((resource) => jsonOf(toResource(resource))).join(',')
  return scimResponse(new RawJson(withMember(head, 'Resources', `[${list}]`)), init)
}
