import { USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { expectMember, expectStatus } from '../toolkit/expect.ts'
import { CREATE_CONTENT_CHECKS } from './create/content.ts'
import { CREATE_REJECTION_CHECKS } from './create/rejections.ts'

export const CREATE_CHECKS: readonly Check[] = [
  {
    id: 'create.user',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    title: 'A user with a new userName is created: 201 with the resource and an id',
    needs: ['users', 'write'],
    advice: 'Answer POST with 201 and the whole resource, also if an attribute was ignored.',
    affects: {
      entra: 'Provisioning of every new user fails, and the job is quarantined.',
      okta: 'Users that are assigned to the application are not created.',
    },
    run: async ({ type, sample, post }) => {
      const user = sample('User')
      const response = await post(type('User').endpoint, user)
      expectStatus(response, 201)
      expectMember(response, 'id')
      expectMember(response, 'userName', user.userName)
    },
  },
  {
    id: 'create.required',
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    title: 'A user without a userName is rejected',
    needs: ['check:create.user', 'User.userName'],
    advice: 'Answer 400 invalidValue if a required attribute is missing or empty.',
    run: async ({ type, sample, post }) => {
      const response = await post(
        type('User').endpoint,
        sample('User', { schemas: [USER_SCHEMA], userName: undefined }),
      )
      expectStatus(response, 400)
    },
  },
  ...CREATE_CONTENT_CHECKS,
  ...CREATE_REJECTION_CHECKS,
]
