import { kindOf } from '@plumbline/base'
import { ScimError } from '../../error.ts'
import { isJsonObject } from '../../json.ts'
import type { ListQuery } from '../../model.ts'
import { type Conditions, matchesRead } from '../core/etags.ts'
import {
  type Answer,
  type Exchange,
  headersOf,
  readingWork,
  readQuery,
  storeRequest,
} from '../core/exchange.ts'
import { completeResource, locationOf, represent, representPrepared } from '../core/represent.ts'
import { createView } from '../core/view.ts'
import { storeFault } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import { PreparedResource, type StoredResource } from '../options/store.ts'

/** Reads a resource (RFC 7644 §3.4.1). */
export async function answerRead<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  return await answerReadAs(exchange, type, query, exchange.conditions)
}

/** Reads a resource as a query wants it, if conditions hold. */
export async function answerReadAs<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
  query: ListQuery,
  conditions: Conditions,
): Promise<Answer> {
  const { context, id, base } = exchange
  const view = createView(query, type.index)
  // A representation's tag may contain a digest of read-only attributes, which the store does not know.
  const isWholeTag = type.computed.length === 0
  let unwanted: string | null = null
  const isWanted = (version: string): boolean => {
    if (!isWholeTag || matchesRead(conditions, version)) return true
    unwanted = version
    return false
  }
  const request = storeRequest(readingWork(exchange), { view, isForUpdate: false, isWanted })
  const stored = requireFound(await type.store.read(id, context, request), type, 'read', id)
  if (unwanted !== null) return notModified(conditions, unwanted)
  const origin = { type, method: 'read', base }
  const { body, version, location } =
    stored instanceof PreparedResource
      ? representPrepared(stored, locationOf(type, base, id))
      : await represent(completeResource(stored, { ...origin, id }), query, type, {
          isPartial: view.hasOmitted(),
        })
  if (version !== null && !matchesRead(conditions, version)) {
    return notModified(conditions, version)
  }
  return { status: 200, headers: headersOf(location, version), body }
}

/** Returns the resource a store found. Throws `404` for null, and a TypeError for any other value. */
export function requireFound(
  stored: StoredResource | null,
  type: { readonly name: string },
  method: string,
  id: string,
): StoredResource {
  if (stored === null) throw notFound(type, id)
  if (isJsonObject(stored)) return stored
  throw storeFault(type, method, `${kindOf(stored)}, which is neither a resource nor null`)
}

/** The error for a resource that does not exist. */
export function notFound({ name }: { readonly name: string }, id: string): ScimError {
  return new ScimError(404, `${name.toLowerCase()} ${id} not found`)
}

/** The answer to a read whose conditions fail: `304`, or `412` without `If-None-Match` (RFC 7644 §3.14). */
function notModified({ ifNoneMatch }: Conditions, version: string): Answer {
  if (ifNoneMatch === null) throw versionMismatch()
  return { status: 304, headers: { ETag: version }, body: null }
}

/** The error for a resource with another version than the request asks for. */
export function versionMismatch(): ScimError {
  return new ScimError(412, 'the version of the resource does not match')
}
