import { createRoutes, get, post } from '@remix-run/fetch-router/routes'

/** The path of the console on the server. */
export const CONSOLE_PATH = '/console'

/** Every page and form of the console, except those of resource types (`type-pages.ts`). Links are made by `routes.x.href(...)`. */
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

  clients: get('/tenants/:tenantId/clients'),
  createClient: post('/tenants/:tenantId/clients'),
  client: get('/tenants/:tenantId/clients/:clientId'),
  rotateClient: post('/tenants/:tenantId/clients/:clientId/rotate'),
  deleteClient: post('/tenants/:tenantId/clients/:clientId/delete'),

  schemas: get('/tenants/:tenantId/schemas'),
  createSchema: post('/tenants/:tenantId/schemas'),
  schema: get('/tenants/:tenantId/schemas/:schemaId'),
  changeSchema: post('/tenants/:tenantId/schemas/:schemaId'),
  deleteSchema: post('/tenants/:tenantId/schemas/:schemaId/delete'),
})
