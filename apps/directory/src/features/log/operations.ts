import { defineOperation } from '@plumbline/openapi'
import { createRoutes, get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { REJECTION_REASONS } from '../../kernel/access/authenticate.ts'
import { SAFE_ID } from '../../kernel/requests/request-id.ts'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { tenantId, text } from '../../shell/api/schemas.ts'
import { MAX_IGNORED, OPERATIONS } from './entry.ts'
import { MAX_COMPARED } from './find-requests.ts'

/** Routes for the provisioning log. */
export const requestRoutes = createRoutes('/api', {
  listRequests: get('/requests'),
  watchRequests: get('/requests/live'),
  getRequest: get('/requests/:requestNumber'),
})

/** A logged request's number. It is a string, because JSON numbers are often read with less precision. */
const number = z.string().regex(/^\d{1,16}$/)

const LoggedRequest = z
  .object({
    number: number.meta({ description: 'Increases in the order in which requests are stored' }),
    requestId: z.string().meta({ description: 'The `X-Request-Id` of the answer' }),
    time: z.iso.datetime().meta({ description: 'When the request was answered' }),
    milliseconds: z.number().meta({ description: 'How long the request took' }),
    tenantId: tenantId.nullable().meta({
      description: 'Null if the token does not belong to a tenant',
    }),
    tokenId: z.string().nullable().meta({ description: 'The id of a token or of an OAuth client' }),
    rejection: z.enum(REJECTION_REASONS).nullable().meta({
      description:
        'Why the token was rejected, for a `401`, or with `disabled` for a `403`. `other-tenant`: the path is that of another tenant than the token. `unknown-client`, `wrong-secret` and `wrong-assertion`: an OAuth client did not get an access token.',
    }),
    method: z.string(),
    path: z.string().meta({
      description:
        'The path below `/scim/v2`, with the query, or `/scim/oauth/token`. Sensitive values are `***`.',
    }),
    operation: z.enum(OPERATIONS),
    resourceType: z.string().nullable(),
    resourceId: z.string().nullable(),
    userName: z.string().nullable(),
    status: z.int(),
    scimType: z.string().nullable(),
    attribute: z.string().nullable().meta({
      description: 'The attribute whose value was rejected, such as `userName`, if it is known',
    }),
    detail: z.string().nullable().meta({ description: 'The message of the error' }),
    ignored: z.array(z.string()).meta({
      description: `The attributes of a PATCH that do not exist, such as \`emails.valu\`: the profile of the token ignored them. The first ${MAX_IGNORED}, without sensitive values.`,
    }),
  })
  .meta({ id: 'LoggedRequest' })

const LoggedExchange = LoggedRequest.extend({
  exchange: z
    .object({
      headers: z.record(z.string(), z.string()),
      body: z.unknown().optional().meta({
        description: 'Absent if the body was not read or is not valid JSON',
      }),
      isCut: z.boolean().meta({ description: 'Whether a part of the body was left out' }),
      answer: z.unknown(),
    })
    .nullable()
    .meta({
      description: 'The bodies, without sensitive values. Null if the request succeeded.',
    }),
}).meta({ id: 'LoggedExchange' })

const owner = tenantId.optional().meta({
  description: 'The tenant. Without it: the requests whose token does not belong to a tenant.',
})

/** Operations for the provisioning log. */
export const requestOperations = {
  listRequests: defineOperation('listRequests', requestRoutes.listRequests, {
    summary: 'List SCIM requests',
    description:
      'The newest requests are first. A request is listed about a second after its answer. The log keeps a limited number of requests.',
    tags: ['requests'],
    query: z.strictObject({
      tenantId: owner,
      user: text.min(1).max(2_000).optional().meta({
        description:
          'The id of a resource, or the userName of a user in any letter case, also of one that was deleted',
      }),
      requestId: z
        .string()
        .regex(SAFE_ID, 'must be an X-Request-Id: 1 to 64 letters, digits, `.`, `_` and `-`')
        .optional()
        .meta({
          description: `The \`X-Request-Id\` of the answer. The newest ${MAX_COMPARED / 1_000},000 requests before \`to\` and \`cursor\` are searched.`,
        }),
      status: z.enum(['2xx', '4xx', '5xx', 'errors']).optional().meta({
        description: 'The class of the status; `errors` is `4xx` and `5xx`',
      }),
      from: z.iso.datetime().optional().meta({ description: 'Answered at this time or later' }),
      to: z.iso.datetime().optional().meta({ description: 'Answered before this time' }),
      cursor: number.optional().meta({ description: 'The `nextCursor` of the page before' }),
      count: z.int().min(1).max(1_000).default(100),
    }),
    responses: {
      200: {
        description: 'A page of requests, without their bodies',
        body: z.object({
          requests: z.array(LoggedRequest),
          nextCursor: number.optional().meta({ description: 'Absent on the last page' }),
          dropped: z.int().meta({
            description:
              'How many requests this server process could not log since its start, because there were too many or the database was unavailable',
          }),
        }),
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  watchRequests: defineOperation('watchRequests', requestRoutes.watchRequests, {
    summary: 'Watch SCIM requests',
    description:
      'A stream for `EventSource`. Each event `request` has a request as `listRequests` shows it, and its `number` as id. A client that connects again continues after the last event.',
    tags: ['requests'],
    query: z.strictObject({
      tenantId: owner,
      after: number.optional().meta({
        description:
          'Starts after the request with this `number`; a new stream starts now by default',
      }),
    }),
    headers: z.object({
      'Last-Event-ID': number
        .optional()
        .meta({ description: 'Starts after the request with this `number`' }),
    }),
    responses: {
      200: {
        description: 'The requests from now on, or after the last event; the stream does not end',
        body: { 'text/event-stream': z.string() },
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  getRequest: defineOperation('getRequest', requestRoutes.getRequest, {
    summary: 'Read a SCIM request with its bodies',
    tags: ['requests'],
    params: z.object({ requestNumber: number }),
    query: z.strictObject({ tenantId: owner }),
    responses: { 200: { description: 'The request', body: LoggedExchange } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
}
