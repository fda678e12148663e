import { errorResponse } from '@plumbline/scim'
import {
  createOutbox,
  createScimEndpoint,
  defineResourceType,
  type ScimEndpoint,
  type ScimEndpointOptions,
} from '@plumbline/scim/endpoint'
import { attach, memoize } from '../memoize.ts'
import { PROFILES } from '../profiles.ts'
import { REQUEST_ID } from '../request-id.ts'
import type { RequestRecord } from '../request-log.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import { SCIM_PATH } from '../scim-path.ts'
import { challengeOf } from './access.ts'
import type { DirectoryContext } from './context.ts'
import { toScimError } from './faults.ts'
import { type IdentifyOptions, identify } from './identify.ts'
import { BODY_LIMIT } from './limits.ts'
import { endpointStore } from './stores.ts'
import { writeWithSchemas } from './write-with-schemas.ts'

/**
 * Creates the SCIM endpoint over the database of the directory. Tenants that have registered extensions have an
 * endpoint of their own, which is made when it is first used. All endpoints share the limit of unread responses.
 */
export function createDirectoryEndpoint(options: IdentifyOptions): ScimEndpoint {
  const { recordOf } = options
  const { get: clientOf } = attach((request: Request) => identify(request, options))
  const shared = { ...sharedOptions(options), authenticate: clientOf, outbox: createOutbox() }
  // A tenant's value of types is dropped if it is not used, and its endpoint with it.
  const { get: endpointFor } = memoize((types: readonly ResourceType[]) =>
    createScimEndpoint<DirectoryContext>({ ...shared, resourceTypes: types.map(servedType) }),
  )
  const withoutExtensions = endpointFor(RESOURCE_TYPES)
  return {
    fetch: async (request) => {
      const types = await clientOf(request).then(typesOf, () => RESOURCE_TYPES)
      const endpoint = types === RESOURCE_TYPES ? withoutExtensions : endpointFor(types)
      const response = await endpoint.fetch(request)
      const record = recordOf(request)
      const challenge = challengeOf(record.answered?.error ?? null)
      if (challenge !== null) response.headers.set('WWW-Authenticate', challenge)
      // A path without a route is rejected before the token is read, such as below a wrong base URL.
      const isOther = record.answered?.route === null
      const answer = (isOther ? limitOther(record) : null) ?? response
      if (record.limited !== null) answer.headers.set('Retry-After', `${record.limited.seconds}`)
      return answer
    },
  }
}

/** The response to a request without a route if its client has sent too many requests, or null. */
function limitOther(record: RequestRecord): Response | null {
  // The reason of a rejection explains a 401.
  record.rejection = null
  const error = record.limited === null ? null : toScimError(record.limited)
  if (error === null) return null
  record.answered = { route: null, body: undefined, error }
  const response = errorResponse(error)
  response.headers.set(REQUEST_ID, record.id)
  return response
}

function typesOf({ schemas }: DirectoryContext): readonly ResourceType[] {
  return schemas.types
}

function servedType({ name, description, endpoint, definitions, ...type }: ResourceType) {
  const { requiredExtensions } = type
  const store = endpointStore({ name, ...type })
  return defineResourceType({
    ...{ name, description, endpoint, definitions },
    ...{ requiredExtensions, store },
  })
}

function sharedOptions({
  recordOf,
}: IdentifyOptions): Omit<ScimEndpointOptions<DirectoryContext>, 'resourceTypes' | 'authenticate'> {
  const basePath = (request: Request): string => recordOf(request).scimPath?.base ?? SCIM_PATH
  return {
    basePath,
    headers: (request) => ({ [REQUEST_ID]: recordOf(request).id }),
    base: (request) =>
      `${recordOf(request).origin ?? new URL(request.url).origin}${basePath(request)}`,
    transaction: writeWithSchemas,
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
  }
}
