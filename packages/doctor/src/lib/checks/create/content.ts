import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, namesOf, objectsOf, stringsOf, withAt } from '../../json.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import { findVocabulary, type ListAttribute } from '../../model/vocabulary.ts'
import {
  expectAbsent,
  expectEqual,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { createGroup, expectMembers } from '../../toolkit/members.ts'
import { readResource } from '../../toolkit/patch.ts'
import type { Server } from '../../toolkit/server.ts'
import { spareList } from '../../toolkit/spare.ts'
import { isOffered } from '../stored/kept.ts'

/** Rules for the content of a new resource. */
export const CREATE_CONTENT_CHECKS: readonly Check[] = [
  {
    id: 'create.extension',
    section: 'RFC 7643 §3.3',
    level: 'MUST',
    quote: 'SHALL be used as a JSON container to',
    title: 'Attributes of the enterprise extension are stored below its URN',
    needs: ['enterprise', 'check:create.user', `User.${ENTERPRISE_USER_SCHEMA}:department`],
    advice: 'Read the member whose name is the URN of the extension, and return it.',
    affects: { entra: 'Department and manager of users are lost without an error.' },
    run: async ({ type, sample, post, get }) => {
      const user = sample('User')
      const schemas = [...new Set([...stringsOf(user.schemas), ENTERPRISE_USER_SCHEMA])]
      const values = { ...Object(user[ENTERPRISE_USER_SCHEMA]), department: 'Research' }
      const { endpoint } = type('User')
      const created = await post(endpoint, { ...user, schemas, [ENTERPRISE_USER_SCHEMA]: values })
      expectStatus(created, 201)
      const path = `${endpoint}/${encodeURIComponent(String(created.body.id))}`
      expectMember(await get(path), [ENTERPRISE_USER_SCHEMA, 'department'], 'Research')
    },
  },
  {
    id: 'create.read-only',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    quote: 'Sections 2.2 and 7 of [RFC7643]) SHALL be',
    title: 'Read-only attributes of a new user are ignored',
    needs: ['check:create.user'],
    advice: 'Ignore id and meta of the client, and assign them. Do not answer 400.',
    affects: { entra: 'New users are rejected, because meta.resourceType is sent with them.' },
    run: async ({ type, sample, post, unique }) => {
      const id = unique()
      const meta = { resourceType: 'User', created: '1999-01-01T00:00:00Z' }
      const response = await post(type('User').endpoint, sample('User', { id, meta }))
      expectStatus(response, 201)
      expectThat(memberAt(response.body, 'id') !== id, 'an id of the server', id)
      const created = memberAt(response.body, 'meta.created')
      expectThat(!String(created).startsWith('1999'), 'meta.created of the server', created)
    },
  },
  {
    id: 'create.null',
    section: 'RFC 7643 §2.5',
    level: 'MUST',
    quote: 'SHALL be considered to be equivalent in "state"',
    title: 'null and an empty list in a new user mean that the attribute is unassigned',
    needs: ['check:create.user', 'User:optional'],
    advice: 'Treat null and [] like an absent attribute when a resource is read.',
    affects: { entra: 'Users without a value for every mapped attribute are rejected.' },
    run: async ({ type, sample, post, words }) => {
      const { optional } = words()
      const list = spareList(type('User'))
      const user = withAt(sample('User'), { [optional]: null, ...(list && { [list]: [] }) })
      const response = await post(type('User').endpoint, user)
      expectStatus(response, 201)
      expectAbsent(response, optional)
      if (list !== undefined) expectAbsent(response, list)
    },
  },
  {
    id: 'create.attribute-names',
    section: 'RFC 7643 §2.1',
    level: 'defined',
    quote: 'Attribute names are case insensitive and are often',
    title: 'Attribute names of a new user are recognized in any letter case',
    needs: ['check:create.user', 'User:optional'],
    advice: 'Compare attribute names without regard to letter case when a body is read.',
    affects: { entra: 'The letter case of mapped attributes can vary, and values are lost.' },
    run: async ({ type, sample, post, words }) => {
      const { optional } = words()
      const [top = '', part = ''] = namesOf(optional)
      const { [top]: members, ...user } = sample('User')
      const { [part]: _, ...others } = Object(members)
      const named = { ...user, ...(part !== '' && { [top.toUpperCase()]: others }) }
      const body = withAt(named, { [optional.toUpperCase()]: 'Ada Plumb' })
      const response = await post(type('User').endpoint, body)
      expectStatus(response, 201)
      expectMember(response, optional, 'Ada Plumb')
    },
  },
  {
    id: 'create.unicode',
    section: 'RFC 7644 §3.8',
    level: 'MUST',
    quote: 'Servers MUST accept requests and be able to',
    title: 'Characters of every script are stored and returned in UTF-8',
    needs: ['check:create.user', 'User:optional'],
    advice: 'Decode bodies as UTF-8, and use a column type with four bytes for a character.',
    run: async ({ create, get, words, set }) => {
      const { optional } = words()
      const { path } = await create('User', set({ [optional]: SCRIPTS }))
      expectMember(await get(path), optional, SCRIPTS)
    },
  },
  {
    id: 'create.multi-valued',
    section: 'RFC 7644 §3.3',
    level: 'practice',
    title: 'All values of a multi-valued attribute are stored',
    needs: ['check:create.user'],
    advice: 'Store every value with its type, not only the first or the primary one.',
    run: async (server) => {
      const { path: list, kinds } = findVocabulary(server.type('User')).list ?? NO_LIST
      if (kinds.length < 2) return expectAllMembers(server)
      const elements = kinds
        .slice(0, 2)
        .map((type) => ({ value: `${server.unique()}@example.com`, type }))
      const { path } = await server.create('User', { [list]: elements })
      const found = objectsOf((await server.get(path)).body[list])
      for (const { value, type } of elements) {
        const isStored = found.some((one) => one.value === value && one.type === type)
        expectThat(isStored, `${list} with ${value} of the type ${type}`, found)
      }
    },
  },
  {
    id: 'create.external-id',
    section: 'RFC 7643 §7',
    level: 'MUST',
    quote: 'the server SHALL preserve case for any value',
    title: 'An externalId comes back in the letter case in which it was sent',
    needs: ['check:create.user'],
    advice: 'Store externalId as it was sent: it is caseExact. Do not fold or trim it.',
    affects: { entra: 'Users are not found by their externalId, and are created a second time.' },
    run: async ({ create, get, unique }) => {
      const externalId = `${unique()}-aBcD`
      const { path } = await create('User', { externalId })
      const found = memberAt((await get(path)).body, 'externalId')
      if (found === undefined) skip('The server does not store externalId.')
      expectEqual(found, externalId, 'externalId')
    },
  },
  {
    id: 'create.inactive',
    section: 'RFC 7643 §4.1.1',
    level: 'practice',
    title: 'A user that is created with active false is not active',
    needs: ['check:create.user', 'User.active'],
    advice: 'Use the default of active only if the client did not send it: false is a value.',
    affects: { entra: 'A disabled user can sign in to the application.' },
    run: async ({ create, get }) => {
      const { path } = await create('User', { active: false })
      expectMember(await get(path), 'active', false)
    },
  },
  {
    id: 'create.password',
    section: 'RFC 7643 §4.1.1',
    level: 'practice',
    title: 'A user with a password is created',
    needs: ['check:create.user'],
    advice: 'Accept password, or remove it from the schema of users.',
    affects: { okta: 'Okta sends a password with every new user, which is not created.' },
    run: async ({ type, types, sample, post }) => {
      const user = sample('User', { password: 'Correct-7-horse-staple' })
      const response = await post(type('User').endpoint, user)
      const lack = findAttributeReason(types, 'User.password')
      // A server may reject what no schema declares.
      if (response.status === 400 && lack !== null) skip(lack)
      expectStatus(response, 201)
    },
  },
  {
    id: 'create.custom',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    quote: 'SHALL be returned with HTTP status code 201',
    title:
      'A resource of each custom type that clients can create is created with the values that were sent',
    needs: ['custom', 'write'],
    advice: 'Accept each attribute that the schema declares, with a value of its data type.',
    run: async ({ types, sample, post }) => {
      const custom = types.filter(({ schema }) => !USUAL.includes(schema)).slice(0, 5)
      let created = 0
      for (const { name, endpoint, schema, definitions } of custom) {
        const sent = sample(name)
        const response = await post(endpoint, sent)
        if (!isOffered(response)) continue
        created += 1
        expectStatus(response, 201)
        for (const attribute of definitions[schema]?.attributes ?? []) {
          const { name: key, returned = 'default' } = attribute
          if (sent[key] === undefined || !/^(always|default)$/.test(returned)) continue
          expectMember(response, [key], sent[key])
        }
      }
      if (created === 0) skip('Clients cannot create resources of a custom type.')
    },
  },
]

const USUAL: readonly string[] = [USER_SCHEMA, GROUP_SCHEMA]

/** Examines group members instead, if the server keeps only one value in each list of users. */
async function expectAllMembers(server: Server): Promise<void> {
  const { ada, bob } = await server.people()
  const { path } = await createGroup(server, ada, bob)
  expectMembers(await readResource(server, path), ada, bob)
}

const NO_LIST: ListAttribute = { path: '', kinds: [] }
const SCRIPTS = 'Zoë 李明 Ωμέγα 🦊'
