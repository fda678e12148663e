import type { Check } from '../../check.ts'
import { memberAt, objectsOf, withAt } from '../../json.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectMember, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'

const URGENT = { isUrgent: true }

/** Rules for requests sent at the same time. */
export const CONCURRENCY_RACE_CHECKS: readonly Check[] = [
  {
    id: 'concurrency.racing-creates',
    ...RULES.uniqueUserName,
    title: 'Of four POST requests with one userName at the same time, exactly one creates a user',
    needs: ['check:uniqueness.create'],
    advice: 'Use a unique index: a search before the insert does not exclude a second insert.',
    affects: { entra: 'The same person gets several accounts if a job is retried.' },
    run: async ({ post, sample, type }) => {
      const user = sample('User')
      const requests = [1, 2, 3, 4].map(() => post(type('User').endpoint, user, URGENT))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      const created = statuses.filter((status) => status === 201)
      expectThat(created.length === 1, 'one response with 201', statuses)
    },
  },
  {
    id: 'concurrency.racing-replaces',
    ...RULES.ifMatch,
    title: 'Of three PUT requests with the same If-Match at the same time, one is executed',
    needs: ['check:concurrency.stale-put', 'check:concurrency.current-put'],
    advice: 'Lock the row before its version is compared, or compare it in the update itself.',
    run: async ({ create, get, put, words, fit }) => {
      const { text } = words()
      const { path, sent } = await create('User')
      const tag = (await get(path)).headers.get('ETag') ?? skip('The user does not have an ETag.')
      const options = { ...URGENT, headers: { 'If-Match': tag } }
      const values = ['First', 'Second', 'Third'].map((value) => fit(text, value))
      const responses = await Promise.all(
        values.map((value) => put(path, withAt(sent, { [text]: value }), options)),
      )
      const executed = values.filter((_, at) => responses[at]?.status === 200)
      const statuses = responses.map(({ status }) => status)
      expectThat(executed.length === 1, 'one response with 200', statuses)
      expectMember(await get(path), text, executed[0])
    },
  },
  {
    id: 'concurrency.racing-patches',
    section: 'RFC 7644 §3.5.2',
    level: 'practice',
    title: 'Two PATCH requests of different attributes at the same time are both stored',
    needs: ['patch', 'check:patch-replace.attribute', 'User:optional'],
    advice: 'Lock the row while a PATCH reads and writes it, or repeat the PATCH after a conflict.',
    affects: { entra: 'Changes of a user are lost although both were reported as done.' },
    run: async ({ create, get, patch, words, fit, set }) => {
      const { text, optional } = words()
      const { path } = await create('User', set({ [optional]: 'Guest' }))
      const values = { [text]: fit(text, 'Countess'), [optional]: 'Employee' }
      const responses = await Promise.all(
        Object.entries(values).map(([name, value]) =>
          patch(path, patchOf({ op: 'replace', path: name, value }), URGENT),
        ),
      )
      if (responses.some(({ status }) => status >= 300)) skip('The server rejected a PATCH.')
      const response = await get(path)
      for (const [name, value] of Object.entries(values)) expectMember(response, name, value)
    },
  },
  {
    id: 'concurrency.racing-members',
    section: 'RFC 7644 §3.5.2.1',
    level: 'practice',
    title: 'Members that are added to a group at the same time are all stored',
    needs: ['patch', 'groups', 'check:create.user', 'check:groups.add-member'],
    advice: 'Insert members as rows of their own, or lock the group while it is changed.',
    affects: { entra: 'Members are missing in a group, and are not added again.' },
    run: async ({ create, people, get, patch }) => {
      const ids = Object.values(await people()).map(({ id }) => id)
      const { path } = await create('Group')
      const responses = await Promise.all(
        ids.map((value) =>
          patch(path, patchOf({ op: 'add', path: 'members', value: [{ value }] }), URGENT),
        ),
      )
      if (responses.some(({ status }) => status >= 300)) skip('The server rejected a PATCH.')
      const members = objectsOf(memberAt((await get(path)).body, 'members'))
      const found = members.map(({ value }) => String(value)).sort()
      expectEqual(found, [...ids].sort(), 'the members of the group')
    },
  },
]

function patchOf(operation: object): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  }
}
