import { createRoutes, get, post } from '@remix-run/fetch-router/routes'
import { SETUP_PATH } from '../../kernel/requests/setup-path.ts'

/** The console's path on the server. */
export const CONSOLE_PATH = '/console'

/**
 * Every page and form in the console, except those for resource types (`type-pages.ts`). Build links with
 * `routes.x.href(...)`.
 */
export const routes = createRoutes(CONSOLE_PATH, {
  home: get('/'),
  signIn: get('/sign-in'),
  startSession: post('/sign-in'),
  signOut: post('/sign-out'),
  about: get('/about'),
  asset: get('/assets/:name'),

  tenants: get('/tenants'),
  createTenant: post('/tenants'),
  openTenant: get('/open-tenant'),
  tenant: get('/tenants/:tenantId'),
  settings: get('/tenants/:tenantId/settings'),
  renameTenant: post('/tenants/:tenantId/rename'),
  enableTenant: post('/tenants/:tenantId/enable'),
  disableTenant: post('/tenants/:tenantId/disable'),
  deleteTenant: post('/tenants/:tenantId/delete'),

  connect: get('/tenants/:tenantId/connect'),
  connectProvider: post('/tenants/:tenantId/connect'),

  requests: get('/tenants/:tenantId/requests'),
  liveRequests: get('/tenants/:tenantId/requests/live'),
  request: get('/tenants/:tenantId/requests/:requestNumber'),
  unknownSenders: get('/requests'),
  liveUnknownSenders: get('/requests/live'),
  unknownSender: get('/requests/:requestNumber'),

  connection: get('/tenants/:tenantId/connection'),
  releaseChanges: post('/tenants/:tenantId/connection/release'),
  pauseChanges: post('/tenants/:tenantId/connection/pause'),
  dropChanges: post('/tenants/:tenantId/connection/drop'),
  changeRule: post('/tenants/:tenantId/connection/rule'),

  recordings: get('/tenants/:tenantId/recordings'),
  startRecording: post('/tenants/:tenantId/recordings'),
  stopRecording: post('/tenants/:tenantId/recordings/:recordingId/stop'),
  deleteRecording: post('/tenants/:tenantId/recordings/:recordingId/delete'),

  tokens: get('/tenants/:tenantId/tokens'),
  createToken: post('/tenants/:tenantId/tokens'),
  token: get('/tenants/:tenantId/tokens/:tokenId'),
  rotateToken: post('/tenants/:tenantId/tokens/:tokenId/rotate'),
  revokeToken: post('/tenants/:tenantId/tokens/:tokenId/revoke'),
  administrators: get('/administrators'),
  createAdministrator: post('/administrators'),
  administrator: get('/administrators/:tokenId'),
  rotateAdministrator: post('/administrators/:tokenId/rotate'),
  revokeAdministrator: post('/administrators/:tokenId/revoke'),

  setupLinks: get('/tenants/:tenantId/setup-links'),
  createSetupLink: post('/tenants/:tenantId/setup-links'),
  revokeSetupLink: post('/tenants/:tenantId/setup-links/:linkId/revoke'),

  clients: get('/tenants/:tenantId/clients'),
  createClient: post('/tenants/:tenantId/clients'),
  client: get('/tenants/:tenantId/clients/:clientId'),
  rotateClient: post('/tenants/:tenantId/clients/:clientId/rotate'),
  deleteClient: post('/tenants/:tenantId/clients/:clientId/delete'),

  webhooks: get('/tenants/:tenantId/webhooks'),
  createWebhook: post('/tenants/:tenantId/webhooks'),
  webhook: get('/tenants/:tenantId/webhooks/:webhookId'),
  changeWebhook: post('/tenants/:tenantId/webhooks/:webhookId'),
  enableWebhook: post('/tenants/:tenantId/webhooks/:webhookId/enable'),
  skipChange: post('/tenants/:tenantId/webhooks/:webhookId/skip'),
  disableWebhook: post('/tenants/:tenantId/webhooks/:webhookId/disable'),
  rotateWebhook: post('/tenants/:tenantId/webhooks/:webhookId/rotate'),
  deleteWebhook: post('/tenants/:tenantId/webhooks/:webhookId/delete'),
  redeliver: post('/tenants/:tenantId/webhooks/:webhookId/deliveries/:deliveryId/redeliver'),

  schemas: get('/tenants/:tenantId/schemas'),
  createSchema: post('/tenants/:tenantId/schemas'),
  schema: get('/tenants/:tenantId/schemas/:schemaId'),
  changeSchema: post('/tenants/:tenantId/schemas/:schemaId'),
  deleteSchema: post('/tenants/:tenantId/schemas/:schemaId/delete'),
})

/** Pages for a set-up link. They are for a customer's administrator, who cannot open the others. */
export const setupRoutes = createRoutes(SETUP_PATH, {
  link: get('/open/:link'),
  open: post('/open/:link'),
  connect: get('/'),
  createToken: post('/token'),
  requests: get('/requests'),
  doctor: get('/doctor'),
  examine: post('/doctor'),
})
