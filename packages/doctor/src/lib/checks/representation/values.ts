import type { Check } from '../../check.ts'
import { isJsonObject, memberAt, objectsOf } from '../../json.ts'
import {
  expectAbsent,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { fail, skip } from '../../toolkit/finding.ts'
import { resolveReference } from '../../toolkit/locations.ts'
import { findListFault, findTypeFault, type ValueFault } from '../../toolkit/value-faults.ts'

/** Rules for attribute values. */
export const REPRESENTATION_VALUE_CHECKS: readonly Check[] = [
  {
    id: 'representation.attribute-types',
    section: 'RFC 7643 §2.3',
    level: 'defined',
    quote: 'to their corresponding SCIM schema type and underlying',
    title: 'Each attribute of a user has the data type that the schema declares',
    needs: ['check:create.user'],
    advice: 'Return booleans and numbers as such, not as strings, or correct the schema.',
    affects: {
      entra: 'A string instead of a boolean in active is read as a difference each time.',
    },
    run: async ({ people, get, type }) => {
      const { body } = await get((await people()).ada.path)
      report(findTypeFault(type('User'), body))
    },
  },
  {
    id: 'representation.lists',
    section: 'RFC 7643 §2.4',
    level: 'defined',
    quote: 'contain a list of elements using the JSON',
    title: 'Exactly the multi-valued attributes of a user are lists',
    needs: ['check:create.user'],
    advice: 'Return a list also if it has one value.',
    run: async ({ people, get, type }) => {
      const { body } = await get((await people()).ada.path)
      report(findListFault(type('User'), body))
    },
  },
  {
    id: 'representation.one-primary',
    section: 'RFC 7643 §2.4',
    level: 'MUST',
    quote: 'MUST appear no more than once',
    title: 'At most one value of a multi-valued attribute is primary',
    needs: ['check:create.user', 'User.emails.primary'],
    advice: 'Return primary as the client sent it, and not for every value.',
    run: async ({ people, get }) => {
      const { body } = await get((await people()).ada.path)
      for (const [name, values] of Object.entries(body)) {
        const count = objectsOf(values).filter(({ primary }) => primary === true).length
        expectThat(count <= 1, `at most one primary value of ${name}`, values)
      }
    },
  },
  {
    id: 'representation.password',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'SHALL NOT be returnable by a service provider',
    title: 'The password is in no response, neither to POST nor to GET',
    needs: ['check:create.password'],
    advice: 'Remove the password and its hash from every representation.',
    affects: { okta: 'Passwords reach the logs of the identity provider.' },
    run: async ({ create, get, type }) => {
      const password = 'Correct-7-horse'
      const user = await create('User', { password })
      const query = { filter: `userName eq "${user.sent.userName}"`, count: 10 }
      const listed = await get(type('User').endpoint, { query })
      for (const response of [user.response, await get(user.path), listed]) {
        expectThat(!response.text.includes(password), 'a response without the password', 'it')
        expectAbsent(response, 'password')
      }
      for (const one of objectsOf(listed.body.Resources)) expectAbsent(one, 'password')
    },
  },
  {
    id: 'representation.never-returned',
    section: 'RFC 7643 §7',
    level: 'defined',
    quote: 'never The attribute is never returned.',
    title: 'No attribute with returned never or writeOnly is in a list',
    needs: ['check:create.user', 'check:discovery.resource-types-endpoint'],
    advice: 'Apply the returned characteristic of the schema to lists and searches as well.',
    run: async ({ types, people, get }) => {
      await people()
      for (const { endpoint, definitions } of types.slice(0, 10)) {
        const hidden = Object.values(definitions).flatMap(({ attributes }) =>
          attributes.filter((one) => one.returned === 'never' || one.mutability === 'writeOnly'),
        )
        if (hidden.length === 0) continue
        for (const one of expectList(await get(endpoint, { query: { count: 5 } }))) {
          for (const { name } of hidden) expectAbsent(one, [name])
        }
      }
    },
  },
  {
    id: 'representation.on-request',
    section: 'RFC 7643 §7',
    level: 'defined',
    quote: 'is returned in a SCIM query operation only',
    title: 'An attribute with returned request is only returned if a client names it',
    needs: ['write'],
    advice: 'Omit the attribute by default, and return it if the query attributes has its name.',
    run: async ({ types, create, get }) => {
      const found = types.flatMap((type) =>
        (type.definitions[type.schema]?.attributes ?? []).flatMap((attribute) =>
          attribute.returned === 'request' && attribute.type === 'string' && !attribute.multiValued
            ? [{ type, name: attribute.name }]
            : [],
        ),
      )
      const [first = skip('No attribute is declared as returned on request.')] = found
      const { path } = await create(first.type.name, { [first.name]: 'plumb' })
      expectAbsent(await get(path), first.name)
      const query = { attributes: first.name }
      expectMember(await get(path, { query }), first.name, 'plumb')
    },
  },
  {
    id: 'representation.references',
    section: 'RFC 7643 §2.3.7',
    level: 'MUST',
    quote: 'MUST be the absolute or relative URI of',
    title: 'The $ref of a member is the URL of the member',
    needs: ['check:representation.meta-location', 'groups', 'Group.members.$ref'],
    advice: 'Build $ref from the base URL, the endpoint of the type and the id of the member.',
    run: async (server) => {
      const { ada } = await server.people()
      const $ref = memberAt(ada.body, 'meta.location')
      const { path } = await server.create('Group', { members: [{ value: ada.id, $ref }] })
      const response = await server.get(path)
      expectStatus(response, 200)
      const [member] = objectsOf(response.body.members)
      const url = resolveReference(server, member?.$ref)
      if (url === null) return skip('The members do not have $ref.')
      expectMember(await server.get(url), 'id', ada.id)
    },
  },
  {
    id: 'representation.external-id',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    quote: 'MUST NOT be specified by the service provider',
    title: 'A user that was created without an externalId does not have one',
    needs: ['check:create.user'],
    advice: 'Leave externalId to the client; use id for the identifier of the server.',
    affects: { entra: 'Entra ID matches users by externalId and finds a foreign value.' },
    run: async ({ create, get }) => {
      const { path } = await create('User', { externalId: undefined })
      expectAbsent(await get(path), 'externalId')
    },
  },
  {
    id: 'representation.complex',
    section: 'RFC 7643 §4.1.1',
    level: 'practice',
    title: 'A complex attribute of a user is an object with the sub-attributes that were sent',
    needs: ['check:create.user', 'User:complex'],
    advice: 'Return name as an object with givenName and familyName, not as one string.',
    run: async ({ people, get, words }) => {
      const { path, parts } = words().complex
      const { ada } = await people()
      const response = await get(ada.path)
      const found = expectMember(response, path)
      expectThat(isJsonObject(found), `${path} as an object`, found)
      for (const part of parts) {
        const sent = memberAt(ada.sent, `${path}.${part}`)
        if (sent !== undefined) expectMember(response, `${path}.${part}`, sent)
      }
    },
  },
]

function report(fault: ValueFault | null): void {
  if (fault !== null) fail(`${fault.path} as ${fault.declared}`, JSON.stringify(fault.value))
}
