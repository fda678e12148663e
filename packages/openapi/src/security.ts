export { apiKey, bearer, oauth2, openIdConnect } from './lib/security.ts'
