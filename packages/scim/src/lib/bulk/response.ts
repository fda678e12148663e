import { defined } from '@plumbline/base'
import { ScimError } from '../error.ts'
import { writeErrorDocument } from '../message/responses.ts'
import { type Created, isBulkReference } from './bulk-ids.ts'
import type { Call, Execute, OperationResponse, Outcome, RejectedOperation } from './types.ts'

/** Writes an operation's outcome (RFC 7644 §3.7.3). */
export function writeOperationResponse(
  { method, path, bulkId }: Pick<RejectedOperation, 'method' | 'path' | 'bulkId'>,
  outcome: Outcome,
  base: string,
): OperationResponse {
  const { status, version } = outcome
  const isKnown = path !== null && method !== 'POST'
  const location = outcome.location ?? (isKnown ? locationOf(path, base) : undefined)
  const response = isSuccessStatus(status)
    ? outcome.response
    : (outcome.response ?? writeErrorDocument(new ScimError(status, `${method} ${path} failed`)))
  return defined({
    method,
    bulkId: bulkId ?? undefined,
    location,
    version,
    status: String(status),
    response,
  })
}

/** Executes a call if its version is an entity tag. A thrown ScimError becomes the outcome. */
export async function callExecute(execute: Execute, call: Call): Promise<Outcome> {
  if (call.version !== undefined && !ENTITY_TAG.test(call.version)) {
    const detail = 'version must be an entity tag such as W/"1"'
    return errorOutcome(new ScimError(400, detail, { scimType: 'invalidValue' }))
  }
  try {
    return await execute(call)
  } catch (error) {
    if (error instanceof ScimError) return errorOutcome(error)
    throw error
  }
}

/** The outcome for an operation with a reference to a resource that was not created (RFC 7644 §3.7.1). */
export function unresolvedOutcome(bulkId: string): Outcome {
  const detail = `no resource was created for bulkId:${bulkId.slice(0, 100)}`
  return errorOutcome(new ScimError(409, detail, { scimType: 'invalidValue' }))
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300
}

/** Reads the resource a POST created. A missing location is the program's error, not the client's. */
export function readCreated({ location = '' }: Outcome): Created {
  const id = location.slice(location.lastIndexOf('/') + 1)
  if (id === '') {
    throw new TypeError('a successful POST must return the location of the resource')
  }
  return { id: decodeURIComponent(id), location }
}

export function errorOutcome(error: ScimError): Outcome {
  return { status: error.status, response: writeErrorDocument(error) }
}

/** RFC 7644 §3.7: the resource's URL, also if the operation fails. A path may have letters encoded in URLs. */
function locationOf(path: string, base: string): string | undefined {
  if (path.split('/').some(isBulkReference)) return undefined
  return `${base}${path.replace(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()))}`
}

// RFC 9110 §8.8.3: entity-tag = [ "W/" ] DQUOTE *( %x21 / %x23-7E / %x80-FF ) DQUOTE
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/
