import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import { RULES } from '../../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'

/** Rules for the content of a PUT request. */
export const REPLACED_CONTENT_CHECKS: readonly Check[] = [
  {
    id: 'replace.user',
    section: 'RFC 7644 §3.5.1',
    level: 'defined',
    quote: 'a successful PUT operation returns a 200 OK',
    title: 'PUT of a user answers 200 with the whole user',
    needs: ['check:create.user', 'User.displayName'],
    advice: 'Answer 200 with the resource as it is stored, not 204.',
    affects: { okta: 'Changes of profiles and deactivations are reported as failed.' },
    run: async ({ create, put }) => {
      const { id, path, sent } = await create('User')
      const response = await put(path, { ...sent, displayName: 'Ada Replaced' })
      expectStatus(response, 200)
      expectMember(response, 'id', id)
      expectMember(response, 'displayName', 'Ada Replaced')
    },
  },
  {
    id: 'replace.stored',
    ...RULES.putReplaces,
    title: 'The values of a PUT are stored',
    needs: ['check:replace.user', 'User.name.givenName'],
    advice: 'Write every attribute of the body, also one that had no value before.',
    affects: { okta: 'Changes of profiles are lost.' },
    run: async ({ create, put, get }) => {
      const { path, sent } = await create('User')
      if (memberAt((await get(path)).body, 'name.givenName') === undefined) {
        skip('The server does not return name.givenName.')
      }
      const name = { ...Object(sent.name), givenName: 'Replaced' }
      await put(path, { ...sent, name })
      expectMember(await get(path), 'name.givenName', 'Replaced')
    },
  },
  {
    id: 'replace.active',
    section: 'RFC 7643 §4.1.1',
    level: 'practice',
    title: 'PUT with active false deactivates a user, who can still be read',
    needs: ['check:replace.user', 'User.active'],
    advice: 'Store active with PUT, and keep users who are not active.',
    affects: { okta: 'In applications of the app wizard, users who leave keep their access.' },
    run: async ({ create, put, get }) => {
      const { path, sent } = await create('User', { active: true })
      await put(path, { ...sent, active: false })
      expectMember(await get(path), 'active', false)
    },
  },
  {
    id: 'replace.null',
    section: 'RFC 7643 §2.5',
    level: 'MUST',
    quote: 'SHALL be considered to be equivalent in "state"',
    title: 'A PUT with null removes the value of the attribute',
    needs: ['check:replace.user', 'User.nickName'],
    advice: 'Treat null as unassigned, and delete the stored value.',
    affects: { okta: 'A value that an administrator deletes stays in the application.' },
    run: async ({ create, put, get }) => {
      const { path, sent } = await create('User', { nickName: 'Countess' })
      expectStatus(await put(path, { ...sent, nickName: null }), 200)
      expectAbsent(await get(path), 'nickName')
    },
  },
  {
    id: 'replace.empty-list',
    section: 'RFC 7643 §2.5',
    level: 'MUST',
    quote: 'SHALL be considered to be equivalent in "state"',
    title: 'A PUT with an empty list removes all values of the attribute',
    needs: ['check:replace.user', 'User.phoneNumbers.value'],
    advice: 'Treat [] as unassigned, and delete the stored values.',
    run: async ({ create, put, get }) => {
      const phoneNumbers = [{ value: '+1-201-555-0123', type: 'work' }]
      const { path, sent } = await create('User', { phoneNumbers })
      expectStatus(await put(path, { ...sent, phoneNumbers: [] }), 200)
      expectAbsent(await get(path), 'phoneNumbers')
    },
  },
  {
    id: 'replace.multi-valued',
    ...RULES.putReplaces,
    title: 'A PUT replaces all values of a multi-valued attribute',
    needs: ['check:replace.user', 'User.emails.type'],
    advice: 'Delete the values that the body does not have. Do not add the new ones to them.',
    run: async ({ create, put, get, unique }) => {
      const { path, sent } = await create('User')
      const value = `${unique()}@example.com`
      await put(path, { ...sent, emails: [{ value, type: 'home' }] })
      const values = objectsOf((await get(path)).body.emails).map((email) => email.value)
      expectEqual(values, [value], 'the emails after the PUT')
    },
  },
  {
    id: 'replace.extension',
    ...RULES.putReplaces,
    title: 'A PUT replaces attributes of the enterprise extension',
    needs: ['check:replace.user', 'check:create.extension'],
    advice: 'Read the member whose name is the URN of the extension in PUT as well.',
    run: async ({ create, put, get }) => {
      const { path, sent } = await create('User')
      const schemas = [...new Set([...[sent.schemas].flat(), ENTERPRISE_USER_SCHEMA])]
      const department = 'Replacements'
      const values = { ...Object(sent[ENTERPRISE_USER_SCHEMA]), department }
      expectStatus(await put(path, { ...sent, schemas, [ENTERPRISE_USER_SCHEMA]: values }), 200)
      expectMember(await get(path), [ENTERPRISE_USER_SCHEMA, 'department'], department)
    },
  },
  {
    id: 'replace.read-only',
    section: 'RFC 7644 §3.5.1',
    level: 'MUST',
    quote: 'readOnly Any values provided SHALL be ignored.',
    title: 'A PUT ignores read-only attributes',
    needs: ['check:replace.user'],
    advice: 'Ignore id and meta of the body: clients send back what they read.',
    affects: { okta: 'PUT requests repeat id and meta, and would be rejected.' },
    run: async ({ create, put, unique }) => {
      const { id, path, sent } = await create('User')
      const meta = { resourceType: 'User', created: '1999-01-01T00:00:00Z' }
      const response = await put(path, { ...sent, id: unique(), meta })
      expectStatus(response, 200)
      expectMember(response, 'id', id)
      const created = memberAt(response.body, 'meta.created')
      expectThat(!String(created).startsWith('1999'), 'meta.created of the server', created)
    },
  },
  {
    id: 'replace.echo',
    section: 'RFC 7644 §3.5.1',
    level: 'MUST',
    quote: 'readOnly Any values provided SHALL be ignored.',
    title: 'A client may PUT a user back as it was read',
    needs: ['check:replace.user'],
    advice: 'Accept each attribute that GET returns, also the read-only ones.',
    affects: { okta: 'Okta merges its changes into the user that it read, and sends all of it.' },
    run: async ({ create, put, get }) => {
      const { path } = await create('User')
      const { body } = await get(path)
      const response = await put(path, body)
      expectStatus(response, 200)
      expectMember(response, 'userName', body.userName)
    },
  },
  {
    id: 'replace.required',
    ...RULES.userName,
    title: 'A PUT without the required userName is rejected',
    needs: ['check:replace.user'],
    advice: 'Answer 400 invalidValue, and change nothing.',
    run: async ({ create, put }) => {
      const { path, sent } = await create('User')
      const { userName: _, ...rest } = sent
      expectStatus(await put(path, rest), 400)
    },
  },
  {
    id: 'replace.unknown',
    section: 'RFC 7644 §3.5.1',
    level: 'MUST',
    quote: 'PUT MUST NOT be used to create new',
    title: 'A PUT to an id that does not exist is rejected and creates nothing',
    needs: ['check:replace.user'],
    advice: 'Answer 404: only POST creates resources, because the server assigns the ids.',
    run: async ({ put, type, sample, unique }) => {
      const { status } = await put(`${type('User').endpoint}/${unique()}`, sample('User'))
      expectThat(status >= 400 && status < 500, 'a status of 4xx, such as 404', status)
    },
  },
  {
    id: 'replace.dates',
    section: 'RFC 7643 §3.1',
    level: 'defined',
    quote: 'The most recent DateTime that the details of',
    title: 'A PUT keeps meta.created, and meta.lastModified does not become earlier',
    needs: [
      'check:replace.user',
      'check:representation.meta-dates',
      'check:representation.meta-dates-present',
    ],
    advice: 'Set meta.lastModified at each change, and meta.created only once.',
    run: async ({ create, put }) => {
      const { path, sent, body } = await create('User')
      const { body: after } = await put(path, { ...sent, displayName: 'Ada Later' })
      const time = (of: unknown, name: string) => Date.parse(String(memberAt(of, `meta.${name}`)))
      expectEqual(time(after, 'created'), time(body, 'created'), 'meta.created, as a number,')
      const [first, later] = [time(body, 'lastModified'), time(after, 'lastModified')]
      expectThat(later >= first, `meta.lastModified of at least ${first}`, later)
    },
  },
]
