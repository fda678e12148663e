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

describe("an operator's value", () => {
  it('a value keeps the unique text where it has an ellipsis', () => {
    expect(withValues(SAMPLE, USER, { userName: '…@verified.example' })).toStrictEqual({
      ...SAMPLE,
      userName: 'run-1@verified.example',
    })
  })

  it('a value is set in each list element', () => {
    const { emails } = withValues(SAMPLE, USER, { 'emails.value': '…@verified.example' })
    expect(emails).toStrictEqual([{ value: 'run-1@verified.example', type: 'work' }])
  })

  it('a value is set in an extension, and the URN is added to schemas', () => {
    const path = `${ENTERPRISE_USER_DEFINITION.id}:department`
    expect(withValues(SAMPLE, USER, { [path]: 'Sales' })).toStrictEqual({
      ...SAMPLE,
      schemas: [USER_DEFINITION.id, ENTERPRISE_USER_DEFINITION.id],
      [ENTERPRISE_USER_DEFINITION.id]: { department: 'Sales' },
    })
  })

  it('a value is a boolean, or ignored if the type does not declare the attribute', () => {
    expect(withValues(SAMPLE, USER, { active: 'false', shoeSize: '43' })).toStrictEqual({
      ...SAMPLE,
      active: false,
    })
  })
})
