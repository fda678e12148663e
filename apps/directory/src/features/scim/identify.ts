import { ScimError } from '@plumbline/scim'
import type { Admission, Identity } from '../../kernel/access/admission.ts'
import type { AuthOptions, Principal, Rejection } from '../../kernel/access/authenticate.ts'
import { requireAccess } from './access.ts'
import type { DirectoryContext } from './context.ts'
import { lookUpSchemas } from './tenant-schemas.ts'

/** Options for `identify`. */
export interface IdentifyOptions extends Pick<AuthOptions, 'store' | 'now'> {
  readonly admission: Admission
}

/** A SCIM request's client, or why it was rejected. */
export interface Identified {
  /** Null for a rejected client. */
  readonly context: DirectoryContext | null
  /** A valid token's sender, who may be rejected, too. */
  readonly principal: Principal | null
  /** Why a token was rejected. */
  readonly rejection: Rejection | null
  /** The error for answering a rejected client. */
  readonly error: unknown
}

/**
 * Authenticates and counts a SCIM request's client, and finds the tenant's schemas. Never rejects: without a valid
 * token, the error is a ScimError, `401`.
 */
export async function identify(
  request: Request,
  { admission, store, now }: IdentifyOptions,
): Promise<Identified> {
  let identity: Identity = { principal: null, rejection: null }
  try {
    // The client may have closed the connection while the request waited.
    request.signal.throwIfAborted()
    identity = await admission.identify(request)
    const { principal, rejection } = identity
    if (principal === null) return { ...identity, context: null, error: rejectionError(rejection) }
    admission.count(principal, request)
    requireAccess(request, principal)
    const schemas = await lookUpSchemas(principal.tenantId, store, now())
    const subject = { resourceId: null, userName: null }
    return {
      ...identity,
      context: { principal, store, schemas, now, db: null, subject },
      error: null,
    }
  } catch (error) {
    return { ...identity, context: null, error }
  }
}

/** A rejected token's error. Another token would not help a client whose tenant is disabled. */
function rejectionError(rejection: Rejection | null): ScimError {
  return rejection?.reason === 'disabled'
    ? new ScimError(403, 'the tenant is disabled')
    : new ScimError(401, 'a valid bearer token is required')
}
