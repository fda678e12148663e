import type { OpenAPI } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { isFailure, type Result, success } from '@plumbline/result'
import { apiDocument } from './operations.ts'

/** Creates the handler for the management API's OpenAPI document. */
export function createDocumentHandler(): (request: Request, origin: string) => Promise<Response> {
  let built: ReturnType<typeof apiDocument.build> | undefined
  const documentAt = (origin: string): Result<OpenAPI.Document, Error> => {
    built ??= apiDocument.build()
    return isFailure(built) ? built : success({ ...built.data, servers: [{ url: origin }] })
  }
  // Only the last document is cached: a client may send a loopback Host with any port.
  let last: { readonly origin: string; readonly serve: ReturnType<typeof openapiHandler> } | null =
    null
  return (request, origin) => {
    if (last?.origin !== origin) last = { origin, serve: openapiHandler(() => documentAt(origin)) }
    return last.serve(request)
  }
}
