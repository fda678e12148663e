import type { Check } from '../../check.ts'
import { withAt } from '../../json.ts'
import { isWritable } from '../../model/types.ts'
import { INTEROP_CLIENTS } from '../../profiles.ts'
import {
  expectAbsent,
  expectEqual,
  expectError,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { modifyUser, readResource } from '../../toolkit/patch.ts'
import { plainValue } from '../../toolkit/sample.ts'
import { expectRejected } from './unknown.ts'

const RULE = { level: 'MUST', profiles: INTEROP_CLIENTS } as const

/** Rules the interoperability profile adds for discovery, lists and PATCH. */
export const INTEROP_REQUEST_CHECKS: readonly Check[] = [
  {
    ...RULE,
    id: 'interop.flag',
    section: 'interop-01 §4',
    title: 'The ServiceProviderConfig has interopProfileConformant: true',
    needs: ['check:discovery.config'],
    advice: 'Add "interopProfileConformant": true, as a boolean, once every other rule holds.',
    run: async ({ documents: { config } }) => {
      expectMember(config, 'interopProfileConformant', true)
    },
  },
  {
    ...RULE,
    id: 'interop.resource-type-ids',
    section: 'interop-01 §5.1',
    title: 'The id of each resource type is its name',
    needs: ['check:discovery.resource-types'],
    advice: 'Set id to the value of name in each document of /ResourceTypes.',
    run: async ({ get }) => {
      for (const { id, name } of expectList(await get('/ResourceTypes'))) {
        expectEqual(id, name, `the id of the resource type ${name}`)
      }
    },
  },
  {
    ...RULE,
    id: 'interop.canonical-types',
    section: 'interop-01 §5.4',
    title: 'The type of each multi-valued complex attribute has canonicalValues',
    needs: ['check:discovery.schemas'],
    advice: 'List the accepted types as canonicalValues of the sub-attribute type in /Schemas.',
    run: async ({ types }) => {
      const missing = types.flatMap(({ definitions }) =>
        Object.values(definitions).flatMap(({ id, attributes }) =>
          attributes.flatMap(({ name, multiValued = false, subAttributes = [] }) => {
            const type = subAttributes.find((part) => part.name === 'type')
            const isListed = (type?.canonicalValues ?? []).length > 0
            return !multiValued || type === undefined || isListed ? [] : [`${id}:${name}.type`]
          }),
        ),
      )
      expectEqual(missing, [], 'the types without canonicalValues')
    },
  },
  {
    ...RULE,
    id: 'interop.id-case',
    section: 'interop-01 §5.2',
    title: 'An id in other letter case is unknown',
    needs: ['check:create.user'],
    advice: 'Compare ids exactly, in paths and in filters.',
    run: async ({ people, get, type }) => {
      const { ada } = await people()
      const other = ada.id === ada.id.toUpperCase() ? ada.id.toLowerCase() : ada.id.toUpperCase()
      if (other === ada.id) skip('The ids of the server do not have letters.')
      const { endpoint } = type('User')
      expectError(await get(`${endpoint}/${encodeURIComponent(other)}`), 404)
      const query = { filter: `id eq ${JSON.stringify(other)}` }
      expectEqual(expectList(await get(endpoint, { query })).length, 0, 'the number of users')
    },
  },
  {
    ...RULE,
    id: 'interop.external-id-case',
    section: 'interop-01 §5.2',
    title:
      'Two users may have an externalId that differs in letter case, and a filter finds one of them',
    needs: ['check:create.user'],
    advice: 'Compare externalId exactly, in filters and for uniqueness.',
    run: async (server) => {
      const externalId = server.unique()
      const upper = await server.create('User', { externalId: `${externalId}-ABC` })
      await server.create('User', { externalId: `${externalId}-abc` })
      const query = { filter: `externalId eq ${JSON.stringify(`${externalId}-ABC`)}` }
      const found = expectList(await server.get(server.type('User').endpoint, { query }))
      expectEqual(
        found.map(({ id }) => id),
        [upper.id],
        'the ids of the users',
      )
    },
  },
  {
    ...RULE,
    id: 'interop.endpoints',
    section: 'interop-01 §6.1',
    title: 'Each resource type has an endpoint of its own, and a userName is not an address',
    needs: ['users', 'check:discovery.resource-types'],
    advice: 'Serve a resource below the endpoint of its type, by its id only.',
    run: async ({ people, get, types, type }) => {
      const endpoints = types.map(({ endpoint }) => endpoint)
      expectEqual([...new Set(endpoints)], endpoints, 'the endpoints of the types')
      const { ada } = await people()
      const name = encodeURIComponent(String(ada.sent.userName))
      expectError(await get(`${type('User').endpoint}/${name}`), 404)
    },
  },
  {
    ...RULE,
    id: 'interop.unknown-filter',
    section: 'interop-01 §6.3',
    title: 'A filter with an unknown attribute is rejected with invalidFilter',
    needs: ['users', 'check:interop.filter'],
    advice:
      'Answer 400 invalidFilter for an attribute, or a part of one, that the schema does not declare.',
    run: async ({ get, type }) => {
      for (const path of ['favoriteColor', 'name.nick', 'emails[color']) {
        const filter = `${path} eq "x"${path.includes('[') ? ']' : ''}`
        const response = await get(type('User').endpoint, { query: { filter } })
        expectError(response, 400, 'invalidFilter')
      }
    },
  },
  {
    ...RULE,
    id: 'interop.filter',
    section: 'interop-01 §6.3',
    title: 'A filter with eq and and finds the user with both values',
    needs: ['users', 'check:create.user'],
    advice: 'Support the operators eq and and, and say filter.supported in the configuration.',
    run: async ({ people, documents: { config }, matches }) => {
      const { sent } = (await people()).ada
      expectMember(config, 'filter.supported', true)
      const both = (externalId: unknown) =>
        `userName eq ${JSON.stringify(sent.userName)} and externalId eq ${JSON.stringify(externalId)}`
      expectEqual(await matches(both(sent.externalId)), ['ada'], 'the users with both values')
      expectEqual(await matches(both('another')), [], 'the users with another externalId')
    },
  },
  {
    ...RULE,
    id: 'interop.page-of-100',
    section: 'interop-01 §6.4',
    title: 'A list with count=100 has 100 resources, if there are as many',
    needs: ['users', 'check:create.user'],
    advice: 'Allow pages of 100 resources at least.',
    run: async ({ people, get, type }) => {
      await people()
      const response = await get(type('User').endpoint, { query: { count: 100 } })
      const { length } = expectList(response)
      const total = Number(expectMember(response, 'totalResults'))
      expectEqual(length, Math.min(total, 100), 'the number of resources')
    },
  },
  {
    ...RULE,
    id: 'interop.patch',
    section: 'interop-01 §6.5',
    title: 'PATCH is supported, and deactivates a user that can still be read and listed',
    needs: ['User.active', 'check:create.user'],
    advice: 'Support PATCH, say patch.supported, and keep a user whose active is false.',
    run: async (server) => {
      expectMember(server.documents.config, 'patch.supported', true)
      const { path, id, sent } = await server.create('User', { active: true })
      const operation = { op: 'replace', path: 'active', value: false }
      expectStatus(await server.modify(path, operation), 200, 204)
      expectMember(await readResource(server, path), 'active', false)
      const filter = `userName eq ${JSON.stringify(sent.userName)}`
      const listed = expectList(
        await server.get(server.type('User').endpoint, { query: { filter } }),
      )
      expectEqual(
        listed.map((one) => one.id),
        [id],
        'the ids of the listed users',
      )
    },
  },
  {
    ...RULE,
    id: 'interop.path',
    section: 'interop-01 §6.5.1.1',
    title: 'A PATCH operation without a path is rejected with invalidSyntax and changes nothing',
    needs: ['patch', 'User:text', 'check:patch-replace.attribute'],
    advice: 'Answer 400 invalidSyntax to an add, replace or remove without a path.',
    run: async (server) => {
      const { text } = server.words()
      const value = withAt({}, { [text]: server.fit(text, 'Grace Sample') })
      await expectRejected(server, { op: 'replace', value })
      await expectRejected(server, { op: 'add', value })
      await expectRejected(server, { op: 'remove' })
    },
  },
  {
    ...RULE,
    id: 'interop.replace-whole',
    section: 'interop-01 §6.5.2.1',
    title: 'A replace of a complex attribute removes the parts that it does not name',
    needs: ['patch', 'User:complex'],
    advice:
      'Store the object of the operation as the new value. RFC 7644 §3.5.2.3 says the opposite.',
    run: async (server) => {
      const { path, parts } = server.words().complex
      const [first, second] = parts
      const user = await modifyUser(
        server,
        { [path]: { [first]: 'Ada', [second]: 'King' } },
        { op: 'replace', path, value: { [first]: 'Eve' } },
      )
      expectMember(user, `${path}.${first}`, 'Eve')
      expectAbsent(user, `${path}.${second}`)
    },
  },
  {
    ...RULE,
    id: 'interop.deleted',
    section: 'interop-01 §6.6',
    title: 'A deleted user answers 404 to PATCH, and its userName is free',
    needs: ['patch', 'check:delete.user'],
    advice: 'Remove the row and the unique values of a deleted user.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      expectStatus(await server.delete(path), 204)
      const operation = { op: 'replace', path: 'active', value: true }
      expectError(await server.modify(path, operation), 404)
      expectStatus(await server.post(server.type('User').endpoint, sent), 201)
    },
  },
  {
    ...RULE,
    id: 'interop.basic',
    section: 'interop-01 §7.2',
    level: 'SHOULD',
    title: 'The authentication schemes do not contain HTTP Basic',
    needs: ['check:discovery.config'],
    advice: 'Use OAuth bearer tokens.',
    run: async ({ documents: { config } }) => {
      const schemes = config.body.authenticationSchemes
      const types = Array.isArray(schemes) ? schemes.map((one) => Object(one).type) : []
      expectThat(!types.includes('httpbasic'), 'schemes without httpbasic', types)
    },
  },
  {
    ...RULE,
    id: 'interop.listed-attributes',
    section: 'interop-01 §5.1',
    title: 'A user with every writable attribute of the schemas is stored whole',
    needs: ['check:create.user'],
    advice: 'List exactly the attributes in /Schemas that the server stores.',
    run: async (server) => {
      const { definitions, schema } = server.type('User')
      const attributes = definitions[schema]?.attributes.filter(isWritable) ?? []
      const values = attributes.map((one) => [one.name, plainValue(one, server.unique())])
      const sent = { ...Object.fromEntries(values), ...server.sample('User') }
      const { body } = await server.create('User', sent)
      const lost = attributes.filter(
        ({ name, returned = 'default' }) =>
          (returned === 'default' || returned === 'always') && !Object.hasOwn(body, name),
      )
      expectEqual(
        lost.map(({ name }) => name),
        [],
        'the attributes that are not returned',
      )
    },
  },
]
