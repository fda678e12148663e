import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf, withAt } from '../../json.ts'
import { findAttribute } from '../../model/types.ts'
import { RULES } from '../../rules.ts'
import {
  expectAbsent,
  expectEqual,
  expectMember,
  expectStatus,
  expectThat,
  show,
} from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { elementOf, readResource, skipDerived } from '../../toolkit/patch.ts'
import { createReplaceable, expectReplaced } from '../../toolkit/replaceable.ts'

/** Rules for the content of a PUT request. */
export const REPLACE_CONTENT_CHECKS: readonly Check[] = [
  {
    id: 'replace.user',
    section: 'RFC 7644 §3.5.1',
    level: 'defined',
    quote: 'a successful PUT operation returns a 200 OK',
    title: 'PUT of a user answers 200 with the whole user',
    needs: ['check:create.user', 'User:text'],
    advice: 'Answer 200 with the resource as it is stored, not 204.',
    affects: { okta: 'Changes of profiles and deactivations are reported as failed.' },
    run: async ({ create, put, words, fit }) => {
      const { text } = words()
      const { id, path, sent } = await create('User')
      const value = fit(text, 'Ada Replaced')
      const response = await put(path, withAt(sent, { [text]: value }))
      expectStatus(response, 200)
      expectMember(response, 'id', id)
      expectMember(response, text, value)
    },
  },
  {
    id: 'replace.stored',
    ...RULES.putReplaces,
    title: 'The values of a PUT are stored',
    needs: ['check:replace.user'],
    advice: 'Write every attribute of the body, also one that had no value before.',
    affects: { okta: 'Changes of profiles are lost.' },
    run: async ({ create, put, get, words, fit }) => {
      const { text } = words()
      const { path, sent } = await create('User')
      const value = fit(text, 'Replaced')
      await put(path, withAt(sent, { [text]: value }))
      expectMember(await get(path), text, value)
    },
  },
  {
    id: 'replace.whole',
    ...RULES.putReplaces,
    title: 'A PUT of a user stores each attribute that was sent, and that a schema declares',
    needs: ['check:replace.user'],
    advice:
      'Write every attribute of the body: the parts of name, externalId, and each value of a list with its type and primary. A POST stores them.',
    affects: { okta: 'Changes of profiles are lost, or remove other values.' },
    run: async (server) => {
      const replaceable = await createReplaceable(server)
      const response = await server.put(replaceable.path, replaceable.next)
      // A server may have rules beyond the schemas.
      if (response.status === 400 || response.status === 409) {
        skip(`The server rejects the values of another user: ${show(response.body.detail)}.`)
      }
      expectStatus(response, 200, 204)
      await expectReplaced(server, replaceable)
    },
  },
  {
    id: 'replace.active',
    section: 'RFC 7643 §4.1.1',
    level: 'practice',
    title: 'PUT with active false deactivates a user, who can still be read',
    needs: ['check:create.user', 'User.active'],
    advice: 'Store active with PUT, and keep users who are not active.',
    affects: { okta: 'In applications of the app wizard, users who leave keep their access.' },
    run: async ({ create, put, get }) => {
      const { path, sent } = await create('User', { active: true })
      expectStatus(await put(path, { ...sent, active: false }), 200, 204)
      expectMember(await get(path), 'active', false)
    },
  },
  {
    id: 'replace.null',
    section: 'RFC 7643 §2.5',
    level: 'MUST',
    quote: 'SHALL be considered to be equivalent in "state"',
    title: 'A PUT with null removes the value of the attribute',
    needs: ['check:replace.user', 'User:optional'],
    advice: 'Treat null as unassigned, and delete the stored value.',
    affects: { okta: 'A value that an administrator deletes stays in the application.' },
    run: async ({ create, put, get, words, set }) => {
      const { optional } = words()
      const { path, sent } = await create('User', set({ [optional]: 'Countess' }))
      expectStatus(await put(path, withAt(sent, { [optional]: null })), 200)
      expectAbsent(await get(path), optional)
    },
  },
  {
    id: 'replace.empty-list',
    section: 'RFC 7643 §2.5',
    level: 'MUST',
    quote: 'SHALL be considered to be equivalent in "state"',
    title: 'A PUT with an empty list removes all values of the attribute',
    needs: ['check:replace.user', 'User:list'],
    advice: 'Treat [] as unassigned, and delete the stored values.',
    run: async (server) => {
      const { path: list } = server.words().list
      if (findAttribute(server.type('User'), list)?.required) skip(`The server requires ${list}.`)
      const { path, sent } = await server.create('User', { [list]: [elementOf(server, 0)] })
      expectStatus(await server.put(path, { ...sent, [list]: [] }), 200)
      const user = await readResource(server, path)
      skipDerived(user, list)
      expectAbsent(user, list)
    },
  },
  {
    id: 'replace.multi-valued',
    ...RULES.putReplaces,
    title: 'A PUT replaces all values of a multi-valued attribute',
    needs: ['check:replace.user', 'User:list'],
    advice: 'Delete the values that the body does not have. Do not add the new ones to them.',
    run: async (server) => {
      const { path: list, kinds } = server.words().list
      const { path, sent } = await server.create('User')
      const element = elementOf(server, kinds.length > 1 ? 1 : 0)
      await server.put(path, { ...sent, [list]: [element] })
      const values = objectsOf((await server.get(path)).body[list]).map(({ value }) => value)
      expectEqual(values, [element.value], `the ${list} after the PUT`)
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
    title: 'A PUT without userName is rejected, or keeps the userName of the user',
    needs: ['check:replace.user', 'check:create.required'],
    advice: 'Answer 400 invalidValue, and change nothing.',
    run: async ({ create, put, get }) => {
      const { path, sent } = await create('User')
      const { userName: _, ...rest } = sent
      // RFC 7644 §3.5.1 requires the attribute from clients.
      expectStatus(await put(path, rest), 200, 204, 400)
      expectMember(await get(path), 'userName', sent.userName)
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
    run: async ({ create, put, words, fit }) => {
      const { text } = words()
      const { path, sent, body } = await create('User')
      const { body: after } = await put(path, withAt(sent, { [text]: fit(text, 'Ada Later') }))
      const time = (of: unknown, name: string) => Date.parse(String(memberAt(of, `meta.${name}`)))
      expectEqual(time(after, 'created'), time(body, 'created'), 'meta.created, as a number,')
      const [first, later] = [time(body, 'lastModified'), time(after, 'lastModified')]
      expectThat(later >= first, `meta.lastModified of at least ${first}`, later)
    },
  },
]
