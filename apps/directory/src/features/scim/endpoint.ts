import { errorResponse } from '@plumbline/scim'
import {
  createScimEndpoint,
  defineResourceType,
  type Outbox,
  type ScimEndpoint,
  type ScimEndpointOptions,
} from '@plumbline/scim/endpoint'
import { BODY_LIMIT } from '../../kernel/limits.ts'
import { attach, memoize } from '../../kernel/memoize.ts'
import { rulesOf } from '../../kernel/profiles.ts'
import { RateLimitError } from '../../kernel/rate-limit/client-limits.ts'
import type { LargeBodies } from '../../kernel/requests/large-bodies.ts'
import { outcomeOf, report } from '../../kernel/requests/outcome.ts'
import { originOf, receivedOf } from '../../kernel/requests/received.ts'
import { REQUEST_ID } from '../../kernel/requests/request-id.ts'
import { SCIM_PATH } from '../../kernel/requests/scim-path.ts'
import { EVENT_URIS } from '../changes/security-event.ts'
import { challengeOf } from './access.ts'
import type { DirectoryContext } from './context.ts'
import { toScimError } from './faults.ts'
import { type Identified, type IdentifyOptions, identify } from './identify.ts'
import { storeChanges } from './store-changes.ts'
import type { StoredType } from './stored-type.ts'
import { STORED_TYPES } from './stored-types.ts'
import { endpointStore } from './stores.ts'
import { writeWithSchemas } from './write-with-schemas.ts'

/**
 * Creates the SCIM endpoint over the directory's database. Tenants with extensions have their own endpoint, created on
 * first use. All endpoints share the limit for unread responses.
 */
export function createDirectoryEndpoint({
  outbox,
  bodies,
  ...options
}: IdentifyOptions & {
  readonly bodies: LargeBodies
  /** Counts the large responses that clients have not read yet, also those of other endpoints. */
  readonly outbox: Outbox
}): ScimEndpoint {
  const { get: identified } = attach((request: Request) => identify(request, options))
  const shared = {
    ...SHARED,
    authenticate: async (request: Request) => {
      const { context, error } = await identified(request)
      if (context === null) throw error
      return context
    },
    turn: bodies.turn,
    outbox,
  }
  // A tenant's endpoint is dropped together with its unused types.
  const { get: endpointFor } = memoize((types: readonly StoredType[]) =>
    createScimEndpoint<DirectoryContext>({ ...shared, resourceTypes: types.map(servedType) }),
  )
  const withoutExtensions = endpointFor(STORED_TYPES)
  return {
    fetch: async (request) => {
      const client = await identified(request)
      const { principal, rejection, context } = client
      const types = context?.schemas.types ?? STORED_TYPES
      const endpoint = types === STORED_TYPES ? withoutExtensions : endpointFor(types)
      if (context !== null) await bodies.enter(context, request)
      const response = await endpoint.fetch(request)
      if (context !== null) bodies.leave(context.subject)
      report(request, {
        tenantId: principal?.tenantId ?? null,
        tokenId: principal?.tokenId ?? null,
        types: context?.schemas.types ?? null,
        rejection,
        subject: context?.subject ?? null,
      })
      return finish(request, response, client)
    },
  }
}

/**
 * Creates the endpoint for requests from the directory itself, such as an import's. They are neither logged nor
 * counted, and client limits do not apply.
 */
export function createInnerEndpoint(
  types: readonly StoredType[],
  options: Pick<ScimEndpointOptions<DirectoryContext>, 'authenticate' | 'limits'>,
): ScimEndpoint {
  return createScimEndpoint({ ...SHARED, ...options, resourceTypes: types.map(servedType) })
}

/** Adds a rejection's headers, and answers a client that has sent too many requests on any path. */
function finish(request: Request, response: Response, { error }: Identified): Response {
  const { answer } = outcomeOf(request)
  const challenge = challengeOf(answer?.error ?? null)
  if (challenge !== null) response.headers.set('WWW-Authenticate', challenge)
  const limited = error instanceof RateLimitError ? error : null
  // Without a route, for example below a wrong base URL, a path is rejected before the token is read.
  const isOther = answer?.route === null
  const sent = isOther ? (answerOther(request, limited) ?? response) : response
  if (sent.status === 503) sent.headers.set('Retry-After', '5')
  if (limited === null) return sent
  sent.headers.set('Retry-After', `${limited.seconds}`)
  if (!limited.isLogged) report(request, { answer: null })
  return sent
}

/** Returns the response to a request without a route if the client has sent too many requests, or null. */
function answerOther(request: Request, limited: RateLimitError | null): Response | null {
  // A rejection's reason explains a 401.
  report(request, { rejection: null })
  const error = limited === null ? null : toScimError(limited)
  if (error === null) return null
  report(request, { answer: { route: null, id: '', body: undefined, error, ignored: [] } })
  const response = errorResponse(error)
  response.headers.set(REQUEST_ID, receivedOf(request).id)
  return response
}

function servedType({ name, description, endpoint, definitions, ...type }: StoredType) {
  const { requiredExtensions } = type
  const store = endpointStore(type)
  return defineResourceType({
    name,
    description,
    endpoint,
    definitions,
    requiredExtensions,
    store,
  })
}

function basePath(request: Request): string {
  return receivedOf(request).scimPath?.base ?? SCIM_PATH
}

const SHARED: Omit<ScimEndpointOptions<DirectoryContext>, 'resourceTypes' | 'authenticate'> = {
  basePath,
  headers: (request) => ({ [REQUEST_ID]: receivedOf(request).id }),
  base: (request) => `${originOf(request, receivedOf(request))}${basePath(request)}`,
  transaction: writeWithSchemas,
  onChange: storeChanges,
  securityEvents: { asyncRequest: 'none', eventUris: EVENT_URIS },
  requestId: (request) => receivedOf(request).id,
  profile: ({ principal }) => rulesOf(principal.profile).protocol,
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
      description:
        'An access token for the secret of a client, or for a JWT that it has signed (RFC 6749 §4.4, RFC 7523 §2.2)',
      specUri: 'https://www.rfc-editor.org/info/rfc6749',
    },
  ],
  toScimError,
  onError: (error, { request }) => {
    // If an abort has cancelled a statement, the driver reports its own error.
    if (!request.signal.aborted) report(request, { fault: error })
  },
  onAnswer: ({ request, route, id, error, body, ignored }) => {
    const { scimPath } = receivedOf(request)
    report(request, {
      route: route === null ? null : `${scimPath?.pattern}${route}`,
      answer: { route, id, error, body, ignored },
    })
  },
}
