import { GeneratedTestError, generateTests, type TestCredentials } from '@plumbline/contract'
import type { OpenAPI } from '@plumbline/openapi'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { apiKey, oauth2 } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { expect, it } from 'vitest'

const scopes = { read: 'Read', write: 'Write' }
const securitySchemes = {
  oauth: oauth2({ flows: { clientCredentials: { tokenUrl: 'https://example.com', scopes } } }),
  key: apiKey({ in: 'header', name: 'X-Key' }),
}

/** An API with one operation. A token is the list of its scopes. */
function createApi(
  security: readonly OpenAPI.SecurityRequirement[],
  principalOf = (granted: readonly string[]): object => ({ scopes: granted }),
) {
  const clear = defineOperation('clear', 'DELETE /books', {
    summary: 'Clear',
    security,
    responses: { 204: { description: 'Done' } },
  })
  const info = { title: 'Books', version: '1' }
  const document = createDocument({ info, defaults: {}, securitySchemes }).add(clear)
  return implement(document, {
    security: {
      oauth: ({ token }) => (token.startsWith('~') ? principalOf(token.slice(1).split('.')) : null),
      key: ({ key }) => (key === 'secret' ? { scopes: ['read'] } : null),
    },
    handlers: { clear: ({ reply }) => reply(204) },
  })
}

const oauth = ({ scopes }: { readonly scopes: readonly string[] }) => `~${scopes.join('.')}`
const TEST = 'clear: requests with too few scopes are rejected'

/** Runs the test with too few scopes. Returns its failures; null without such a test. */
async function failuresOf(api: ReturnType<typeof createApi>, credentials: TestCredentials) {
  const tests = generateTests(api, { credentials, runs: 3 })
  const test = tests.find(({ name }) => name === TEST)
  for (const { name, run } of tests) if (name !== TEST) await run()
  if (test === undefined) return null
  const error = await test.run().catch((reason: unknown) => reason)
  return error instanceof GeneratedTestError ? error.failures.map(({ message }) => message) : []
}

it('a server that enforces scopes passes', async () => {
  expect(await failuresOf(createApi([{ oauth: ['read', 'write'] }]), { oauth })).toEqual([])
})

it('a server that does not enforce scopes fails, once for each scope', async () => {
  const api = createApi([{ oauth: ['read', 'write'] }], () => ({ name: 'Anne' }))
  expect(await failuresOf(api, { oauth })).toEqual([
    'a request without the scope read was answered 204, not 403',
    'a request without the scope write was answered 204, not 403',
  ])
})

it('a server that enforces only one scope fails', async () => {
  const api = createApi([{ oauth: ['read', 'write'] }], (granted) => ({
    scopes: granted.includes('write') ? ['read', 'write'] : granted,
  }))
  expect(await failuresOf(api, { oauth })).toEqual([
    'a request without the scope read was answered 204, not 403',
  ])
})

it.each<[string, readonly OpenAPI.SecurityRequirement[], TestCredentials]>([
  ['the credentials are fixed', [{ oauth: ['read'] }], { oauth: '~read' }],
  ['no scope is required', [{ oauth: [] }], { oauth }],
  ['credentials are optional', [{ oauth: ['read'] }, {}], { oauth }],
  ['fewer scopes satisfy an alternative', [{ oauth: ['read'] }, { oauth: [] }], { oauth }],
])('the test is left out if %s', async (_, security, credentials) => {
  expect(await failuresOf(createApi(security), credentials)).toBeNull()
})

it('each alternative is tried, with all scopes in the other schemes', async () => {
  const security = [{ oauth: ['read'], key: ['read'] }, { oauth: ['write'] }]
  const api = createApi(security, (granted) => ({
    scopes: granted.includes('write') ? ['write'] : ['read'],
  }))
  // Without its scope, the second alternative's token is `~`, whose principal has the scope of the first one.
  expect(await failuresOf(api, { oauth, key: 'secret' })).toEqual([
    'a request without the scope read was answered 204, not 403',
  ])
})

it('credentials are created once for each list of scopes', async () => {
  const asked: string[] = []
  const credentials = {
    oauth: async ({ scopes }: { readonly scopes: readonly string[] }) => {
      asked.push(scopes.join(' '))
      return oauth({ scopes })
    },
  }
  expect(await failuresOf(createApi([{ oauth: ['read', 'write'] }]), credentials)).toEqual([])
  expect(asked).toEqual(['read write', 'write', 'read'])
})
