import type { Check } from '../check.ts'
import { objectsOf } from '../json.ts'
import { isReadable } from '../model/types.ts'
import { RULES } from '../rules.ts'
import { expectEqual, expectError, expectMember, expectStatus } from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'

export const READ_CHECKS: readonly Check[] = [
  {
    id: 'read.user',
    section: 'RFC 7644 §3.4.1',
    level: 'defined',
    quote: 'the server responds with HTTP status code 200',
    title: 'GET of a user that exists answers 200 with the user',
    needs: ['check:create.user'],
    advice: 'Answer the resource itself with 200, not a list with one element.',
    affects: {
      entra: 'Users are read by their id before each change, so no change arrives.',
      okta: 'Profiles are not refreshed.',
    },
    run: async ({ people, get }) => {
      const { bob } = await people()
      const response = await get(bob.path)
      expectStatus(response, 200)
      expectMember(response, 'id', bob.id)
      expectMember(response, 'userName', bob.body.userName)
    },
  },
  {
    id: 'read.as-created',
    section: 'RFC 7644 §3.1',
    level: 'MUST',
    quote: 'SHALL reflect resource state as interpreted by the',
    title: 'GET answers the attributes that the response to POST had',
    needs: ['check:create.user'],
    advice: 'Build both responses from the stored resource with the same function.',
    affects: { entra: 'A value that differs is sent again in each cycle.' },
    run: async ({ create, get, type }) => {
      const { path, body } = await create('User')
      const response = await get(path)
      for (const attribute of type('User').definitions[type('User').schema]?.attributes ?? []) {
        const { name } = attribute
        if (body[name] === undefined || !isReadable(attribute) || name === 'groups') continue
        expectMember(response, [name], body[name])
      }
    },
  },
  {
    id: 'read.extension',
    section: 'RFC 7643 §3.3',
    level: 'MUST',
    quote: 'SHALL be used as a JSON container to',
    title: 'GET of a user answers the attributes of its extension below the URN',
    needs: ['enterprise', 'check:create.extension'],
    advice: 'Return the extension as an object below its URN, not with prefixed names.',
    run: async ({ people, get, type }) => {
      const { ada } = await people()
      const { body } = await get(ada.path)
      for (const { schema } of type('User').extensions) {
        if (ada.body[schema] === undefined) continue
        expectEqual(body[schema], ada.body[schema], `the extension ${schema}`)
      }
    },
  },
  {
    id: 'read.list-entry',
    section: 'RFC 7644 §3.9',
    level: 'defined',
    quote: 'attribute set plus default attribute set',
    title: 'A user in a list has the attributes that GET of the user answers',
    needs: ['filter', 'check:read.user', 'check:filters.eq-string'],
    advice: 'Write the resources of lists with the function that writes a single resource.',
    affects: { entra: 'Matched users seem to lack attributes, and are updated in each cycle.' },
    run: async ({ people, get, type }) => {
      const { bob } = await people()
      const { endpoint, schema, definitions } = type('User')
      const query = { filter: `userName eq "${bob.sent.userName}"` }
      const listed = await get(endpoint, { query })
      const [entry = skip('The user was not listed.')] = objectsOf(listed.body.Resources)
      const { body } = await get(bob.path)
      for (const { name } of definitions[schema]?.attributes ?? []) {
        expectEqual(entry[name], body[name], `${name} of the user in the list`)
      }
    },
  },
  {
    id: 'read.unknown',
    ...RULES.statusCodes,
    title: 'GET of a user that does not exist answers 404',
    needs: ['users', 'check:create.user'],
    advice: 'Answer 404 with an error document, not 400 or 500, also if the id is not well-formed.',
    affects: { entra: 'A deleted user is not created again.' },
    run: async ({ get, type, unique }) => {
      expectError(await get(`${type('User').endpoint}/${unique()}`), 404)
    },
  },
  {
    id: 'read.unknown-of-each-type',
    ...RULES.statusCodes,
    title: 'GET of a resource that does not exist answers 404 at the endpoint of each type',
    needs: ['check:read.unknown', 'check:discovery.resource-types-endpoint'],
    advice: 'Use the same error for every resource type.',
    run: async ({ get, types, unique }) => {
      for (const { endpoint } of types.slice(0, 10)) {
        expectError(await get(`${endpoint}/${unique()}`), 404)
      }
    },
  },
  {
    id: 'read.encoded-id',
    section: 'RFC 3986 §2.3',
    level: 'practice',
    title: 'A user is found by a URL whose id is percent-encoded',
    needs: ['check:read.user'],
    advice: 'Decode the last segment of the path before the id is looked up.',
    run: async ({ people, get, type }) => {
      const { bob } = await people()
      const encoded = [...new TextEncoder().encode(bob.id)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join('')
      const response = await get(`${type('User').endpoint}/${encoded}`)
      expectStatus(response, 200)
      expectMember(response, 'id', bob.id)
    },
  },
]
