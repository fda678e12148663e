import { errorResponse, ScimError } from '@plumbline/scim'
import { createScimEndpoint, defineResourceType, type ScimEndpoint } from '@plumbline/scim/endpoint'
import type { Admission } from '../admission.ts'
import type { AuthOptions, Rejection } from '../auth.ts'
import { PROFILES } from '../profiles.ts'
import { RateLimitError } from '../rate-limit/client-limits.ts'
import type { RequestRecord } from '../request-log.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import { SCIM_PATH } from '../scim-path.ts'
import { challengeOf, requireAccess } from './access.ts'
import type { DirectoryContext } from './context.ts'
import { toScimError } from './faults.ts'
import { BODY_LIMIT } from './limits.ts'
import { endpointStore } from './stores.ts'

/** The parts of the server that the SCIM endpoint needs. */
export interface DirectoryEndpointOptions extends AuthOptions {
  /** Returns the facts that are recorded about a request. */
  readonly recordOf: (request: Request) => RequestRecord
  readonly admission: Admission
}

/** Creates the SCIM endpoint over the database of the directory. */
export function createDirectoryEndpoint({
  recordOf,
  admission,
  store,
  now,
}: DirectoryEndpointOptions): ScimEndpoint {
  const basePath = (request: Request): string => recordOf(request).scimPath?.base ?? SCIM_PATH
  const endpoint = createScimEndpoint<DirectoryContext>({
    basePath,
    base: (request) =>
      `${recordOf(request).origin ?? new URL(request.url).origin}${basePath(request)}`,
    resourceTypes: RESOURCE_TYPES.map(({ name, description, endpoint, definitions, ...type }) =>
      defineResourceType({
        ...{ name, description, endpoint, definitions },
        store: endpointStore({ name, ...type }),
      }),
    ),
    authenticate: async (request) => {
      // The client may have closed the connection while the request waited.
      request.signal.throwIfAborted()
      const record = recordOf(request)
      const principal = await admission.identify(request)
      if (principal === null) throw rejectionError(record.rejection)
      record.tenant = principal.tenantId
      record.tokenId = principal.tokenId
      admission.count(principal, request)
      requireAccess(request, principal)
      return { principal, store, now, db: null, record }
    },
    transaction: ({ principal, ...context }, work) =>
      store.write((db) => work({ ...context, principal, db }), { tenantId: principal.tenantId }),
    profile: ({ principal }) => PROFILES[principal.profile].protocol,
    client: ({ principal }) => principal.tenantId,
    limits: { body: BODY_LIMIT },
    me: { id: ({ principal }) => principal.userId },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of this directory in the Authorization header (RFC 6750)',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
      {
        type: 'oauth2',
        name: 'OAuth 2.0 client credentials',
        description: 'An access token for the id and the secret of a client (RFC 6749 §4.4)',
        specUri: 'https://www.rfc-editor.org/info/rfc6749',
      },
    ],
    toScimError,
    onError: (error, { request }) => {
      // A driver reports a statement that an abort has cancelled as an error of its own.
      if (!request.signal.aborted) recordOf(request).error = error
    },
    onAnswer: ({ request, route, id, error, body }) => {
      const record = recordOf(request)
      record.route = route === null ? null : `${record.scimPath?.pattern}${route}`
      record.answered = { route, error, body }
      if (id !== '') record.resourceId = id
    },
  })
  return {
    fetch: async (request) => {
      const response = await endpoint.fetch(request)
      const record = recordOf(request)
      const challenge = challengeOf(record.answered?.error ?? null)
      if (challenge !== null) response.headers.set('WWW-Authenticate', challenge)
      // A path without a route is rejected before the token is read, such as below a wrong base URL.
      const isOther = record.answered?.route === null
      const answer = (isOther ? await limitOther(request, record, admission) : null) ?? response
      if (record.limited !== null) answer.headers.set('Retry-After', `${record.limited.seconds}`)
      return answer
    },
  }
}

/** The error of a rejected token. Another token would not help a client whose tenant is disabled. */
function rejectionError(rejection: Rejection | null): ScimError {
  return rejection?.reason === 'disabled'
    ? new ScimError(403, 'the tenant is disabled')
    : new ScimError(401, 'a valid bearer token is required')
}

/**
 * Notes and counts the client of a request that was not authenticated. Returns the response if the client has sent
 * too many requests, or null.
 */
async function limitOther(
  request: Request,
  record: RequestRecord,
  admission: Admission,
): Promise<Response | null> {
  try {
    const principal = await admission.identify(request)
    // The reason of a rejection explains a 401.
    record.rejection = null
    if (principal === null) return null
    record.tenant = principal.tenantId
    record.tokenId = principal.tokenId
    admission.count(principal, request)
    return null
  } catch (thrown) {
    const error = thrown instanceof RateLimitError ? toScimError(thrown) : null
    if (error === null) return null
    record.answered = { route: null, body: undefined, error }
    return errorResponse(error)
  }
}
