import type { Check } from '../../check.ts'
import { memberAt, namesOf, withAt } from '../../json.ts'
import { RULES } from '../../rules.ts'
import {
  expectEqual,
  expectMember,
  expectRejection,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { block, skip } from '../../toolkit/finding.ts'
import { modifyResource } from '../../toolkit/patch.ts'
import type { Created, Server } from '../../toolkit/server.ts'

const NEEDS = ['etag', 'check:concurrency.stable-tag', 'check:replace.user'] as const

/** Rules for requests with If-Match and If-None-Match. */
export const CONCURRENCY_CONDITION_CHECKS: readonly Check[] = [
  {
    id: 'concurrency.stable-tag',
    section: 'RFC 9110 §8.8.3',
    level: 'defined',
    quote: 'provides the current entity tag for the selected',
    title: 'The entity tag of a user that did not change stays the same',
    needs: ['etag', 'check:representation.etag-header'],
    advice: 'Compute the tag from the stored version or content, not from the time or at random.',
    run: async (server) => {
      const { path } = await server.create('User')
      expectEqual(await tagOf(server, path), await tagOf(server, path), 'the second entity tag')
    },
  },
  {
    id: 'concurrency.optional',
    section: 'RFC 6585 §3',
    level: 'practice',
    title: 'PUT, PATCH and DELETE are accepted without If-Match',
    needs: ['check:create.user'],
    advice: 'Accept writes without If-Match: identity providers do not send it.',
    affects: {
      entra: 'Users are created, and never changed.',
      okta: 'Users are created, and never changed.',
    },
    run: async ({ create, put, delete: remove }) => {
      const { path, sent } = await create('User')
      const first = await put(path, sent, { isPlain: true })
      expectThat(first.status !== 428, 'a PUT without If-Match to be accepted', first.status)
      const second = await remove(path, { isPlain: true })
      expectThat(second.status !== 428, 'a DELETE without If-Match to be accepted', second.status)
    },
  },
  {
    id: 'concurrency.stale-put',
    ...RULES.ifMatch,
    title: 'A PUT with If-Match of an older version is rejected and changes nothing',
    needs: NEEDS,
    advice:
      'Compare If-Match with the stored version in the transaction that writes, and answer 412.',
    run: async (server) => {
      const { path, sent, stale, text, changed } = await createChanged(server)
      const headers = { 'If-Match': stale }
      const body = withAt(sent, { [text]: server.fit(text, 'Lost') })
      expectRejection(await server.put(path, body, { headers }))
      expectMember(await server.get(path), text, changed)
    },
  },
  {
    id: 'concurrency.stale-patch',
    ...RULES.ifMatch,
    title: 'A PATCH with If-Match of an older version is rejected and changes nothing',
    needs: [...NEEDS, 'patch'],
    advice: 'Check If-Match in PATCH as well.',
    run: async (server) => {
      const { path, stale, text, changed } = await createChanged(server)
      const body = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: text, value: server.fit(text, 'Lost') }],
      }
      expectRejection(await server.patch(path, body, { headers: { 'If-Match': stale } }))
      expectMember(await server.get(path), text, changed)
    },
  },
  {
    id: 'concurrency.stale-delete',
    ...RULES.ifMatch,
    title: 'A DELETE with If-Match of an older version is rejected and deletes nothing',
    needs: NEEDS,
    advice: 'Check If-Match in DELETE as well.',
    run: async (server) => {
      const { path, stale } = await createChanged(server)
      expectRejection(await server.delete(path, { headers: { 'If-Match': stale } }))
      expectStatus(await server.get(path), 200)
    },
  },
  {
    id: 'concurrency.current-put',
    section: 'RFC 7644 §3.14',
    level: 'defined',
    quote: 'only if the supplied ETag matches the latest',
    title: 'A PUT with If-Match of the current version is executed',
    needs: NEEDS,
    advice: 'Compare weak entity tags without their W/, because PUT with them must be possible.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      const headers = { 'If-Match': await tagOf(server, path) }
      const { text } = server.words()
      const value = server.fit(text, 'Current')
      const response = await server.put(path, withAt(sent, { [text]: value }), { headers })
      expectStatus(response, 200)
      expectMember(response, text, value)
    },
  },
  {
    id: 'concurrency.patched-tag',
    section: 'RFC 9110 §8.8.3',
    level: 'defined',
    quote: 'provides the current entity tag for the selected',
    title: 'A PATCH changes the entity tag of a user',
    needs: ['etag', 'patch', 'check:concurrency.stable-tag', 'check:patch-replace.attribute'],
    advice: 'Change the version in each statement that writes, and in PATCH as in PUT.',
    run: async (server) => {
      const { text } = server.words()
      const { path } = await server.create('User')
      const before = await tagOf(server, path)
      const value = server.fit(text, 'Ada Patched')
      const user = await modifyResource(server, path, { op: 'replace', path: text, value })
      if (memberAt(user, namesOf(text)) !== value)
        skip(`The server does not store ${text} as it was sent.`)
      const after = await tagOf(server, path)
      expectThat(after !== before, 'another entity tag after a PATCH', after)
    },
  },
  {
    id: 'concurrency.any-version',
    section: 'RFC 9110 §13.1.1',
    level: 'MUST',
    quote: 'the origin server MUST evaluate the If-Match condition',
    title: 'A PUT with If-Match: * is executed for a user that exists',
    needs: NEEDS,
    advice: 'Regard an asterisk as the version of every resource that exists.',
    run: async (server) => {
      const { path, sent } = await server.create('User')
      expectStatus(await server.put(path, sent, { headers: { 'If-Match': '*' } }), 200)
    },
  },
  {
    id: 'concurrency.not-modified',
    section: 'RFC 9110 §13.1.2',
    level: 'MUST',
    quote: 'the origin server MUST respond with either a)',
    title: 'A GET with If-None-Match of the current version answers 304 without a body',
    needs: NEEDS,
    advice: 'Compare If-None-Match with the current entity tag before the body is written.',
    run: async (server) => {
      const { path } = await server.create('User')
      const headers = { 'If-None-Match': await tagOf(server, path) }
      const response = await server.get(path, { headers })
      expectStatus(response, 304)
      expectEqual(response.text, '', 'the body of the response')
    },
  },
  {
    id: 'concurrency.modified',
    section: 'RFC 7644 §3.14',
    level: 'defined',
    quote: 'only if the resource has been modified',
    title: 'A GET with If-None-Match of an older version answers 200 with the user',
    needs: NEEDS,
    advice: 'Change the entity tag whenever an attribute changes.',
    run: async (server) => {
      const { path, stale, text, changed } = await createChanged(server)
      const response = await server.get(path, { headers: { 'If-None-Match': stale } })
      expectStatus(response, 200)
      expectMember(response, text, changed)
    },
  },
]

/** A user changed after its first version. */
interface Changed extends Created {
  /** The first version's entity tag. */
  readonly stale: string
  /** The changed attribute's path. */
  readonly text: string
  readonly changed: string
}

async function createChanged(server: Server): Promise<Changed> {
  const { text } = server.words()
  const created = await server.create('User')
  const { path, sent } = created
  const stale = await tagOf(server, path)
  const changed = server.fit(text, 'Changed')
  const { status } = await server.put(path, withAt(sent, { [text]: changed }))
  if (status !== 200) block(`The user could not be changed: ${status}.`)
  const current = await tagOf(server, path)
  expectThat(current !== stale, 'another entity tag after a change', current)
  return { ...created, stale, text, changed }
}

async function tagOf({ get }: Server, path: string): Promise<string> {
  const { headers } = await get(path)
  return headers.get('ETag') ?? skip('A response does not have an ETag.')
}
