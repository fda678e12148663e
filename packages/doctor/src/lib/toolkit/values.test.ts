import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { describe, expect, it } from 'vitest'
import { withValues } from './values.ts'

const USER = {
  name: 'User',
  endpoint: '/Users',
  schema: USER_DEFINITION.id,
  extensions: [],
  definitions: {
    [USER_DEFINITION.id]: USER_DEFINITION,
    [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  },
}
const SAMPLE = {
  schemas: [USER_DEFINITION.id],
  userName: 'run-1@example.com',
  emails: [{ value: 'run-1@example.com', type: 'work' }],
}

describe('a value of the operator', () => {
  it('keeps the unique text where it has an ellipsis', () => {
    expect(withValues(SAMPLE, USER, { userName: '…@verified.example' })).toStrictEqual({
      ...SAMPLE,
      userName: 'run-1@verified.example',
    })
  })

  it('is set in each value of a list', () => {
    const { emails } = withValues(SAMPLE, USER, { 'emails.value': '…@verified.example' })
    expect(emails).toStrictEqual([{ value: 'run-1@verified.example', type: 'work' }])
  })

  it('is set in an extension, whose URN becomes one of the schemas', () => {
    const path = `${ENTERPRISE_USER_DEFINITION.id}:department`
    expect(withValues(SAMPLE, USER, { [path]: 'Sales' })).toStrictEqual({
      ...SAMPLE,
      schemas: [USER_DEFINITION.id, ENTERPRISE_USER_DEFINITION.id],
      [ENTERPRISE_USER_DEFINITION.id]: { department: 'Sales' },
    })
  })

  it('is a boolean, or ignored if the type does not declare the attribute', () => {
    expect(withValues(SAMPLE, USER, { active: 'false', shoeSize: '43' })).toStrictEqual({
      ...SAMPLE,
      active: false,
    })
  })
})
