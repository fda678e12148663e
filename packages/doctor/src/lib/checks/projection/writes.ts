import type { Check } from '../../check.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import { RULES } from '../../rules.ts'
import { expectAbsent, expectMember, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { namesOf } from './others.ts'

const ONLY_NAME = { query: { attributes: 'userName' } }

/** Rules for the returned characteristic, and for the responses to writes. */
export const WRITE_PROJECTION_CHECKS: readonly Check[] = [
  {
    id: 'projection.never',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'SHALL NOT be returnable by a service provider',
    title: 'attributes does not return a password',
    needs: ['check:create.user', 'write'],
    advice:
      'Never return an attribute whose returned characteristic is never, even if it is named.',
    run: async ({ post, get, sample, type, types, unique }) => {
      const { endpoint } = type('User')
      const created = await post(endpoint, sample('User', { password: `Pw-1!${unique()}` }))
      const lack = findAttributeReason(types, 'User.password')
      // A server may reject what no schema declares.
      if (created.status === 400 && lack !== null) skip(lack)
      expectStatus(created, 201)
      const path = `${endpoint}/${encodeURIComponent(String(created.body.id))}`
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
