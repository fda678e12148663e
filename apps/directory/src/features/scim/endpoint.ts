import { errorResponse } from '@plumbline/scim'
import {
  createScimEndpoint,
  defineResourceType,
  type Outbox,
  type ScimEndpoint,
  type ScimEndpointOptions,
} from '@plumbline/scim/endpoint'
import type { Rejection } from '../../kernel/access/authenticate.ts'
import { BODY_LIMIT } from '../../kernel/limits.ts'
import { attach, memoize } from '../../kernel/memoize.ts'
import { rulesOf } from '../../kernel/profiles.ts'
import { RateLimitError } from '../../kernel/rate-limit/client-limits.ts'
import type { LargeBodies } from '../../kernel/requests/large-bodies.ts'
import type { Answered, Facts, LoggedAnswer } from '../../kernel/requests/outcome.ts'
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
}): (request: Request) => Promise<Answered> {
  const { get: exchangeOf } = attach(
    (request: Request): Exchange => ({
      client: identify(request, options),
      answered: null,
      fault: null,
    }),
  )
  const shared: Shared = {
    ...SHARED,
    authenticate: async (request) => {
      const { context, error } = await exchangeOf(request).client
      if (context === null) throw error
      return context
    },
    turn: bodies.turn,
    outbox,
    onError: (error, { request }) => {
      // If an abort has cancelled a statement, the driver reports its own error.
      if (!request.signal.aborted) exchangeOf(request).fault ??= error
    },
    onAnswer: (answered) => {
      exchangeOf(answered.request).answered = answered
    },
  }
  // A tenant's endpoint is dropped together with its unused types.
  const { get: endpointFor } = memoize((types: readonly StoredType[]) =>
    createScimEndpoint<DirectoryContext>({ ...shared, resourceTypes: types.map(servedType) }),
  )
  const withoutExtensions = endpointFor(STORED_TYPES)
  return async (request) => {
    const exchange = exchangeOf(request)
    const client = await exchange.client
    const { context } = client
    const types = context?.schemas.types ?? STORED_TYPES
    const endpoint = types === STORED_TYPES ? withoutExtensions : endpointFor(types)
    if (context !== null) await bodies.enter(context, request)
    const response = await endpoint.fetch(request)
    if (context !== null) bodies.leave(context.subject)
    const finished = finish(request, response, exchange.answered, client)
    const facts = { ...describe(request, client, finished), fault: exchange.fault }
    return { response: finished.sent, facts }
  }
}

/** A request's client, and what the endpoint has answered. */
interface Exchange {
  readonly client: Promise<Identified>
  /** Null until the endpoint has answered. */
  answered: LoggedAnswer | null
  fault: unknown
}

type Shared = Omit<ScimEndpointOptions<DirectoryContext>, 'resourceTypes'>

/**
 * Creates the endpoint for requests from the directory itself, such as an import's. They are neither logged nor
 * counted, and client limits do not apply.
 */
export function createInnerEndpoint(
  types: readonly StoredType[],
  options: Pick<ScimEndpointOptions<DirectoryContext>, 'authenticate' | 'limits' | 'onError'>,
): ScimEndpoint {
  return createScimEndpoint({ ...SHARED, ...options, resourceTypes: types.map(servedType) })
}

/** An answer with the headers of a rejection, and the facts for the log. */
interface Finished {
  readonly sent: Response
  readonly answer: LoggedAnswer | null
  readonly rejection: Rejection | null
}

/** Adds a rejection's headers, and answers a client that has sent too many requests on any path. */
function finish(
  request: Request,
  response: Response,
  answered: LoggedAnswer | null,
  { error, rejection }: Identified,
): Finished {
  const challenge = challengeOf(answered?.error ?? null)
  if (challenge !== null) response.headers.set('WWW-Authenticate', challenge)
  const limited = error instanceof RateLimitError ? error : null
  // Without a route, for example below a wrong base URL, a path is rejected before the token is read.
  const isOther = answered?.route === null
  const other = isOther && limited !== null ? answerOther(request, limited) : null
  const sent = other?.response ?? response
  if (sent.status === 503) sent.headers.set('Retry-After', '5')
  if (limited !== null) sent.headers.set('Retry-After', `${limited.seconds}`)
  // A rejection's reason explains a 401.
  return { sent, answer: other?.answer ?? answered, rejection: isOther ? null : rejection }
}

/** Rejects a request without a route whose client has sent too many requests. */
function answerOther(request: Request, limited: RateLimitError) {
  const error = toScimError(limited)
  if (error === null) return null
  const response = errorResponse(error)
  response.headers.set(REQUEST_ID, receivedOf(request).id)
  return { response, answer: { route: null, id: '', body: undefined, error, ignored: [] } }
}

/** The facts about a request for the log. */
function describe(request: Request, client: Identified, { answer, rejection }: Finished): Facts {
  const { context, principal } = client
  return {
    route: answer?.route ? `${receivedOf(request).scimPath?.pattern}${answer.route}` : null,
    tenantId: principal?.tenantId ?? null,
    tokenId: principal?.tokenId ?? null,
    types: context?.schemas.types ?? null,
    rejection,
    subject: context?.subject ?? null,
    answer: isLogged(client) ? answer : null,
  }
}

/** Whether the provisioning log shows a request. It shows a few of those that exceed a rate limit. */
function isLogged({ error }: Identified): boolean {
  return !(error instanceof RateLimitError) || error.isLogged
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
}
