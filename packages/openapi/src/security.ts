export { apiKey, bearer, oauth2, openIdConnect } from './lib/spec/security.ts'
