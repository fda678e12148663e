import { MEDIA_TYPE } from '@plumbline/scim'
import type { Fetch } from '../http/transport.ts'
import { isJsonObject, own } from '../json.ts'

/** A request of a check. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the base URL, with the query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The response to a request of a check. */
export interface Answer {
  readonly sent: Sent
  readonly status: number
  readonly headers: Headers
  /** The JSON body; an empty object without one. */
  readonly body: Record<string, unknown>
}

/** Sends a request and reads the response. */
export type Send = (
  method: Sent['method'],
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

/** The base URL of a check's endpoint. */
export const BASE = 'https://scim.example/scim/v2'

/** Makes the function that sends requests to an endpoint. */
export function createSend(fetch: Fetch): Send {
  return async (method, path, body, headers = {}) => {
    const request = new Request(BASE + path, {
      method,
      headers: { 'Content-Type': MEDIA_TYPE, ...headers },
      // A request without a body stays without one.
      body: JSON.stringify(body),
    })
    const response = await fetch(request)
    const text = await response.text()
    const json: unknown = text === '' ? {} : JSON.parse(text)
    return {
      sent: { method, path, body, headers },
      status: response.status,
      headers: response.headers,
      body: isJsonObject(json) ? json : {},
    }
  }
}

/** A list response's resources. */
export function resourcesOf({ body }: Answer): readonly Record<string, unknown>[] {
  const list = own(body, 'Resources')
  return Array.isArray(list) ? list : []
}

/** The `id` of a resource. */
export function idOf(resource: object): string {
  return String(own(resource, 'id'))
}

/** The ids of a list response's resources. */
export function idsOf(answer: Answer): readonly string[] {
  return resourcesOf(answer).map(idOf)
}
