import { createDocument, defineOperation } from '@plumbline/openapi'
import { apiKey, basic, bearer } from '@plumbline/openapi/security'
import { createRoutes, get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { eventOperations, eventRoutes } from '../features/changes/event-operations.ts'
import { changeOperations, changeRoutes } from '../features/changes/operations.ts'
import { connectionOperations, connectionRoutes } from '../features/connections/operations.ts'
import { requestOperations, requestRoutes } from '../features/log/operations.ts'
import { metricsOperations, metricsRoutes } from '../features/metrics/operations.ts'
import { clientOperations, clientRoutes } from '../features/oauth/client-operations.ts'
import { oauthOperations, oauthRoutes } from '../features/oauth/token-operations.ts'
import { recordingOperations, recordingRoutes } from '../features/recordings/operations.ts'
import { extensionOperations, extensionRoutes } from '../features/schemas/operations.ts'
import { memberOperations, memberRoutes } from '../features/scim/member-operations.ts'
import { setupOperations, setupRoutes } from '../features/setup-links/operations.ts'
import { tenantOperations, tenantRoutes } from '../features/tenants/operations.ts'
import { tokenOperations, tokenRoutes } from '../features/tokens/operations.ts'
import {
  changeMessage,
  securityEvent,
  webhookOperations,
  webhookRoutes,
} from '../features/webhooks/operations.ts'
import { hostCookie, SESSION_COOKIE } from '../kernel/access/session-cookie.ts'
import { VERSION } from '../kernel/version.ts'
import { aboutOperations, aboutRoutes } from './about/operations.ts'
import { problems } from './api/problems.ts'
import { activityOperations, activityRoutes } from './overview/operations.ts'

/** Routes for the management API. */
export const apiRoutes = {
  ...createRoutes('/api', {
    getHealth: get('/health'),
    getReadiness: get('/ready'),
  }),
  ...metricsRoutes,
  ...tenantRoutes,
  ...activityRoutes,
  ...changeRoutes,
  ...connectionRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...recordingRoutes,
  ...tokenRoutes,
  ...clientRoutes,
  ...extensionRoutes,
  ...requestRoutes,
  ...memberRoutes,
  ...aboutRoutes,
  ...setupRoutes,
  ...oauthRoutes,
}

/** Operations of the management API, used for the documentation and for parsing requests. */
export const operations = {
  getHealth: defineOperation('getHealth', apiRoutes.getHealth, {
    summary: 'Check that the process answers',
    description: 'A process that does not answer should be restarted. The database is not queried.',
    tags: ['operations'],
    security: [],
    responses: {
      200: { description: 'The process answers', body: z.object({ status: z.literal('ok') }) },
    },
  }),
  getReadiness: defineOperation('getReadiness', apiRoutes.getReadiness, {
    summary: 'Check that requests can be served',
    description:
      'A process that is not ready should not get requests. It becomes ready again when its database answers.',
    tags: ['operations'],
    security: [],
    responses: {
      200: { description: 'The database answers', body: z.object({ status: z.literal('ready') }) },
    },
    problems: ['unavailable'],
  }),
  ...metricsOperations,
  ...tenantOperations,
  ...activityOperations,
  ...changeOperations,
  ...connectionOperations,
  ...webhookOperations,
  ...eventOperations,
  ...recordingOperations,
  ...tokenOperations,
  ...aboutOperations,
  ...clientOperations,
  ...extensionOperations,
  ...requestOperations,
  ...memberOperations,
  ...setupOperations,
  ...oauthOperations,
}

/** The management API's OpenAPI document. */
export const apiDocument = createDocument({
  info: {
    title: 'Plumbline Directory management API',
    version: VERSION,
    description:
      'Manages the tenants and tokens of a SCIM 2.0 directory, and shows the requests of clients.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'http://127.0.0.1:3000', description: 'The default address of `npm start`' }],
  tags: [
    { name: 'operations', description: 'The health and the metrics of the server' },
    { name: 'tenants', description: 'Organizations whose users and groups the directory stores' },
    { name: 'changes', description: 'Changes of the users and groups of a tenant' },
    { name: 'webhooks', description: 'URLs to which the changes of a tenant are sent' },
    { name: 'events', description: 'Changes as Security Event Tokens (RFC 9967)' },
    { name: 'tokens', description: 'Bearer tokens of clients and administrators' },
    { name: 'groups', description: 'Groups with many members' },
    { name: 'clients', description: 'OAuth clients, which get access tokens for their secrets' },
    { name: 'setup', description: 'Links for the administrators of customers' },
    { name: 'schemas', description: 'Extensions of users and groups, which a tenant registers' },
    { name: 'recordings', description: 'Requests with their bodies, to be replayed' },
    { name: 'requests', description: 'The SCIM requests of clients: the provisioning log' },
    { name: 'oauth', description: 'The authorization server: access tokens of OAuth clients' },
  ],
  securitySchemes: {
    token: bearer({
      description:
        'An administrator’s token. Operations with the scope `receiver` also accept the token of a receiver of the tenant.',
    }),
    client: basic({ description: 'The id and the secret of an OAuth client (RFC 6749 §2.3.1)' }),
    session: apiKey({
      in: 'cookie',
      name: SESSION_COOKIE,
      description:
        'The session of an administrator who has signed in at `/console`. A request of another origin is rejected.',
    }),
    hostSession: apiKey({
      in: 'cookie',
      name: hostCookie(SESSION_COOKIE),
      description: 'The session of the console, if its origin is `https`',
    }),
  },
  security: [{ token: [] }, { session: [] }, { hostSession: [] }],
  problems,
  defaults: { notFound: 'notFound' },
})
  .add(...Object.values(operations))
  .addWebhook(changeMessage)
  .addWebhook(securityEvent)
