import { MEDIA_TYPE, PATCH_OP_SCHEMA } from '../../src/lib/constants.ts'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import type { ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import type { ScimEndpointOptions } from '../../src/lib/endpoint/options.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../../src/lib/schema/core-schemas.ts'

/** The clients' context in tests: the token after `Bearer`. */
export interface Client {
  readonly token: string
}

export const USER_DEFINITIONS = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
export const GROUP_DEFINITIONS = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
export const BASE = 'https://example.com/scim/v2'

/** A response's status, headers and parsed body. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** A response's parsed body, with the members that tests read. */
export interface Body {
  readonly [name: string]: unknown
  readonly id: string
  readonly userName: string
  readonly meta: Meta
  readonly itemsPerPage: number
  readonly nextCursor: string
  readonly Resources: readonly Body[]
  readonly Operations: readonly Body[]
  readonly members: readonly Body[]
  readonly groups: readonly Body[]
}

interface Meta {
  readonly version: string
  readonly location: string
  readonly created: string
  readonly lastModified: string
}

/** Sends a request to an endpoint. The body is written as JSON. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Received>

/** The endpoint parts a test replaces. */
export type ServeOptions = Partial<ScimEndpointOptions<Client>> & {
  readonly users?: ResourceStore<Client>
  readonly groups?: ResourceStore<Client>
}

/** Serves users and groups in memory under `BASE`. */
export function serve({ users, groups, ...options }: ServeOptions = {}): {
  readonly send: Send
  readonly fetch: (request: Request) => Promise<Response>
} {
  const groupsInMemory = memoryStore({ definitions: GROUP_DEFINITIONS })
  const usersInMemory = memoryStore({ definitions: USER_DEFINITIONS, groups: groupsInMemory })
  const { fetch } = createScimEndpoint<Client>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({
        name: 'User',
        endpoint: '/Users',
        definitions: USER_DEFINITIONS,
        store: users ?? usersInMemory,
      }),
      defineResourceType({
        name: 'Group',
        endpoint: '/Groups',
        definitions: GROUP_DEFINITIONS,
        store: groups ?? groupsInMemory,
      }),
    ],
    authenticate: async ({ headers }) => {
      const token = /^Bearer (.+)$/.exec(headers.get('Authorization') ?? '')?.[1]
      return token === undefined ? null : { token }
    },
    onError: () => undefined,
    ...options,
  })
  return { fetch, send: sender(fetch) }
}

/** Sends requests with a token to an endpoint under `BASE`. */
export function sender(fetch: (request: Request) => Promise<Response>): Send {
  return async (method, path, body, headers = {}) => {
    const request = new Request(path.startsWith('https:') ? path : `${BASE}${path}`, {
      method,
      headers: { Authorization: 'Bearer t', 'Content-Type': MEDIA_TYPE, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await fetch(request)
    const text = await response.text()
    const parsed = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body: parsed }
  }
}

/** Returns the body for a PATCH request. */
export function patchOf(...Operations: readonly object[]): object {
  return { schemas: [PATCH_OP_SCHEMA], Operations }
}
