import type { Check } from '../../check.ts'
import { withAt } from '../../json.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import { INTEROP_CLIENTS } from '../../profiles.ts'
import {
  expectError,
  expectList,
  expectMember,
  expectStatus,
  expectThat,
} from '../../toolkit/expect.ts'
import { expectRejected } from './unknown.ts'

const RULE = { level: 'MUST', profiles: INTEROP_CLIENTS } as const

/** Interoperability profile rules for answers the standard leaves open. */
export const INTEROP_ANSWER_CHECKS: readonly Check[] = [
  {
    ...RULE,
    id: 'interop.count-above-maximum',
    section: 'interop-01 §6.4',
    title: 'A count above the maximum is answered with fewer resources, not with an error',
    needs: ['users', 'check:create.user'],
    advice: 'Limit count to the largest page of the server, and answer 200.',
    run: async ({ people, get, type }) => {
      await people()
      for (const count of [1_001, 5_000, 1_000_000]) {
        const response = await get(type('User').endpoint, { query: { count } })
        expectStatus(response, 200)
        const { length } = expectList(response)
        expectThat(length > 0 && length <= count, `1 to ${count} resources`, length)
      }
    },
  },
  {
    ...RULE,
    id: 'interop.path-of-add',
    section: 'interop-01 §6.5.1.1',
    title: 'An add without a path is rejected with invalidSyntax, alone and for groups, too',
    needs: ['patch', 'User:text', 'check:patch-replace.attribute'],
    advice: 'Answer 400 invalidSyntax to each operation without a path, before any is applied.',
    run: async (server) => {
      const { text } = server.words()
      const value = withAt({}, { [text]: server.fit(text, 'Grace Sample') })
      await expectRejected(server, { op: 'add', value })
      const { path } = await server.create('User')
      expectError(await server.modify(path, { op: 'add', value }), 400, 'invalidSyntax')
      if (findAttributeReason(server.types, 'Group.members') !== null) return
      const { ada } = await server.people()
      const group = await server.create('Group')
      const members = { op: 'add', value: { members: [{ value: ada.id }] } }
      expectError(await server.modify(group.path, members), 400, 'invalidSyntax')
    },
  },
  {
    ...RULE,
    id: 'interop.unique-conflict',
    section: 'interop-01 §6.9.1',
    title: 'A POST or PATCH of a userName that is taken is answered by 409 uniqueness',
    needs: ['patch', 'check:uniqueness.create'],
    advice: 'Answer 409 with scimType uniqueness to PATCH as to POST, and not 400.',
    run: async ({ people, create, post, modify, sample, type }) => {
      const { userName } = (await people()).ada.sent
      const { path } = await create('User')
      for (const response of [
        await post(type('User').endpoint, sample('User', { userName })),
        await modify(path, { op: 'replace', path: 'userName', value: userName }),
      ]) {
        expectError(response, 409, 'uniqueness')
        expectMember(response, 'status', '409')
      }
    },
  },
]
