import type { Check } from '../check.ts'
import { memberAt } from '../json.ts'
import { RULES } from '../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectHeader,
  expectMember,
  expectStatus,
  expectThat,
} from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'
import { resolveReference } from '../toolkit/locations.ts'

// The /Me resource belongs to the person who examines the server, so these checks only read it.
export const ME_CHECKS: readonly Check[] = [
  {
    id: 'me.supported',
    section: 'RFC 7644 §3.11',
    level: 'SHOULD',
    quote: 'does NOT support this feature SHOULD respond with',
    title: 'GET /Me answers the resource of the client, or 501 if the server does not support it',
    advice: 'Answer 501 if /Me is not supported. A client without a user gets 404 or 403.',
    run: async ({ get }) => {
      expectStatus(await get('/Me'), 200, 501, 404, 403)
    },
  },
  {
    id: 'me.location',
    section: 'RFC 7644 §3.11',
    level: 'MUST',
    quote: 'the HTTP "Location" header MUST be the permanent',
    title: 'The header Location of /Me is the permanent URL of the resource',
    needs: ['me'],
    advice: 'Set Location to meta.location of the user, not to the URL of /Me.',
    run: async (server) => {
      const response = await server.get('/Me')
      if (!/\/Me\/?$/.test(response.url)) skip('The server redirects to the resource.')
      const url = resolveReference(server, expectHeader(response, 'Location'))
      expectThat(url !== null && !/\/Me\/?$/.test(url), 'the URL of the user in Location', url)
    },
  },
  {
    id: 'me.same',
    section: 'RFC 7644 §3.11',
    level: 'defined',
    quote: 'as a URI alias for the User or',
    title: '/Me answers the resource that has its id',
    needs: ['me'],
    advice: 'Handle /Me like a request for the id of the authenticated user.',
    run: async ({ get, types }) => {
      const mine = await get('/Me')
      const name = memberAt(mine.body, 'meta.resourceType')
      const type = types.find((one) => one.name === name) ?? skip('The type is not known.')
      const same = await get(`${type.endpoint}/${encodeURIComponent(String(mine.body.id))}`)
      expectStatus(same, 200)
      for (const attribute of ['id', 'userName']) {
        expectEqual(same.body[attribute], mine.body[attribute], `${attribute} of the resource`)
      }
    },
  },
  {
    id: 'me.projection',
    ...RULES.overridden,
    title: 'The query attributes limits the attributes of /Me',
    needs: ['me', 'User.userName'],
    advice: 'Apply attributes and excludedAttributes to /Me as well.',
    run: async ({ get }) => {
      const response = await get('/Me', { query: { attributes: 'userName' } })
      expectStatus(response, 200)
      expectMember(response, 'id')
      expectMember(response, 'userName')
      expectAbsent(response, 'meta')
    },
  },
]
