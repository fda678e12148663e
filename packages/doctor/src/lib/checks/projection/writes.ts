import type { Check } from '../../check.ts'
import { RULES } from '../../rules.ts'
import { expectAbsent, expectMember, expectStatus } from '../../toolkit/expect.ts'
import { namesOf } from './others.ts'

const ONLY_NAME = { query: { attributes: 'userName' } }

/** Rules for the returned characteristic, and for the responses to writes. */
export const PROJECTION_WRITE_CHECKS: readonly Check[] = [
  {
    id: 'projection.never',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'SHALL NOT be returnable by a service provider',
    title: 'attributes does not return a password',
    needs: ['check:create.password', 'write'],
    advice:
      'Never return an attribute whose returned characteristic is never, even if it is named.',
    run: async ({ create, get, unique }) => {
      const { path } = await create('User', { password: `Pw-1!${unique()}` })
      expectAbsent(await get(path, { query: { attributes: 'password' } }), 'password')
    },
  },
  {
    id: 'projection.create',
    ...RULES.overridden,
    title: 'attributes limits the response to a POST',
    needs: ['check:create.user'],
    advice: 'Apply attributes to every response that has a resource, also to a write.',
    run: async ({ post, type, sample }) => {
      const others = namesOf(type('User'))
      const response = await post(type('User').endpoint, sample('User'), ONLY_NAME)
      expectStatus(response, 201)
      expectMember(response, 'userName')
      for (const name of others) expectAbsent(response, name)
    },
  },
  {
    id: 'projection.replace',
    ...RULES.overridden,
    title: 'attributes limits the response to a PUT',
    needs: ['check:create.user'],
    advice: 'Apply attributes to every response that has a resource, also to a write.',
    run: async ({ create, put, type }) => {
      const others = namesOf(type('User'))
      const { path, sent, id } = await create('User')
      const response = await put(path, { ...sent, id }, ONLY_NAME)
      expectStatus(response, 200)
      expectMember(response, 'userName')
      for (const name of others) expectAbsent(response, name)
    },
  },
]
