import { ERROR_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { stringsOf } from '../json.ts'
import { RULES } from '../rules.ts'
import {
  expectEqual,
  expectHeader,
  expectMember,
  expectStatus,
  expectThat,
} from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'
import { swapCase } from '../toolkit/swap-case.ts'

const ANONYMOUS = { authorization: null }

export const AUTHENTICATION_CHECKS: readonly Check[] = [
  {
    id: 'authentication.required',
    ...RULES.statusCodes,
    title: 'A request without credentials is rejected with 401',
    needs: ['credentials', 'users'],
    advice: 'Authenticate every request before it is handled, also GET.',
    affects: { entra: 'Everyone on the network can read the directory of the customer.' },
    run: async ({ get, type }) => {
      const query = { count: 1 }
      expectStatus(await get(type('User').endpoint, { ...ANONYMOUS, query }), 401)
    },
  },
  {
    id: 'authentication.wrong-token',
    ...RULES.statusCodes,
    title: 'A token that is unknown or empty is rejected with 401',
    needs: ['credentials', 'users'],
    advice: 'Compare the whole token with the issued ones. An empty token is never valid.',
    run: async ({ get, type, unique }) => {
      const query = { count: 1 }
      for (const authorization of [`Bearer ${unique()}`, 'Bearer', 'Bearer undefined']) {
        expectStatus(await get(type('User').endpoint, { authorization, query }), 401)
      }
    },
  },
  {
    id: 'authentication.letter-case',
    ...RULES.statusCodes,
    title: 'A token in another letter case is rejected with 401',
    needs: ['check:authentication.wrong-token'],
    advice:
      'Compare tokens, or their hashes, byte by byte. The usual collations of MySQL and SQL Server ignore letter case.',
    run: async ({ get, type }) => {
      const query = { count: 1 }
      const authorization = inOtherCase
      expectStatus(await get(type('User').endpoint, { authorization, query }), 401)
    },
  },
  {
    id: 'authentication.challenge',
    section: 'RFC 9110 §15.5.2',
    level: 'MUST',
    quote: 'server generating a 401 response MUST send a',
    title: 'A 401 names the accepted scheme in the header WWW-Authenticate',
    needs: ['check:authentication.required'],
    advice: 'Set WWW-Authenticate, such as Bearer realm="scim".',
    run: async ({ get, type }) => {
      expectHeader(
        await get(type('User').endpoint, ANONYMOUS),
        'WWW-Authenticate',
        /^[\w!#$%&'*+.^`|~-]+/,
      )
    },
  },
  {
    id: 'authentication.document',
    section: 'RFC 7644 §3.12',
    level: 'MUST',
    quote: 'implementers MUST return the errors in the body',
    title: 'A 401 has an error document in its body',
    needs: ['check:authentication.required'],
    advice: 'Answer the error document of the standard in the authentication layer as well.',
    run: async ({ get, type }) => {
      const response = await get(type('User').endpoint, ANONYMOUS)
      const schemas = expectMember(response, 'schemas')
      expectThat(stringsOf(schemas).includes(ERROR_SCHEMA), `schemas with ${ERROR_SCHEMA}`, schemas)
      expectMember(response, 'status', '401')
    },
  },
  {
    id: 'authentication.writes',
    ...RULES.statusCodes,
    title: 'PUT and DELETE without credentials are rejected with 401 and change nothing',
    needs: ['check:authentication.required', 'check:create.user'],
    advice: 'Apply the authentication to all methods of a path.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      expectStatus(await server.put(path, { ...sent, active: false }, ANONYMOUS), 401)
      expectStatus(await server.delete(path, ANONYMOUS), 401)
      expectStatus(await server.get(path), 200)
    },
  },
  {
    id: 'authentication.search',
    ...RULES.statusCodes,
    title: 'A search by POST without credentials is rejected with 401',
    needs: ['search', 'check:authentication.required'],
    advice: 'Apply the authentication to /.search below every endpoint.',
    run: async ({ search, type }) => {
      expectStatus(await search(type('User').endpoint, { count: 1 }, ANONYMOUS), 401)
    },
  },
  {
    id: 'authentication.bulk',
    ...RULES.statusCodes,
    title: 'A bulk request without credentials is rejected with 401',
    needs: ['bulk', 'write', 'check:authentication.required'],
    advice: 'Apply the authentication to /Bulk before its operations are read.',
    run: async ({ post, type, sample }) => {
      const operation = { method: 'POST', path: type('User').endpoint, bulkId: '1' }
      const body = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ ...operation, data: sample('User') }],
      }
      expectStatus(await post('/Bulk', body, ANONYMOUS), 401)
    },
  },
  {
    id: 'authentication.no-leak',
    section: 'RFC 7644 §7',
    level: 'practice',
    title: 'A request without credentials does not learn whether a user exists',
    needs: ['check:authentication.required', 'check:create.user'],
    advice: 'Authenticate before the resource is looked up, and answer the same error.',
    run: async ({ people, get, type, unique }) => {
      const { ada } = await people()
      const existing = await get(ada.path, ANONYMOUS)
      const missing = await get(`${type('User').endpoint}/${unique()}`, ANONYMOUS)
      expectEqual(existing.status, missing.status, 'the status for a user that exists')
      const name = String(ada.sent.userName)
      expectThat(!existing.text.includes(name), 'an error without the userName', existing.body)
    },
  },
]

/** The credentials with the token in another letter case. It is one wrong token more, which must not lock an account. */
function inOtherCase(own: string): string {
  const [, scheme = '', token = ''] = /^(Bearer +)(.*)$/i.exec(own) ?? []
  const other = swapCase(token)
  return other === token ? skip('The token does not have letters.') : `${scheme}${other}`
}
