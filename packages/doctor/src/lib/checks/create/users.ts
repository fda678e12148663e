import { USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { RULES } from '../../rules.ts'
import { expectMember, expectRejection, expectStatus } from '../../toolkit/expect.ts'

export const CREATE_USER_CHECKS: readonly Check[] = [
  {
    id: 'create.user',
    section: 'RFC 7644 §3.3',
    level: 'MUST',
    quote: 'SHALL be returned with HTTP status code 201',
    title: 'A user with a new userName is created: 201 with the user, or with its Location',
    needs: ['users', 'write'],
    advice:
      'Answer POST with 201 and the whole resource, also if an attribute was ignored. Return the id and the Location.',
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
    id: 'create.body',
    section: 'RFC 7644 §3.3',
    level: 'SHOULD',
    quote: 'The response body SHOULD contain the service',
    title: 'The response to a POST has the new user',
    needs: ['check:create.user'],
    advice: 'Answer with the resource as it is stored: clients read its id from the body.',
    affects: {
      entra: 'Provisioning of every new user fails.',
      okta: 'The id of the user is not found.',
    },
    run: async ({ type, sample, post }) => {
      const response = await post(type('User').endpoint, sample('User'), { isPlain: true })
      expectStatus(response, 201)
      expectMember(response, 'id')
    },
  },
  {
    id: 'create.required',
    ...RULES.userName,
    title: 'A user without a userName is rejected',
    needs: ['check:create.user', 'User.userName'],
    advice: 'Answer 400 invalidValue if a required attribute is missing or empty.',
    run: async ({ type, sample, post }) => {
      const response = await post(
        type('User').endpoint,
        sample('User', { schemas: [USER_SCHEMA], userName: undefined }),
      )
      expectRejection(response)
    },
  },
  {
    id: 'create.required-error',
    ...RULES.statusCodes,
    title: 'The error for a user without a userName has the status 400',
    needs: ['check:create.required'],
    advice: 'Answer 400 invalidValue, and not 500.',
    run: async ({ type, sample, post }) => {
      const user = sample('User', { schemas: [USER_SCHEMA], userName: undefined })
      expectStatus(await post(type('User').endpoint, user), 400)
    },
  },
]
