import type { Check } from '../check.ts'
import { withAt } from '../json.ts'
import { findAttribute } from '../model/types.ts'
import { RULES } from '../rules.ts'
import {
  expectError,
  expectMember,
  expectRejection,
  expectStatus,
  expectTaken,
} from '../toolkit/expect.ts'
import { skip } from '../toolkit/finding.ts'
import type { Server } from '../toolkit/server.ts'

export const UNIQUENESS_CHECKS: readonly Check[] = [
  {
    id: 'uniqueness.create',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    quote: 'MUST return HTTP status code 409 (Conflict) with',
    title: 'A second user with the same userName is rejected with 409',
    needs: ['check:create.user'],
    advice: 'Answer 409 if the userName is taken. Use a unique index of the database.',
    affects: {
      entra: 'The same person gets several accounts.',
      okta: 'The import stops, because a userName has several users.',
    },
    run: async ({ people, post, sample, type }) => {
      const { userName } = (await people()).ada.sent
      expectStatus(await post(type('User').endpoint, sample('User', { userName })), 409)
    },
  },
  {
    id: 'uniqueness.scim-type',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    quote: 'MUST return HTTP status code 409 (Conflict) with',
    title: 'The 409 for a userName that is taken has the scimType uniqueness',
    needs: ['check:uniqueness.create'],
    advice: 'Set scimType to uniqueness in the error document.',
    run: async ({ people, post, sample, type }) => {
      const { userName } = (await people()).bob.sent
      const response = await post(type('User').endpoint, sample('User', { userName }))
      expectError(response, 409, 'uniqueness')
    },
  },
  {
    id: 'uniqueness.letter-case',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'This attribute is REQUIRED and is case insensitive.',
    title: 'A userName that differs only in letter case is taken',
    needs: ['check:uniqueness.create'],
    advice: 'Compare userName without regard to letter case: index a folded copy of it.',
    affects: { entra: 'A user whose address changes in letter case gets a second account.' },
    run: async (server) => {
      requireFolding(server)
      const { sent } = await server.create('User')
      const userName = String(sent.userName).toUpperCase()
      const user = server.sample('User', { userName })
      expectStatus(await server.post(server.type('User').endpoint, user), 409)
    },
  },
  {
    id: 'uniqueness.replace',
    ...RULES.uniqueUserName,
    title: 'A PUT that gives a user the userName of another user is rejected',
    needs: ['User.userName', 'check:uniqueness.create'],
    advice: 'Check the uniqueness of userName in PUT as well, and change nothing.',
    run: async ({ people, create, put, get }) => {
      const { userName } = (await people()).ada.sent
      const { path, sent } = await create('User')
      expectRejection(await put(path, { ...sent, userName }))
      expectMember(await get(path), 'userName', sent.userName)
    },
  },
  {
    id: 'uniqueness.replace-letter-case',
    ...RULES.uniqueUserName,
    title: 'A PUT with the userName of another user in other letter case is rejected',
    needs: ['check:uniqueness.replace'],
    advice: 'Use the same comparison of userName in POST, PUT and PATCH.',
    run: async (server) => {
      requireFolding(server)
      const other = String((await server.people()).ada.sent.userName)
      const { path, sent } = await server.create('User')
      expectRejection(await server.put(path, { ...sent, userName: other.toUpperCase() }))
    },
  },
  {
    id: 'uniqueness.patch',
    ...RULES.uniqueUserName,
    title: 'A PATCH that gives a user the userName of another user is rejected',
    needs: ['patch', 'User.userName', 'check:uniqueness.create'],
    advice: 'Check the uniqueness of userName in PATCH as well, and change nothing.',
    run: async ({ people, create, modify, get }) => {
      const value = (await people()).ada.sent.userName
      const { path, sent } = await create('User')
      expectRejection(await modify(path, { op: 'replace', path: 'userName', value }))
      expectMember(await get(path), 'userName', sent.userName)
    },
  },
  {
    id: 'uniqueness.patch-letter-case',
    ...RULES.uniqueUserName,
    title: 'A PATCH with the userName of another user in other letter case is rejected',
    needs: ['check:uniqueness.patch'],
    advice: 'Use the same comparison of userName in POST, PUT and PATCH.',
    run: async (server) => {
      requireFolding(server)
      const value = String((await server.people()).ada.sent.userName).toUpperCase()
      const { path } = await server.create('User')
      expectRejection(await server.modify(path, { op: 'replace', path: 'userName', value }))
    },
  },
  {
    id: 'uniqueness.change-error',
    ...RULES.statusCodes,
    title: 'A PUT or PATCH with the userName of another user answers 409, or 400 uniqueness',
    needs: ['check:uniqueness.replace', 'check:uniqueness.patch'],
    advice: 'Answer 409 with scimType uniqueness, as to a POST, and not 500.',
    run: async ({ people, create, put, modify }) => {
      const { userName } = (await people()).ada.sent
      const { path, sent } = await create('User')
      expectTaken(await put(path, { ...sent, userName }))
      expectTaken(await modify(path, { op: 'replace', path: 'userName', value: userName }))
    },
  },
  {
    id: 'uniqueness.own',
    ...RULES.putReplaces,
    title: 'A PUT may repeat the userName of the user itself, and change its letter case',
    needs: ['check:create.user'],
    advice: 'Exclude the resource itself when its userName is looked up.',
    affects: { okta: 'Every change of a profile fails, because PUT repeats the userName.' },
    run: async ({ create, put }) => {
      const { path, sent } = await create('User')
      expectStatus(await put(path, sent), 200)
      const userName = String(sent.userName).toUpperCase()
      expectStatus(await put(path, { ...sent, userName }), 200)
    },
  },
  {
    id: 'uniqueness.shared-values',
    section: 'RFC 7643 §7',
    level: 'defined',
    quote: 'The values are not intended to be unique',
    title: 'Two users may have the same value of an attribute that is not declared as unique',
    needs: ['check:create.user', 'User:optional'],
    advice: 'Declare the attribute as unique in the schema, or accept the same value twice.',
    run: async ({ create, type, sample, post, words, set, unique }) => {
      const values = { [words().optional]: unique() }
      await create('User', set(values))
      expectStatus(await post(type('User').endpoint, withAt(sample('User'), values)), 201)
    },
  },
  {
    id: 'uniqueness.shared-email',
    section: 'RFC 7643 §4.1.2',
    level: 'practice',
    title:
      'A second user with the same address is created, or rejected with the scimType uniqueness',
    needs: ['check:create.user', 'User.emails.value'],
    advice: 'Accept the address, or answer 409 uniqueness as for a userName that is taken.',
    affects: { entra: 'The conflict is not recognized, and the creation is repeated without end.' },
    run: async ({ create, type, sample, post }) => {
      const { emails } = (await create('User')).sent
      const response = await post(type('User').endpoint, sample('User', { emails }))
      // A server may also require the address to equal the userName.
      if (response.status === 400) skip('The server rejects the address for another reason.')
      if (response.status !== 201) expectError(response, 409, 'uniqueness')
    },
  },
  {
    id: 'uniqueness.external-id',
    section: 'RFC 7643 §3.1',
    level: 'practice',
    title: 'A user and a group may have the same externalId',
    needs: ['check:create.user', 'groups'],
    advice: 'Compare externalId only with resources of the same type.',
    run: async ({ create, type, sample, post }) => {
      const { externalId } = (await create('User')).sent
      expectStatus(await post(type('Group').endpoint, sample('Group', { externalId })), 201)
    },
  },
]

/** A server may declare userName as caseExact. */
function requireFolding({ type }: Server): void {
  const { caseExact = false } = findAttribute(type('User'), 'userName') ?? {}
  if (caseExact) skip('userName is declared as caseExact.')
}
