export { apiKey, basic, bearer, oauth2, openIdConnect } from './lib/spec/security.ts'
