import { ScimError } from '@plumbline/scim'
import type { Admission } from '../admission.ts'
import type { AuthOptions, Rejection } from '../auth.ts'
import type { RequestRecord } from '../request-log.ts'
import { lookUpSchemas } from '../tenant-schemas.ts'
import { requireAccess } from './access.ts'
import type { DirectoryContext } from './context.ts'

/** The parts of the server that identify the client of a SCIM request. */
export interface IdentifyOptions extends Pick<AuthOptions, 'store' | 'now'> {
  /** Returns the facts that are recorded about a request. */
  readonly recordOf: (request: Request) => RequestRecord
  readonly admission: Admission
}

/**
 * Authenticates and counts the client of a SCIM request, finds the schemas of its tenant, and records both. Rejects
 * with a ScimError, `401`, without a valid token.
 */
export async function identify(
  request: Request,
  { recordOf, admission, store, now }: IdentifyOptions,
): Promise<DirectoryContext> {
  // The client may have closed the connection while the request waited.
  request.signal.throwIfAborted()
  const record = recordOf(request)
  const principal = await admission.identify(request)
  if (principal === null) throw rejectionError(record.rejection)
  record.tenant = principal.tenantId
  record.tokenId = principal.tokenId
  admission.count(principal, request)
  requireAccess(request, principal)
  const schemas = await lookUpSchemas(principal.tenantId, store, now())
  record.types = schemas.types
  return { principal, store, schemas, now, db: null, record }
}

/** The error of a rejected token. Another token would not help a client whose tenant is disabled. */
function rejectionError(rejection: Rejection | null): ScimError {
  return rejection?.reason === 'disabled'
    ? new ScimError(403, 'the tenant is disabled')
    : new ScimError(401, 'a valid bearer token is required')
}
