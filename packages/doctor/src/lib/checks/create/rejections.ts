import { GROUP_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import { RULES } from '../../rules.ts'
import { expectRejection, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { twoElements } from '../../toolkit/patch.ts'

/** Rules for rejected resources. */
export const CREATE_REJECTION_CHECKS: readonly Check[] = [
  {
    id: 'create.empty-user-name',
    ...RULES.userName,
    title: 'A user with an empty userName is rejected',
    needs: ['check:create.user'],
    advice: 'Answer 400 invalidValue to an empty userName: it is the same as a missing one.',
    run: async ({ type, sample, post }) => {
      expectRejection(await post(type('User').endpoint, sample('User', { userName: '' })))
    },
  },
  {
    id: 'create.wrong-type',
    ...RULES.statusCodes,
    title: 'A user with a value of another data type is rejected',
    needs: ['check:create.user'],
    advice: 'Validate the data type of each attribute, and answer 400 invalidValue.',
    run: async ({ type, sample, post, unique }) => {
      const user = sample('User', { userName: { value: unique() } })
      expectStatus(await post(type('User').endpoint, user), 400)
    },
  },
  {
    id: 'create.wrong-schema',
    ...RULES.statusCodes,
    title: 'A user whose schemas list only the schema of groups is rejected',
    needs: ['check:create.user', 'groups'],
    advice: 'Answer 400 if schemas do not contain the schema of the resource type.',
    run: async ({ type, sample, post }) => {
      const user = sample('User', { schemas: [GROUP_SCHEMA] })
      expectStatus(await post(type('User').endpoint, user), 400)
    },
  },
  {
    id: 'create.two-primary',
    section: 'RFC 7643 §2.4',
    level: 'MUST',
    quote: 'MUST appear no more than once',
    title: 'A user with two primary emails is rejected, or gets one primary email',
    needs: ['check:create.user', 'User.emails.primary', 'User:kinds'],
    advice: 'Answer 400 invalidValue, or keep primary of only one value.',
    run: async (server) => {
      const { type, sample, post, words } = server
      if (words().list.path !== 'emails') skip('The schema of User does not declare emails.type.')
      const emails = twoElements(server).map((one) => ({ ...one, primary: true }))
      const response = await post(type('User').endpoint, sample('User', { emails }))
      expectStatus(response, 201, 400)
      const found = objectsOf(memberAt(response.body, 'emails'))
      const count = found.filter(({ primary }) => primary === true).length
      expectThat(count <= 1, 'at most one primary email', found)
    },
  },
]
