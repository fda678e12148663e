import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseGroup } from './group.ts'
import { parseUser } from './user.ts'

describe('parsing limits the number of values (RFC 7644 Table 9, tooMany)', () => {
  const values = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `v${at}` }))

  it('a user attribute may have 5,000 values, and one more is rejected', () => {
    const most = unwrap(parseUser({ userName: 'b', phoneNumbers: values(5_000) }))
    expect(most.phoneNumbers).toHaveLength(5_000)
    expect(parseUser({ userName: 'b', phoneNumbers: values(5_001) })).toMatchObject({
      error: {
        status: 400,
        scimType: 'tooMany',
        message: 'phoneNumbers has more than 5000 values',
      },
    })
  })

  it("the caller's limit is used", () => {
    const body = { userName: 'b', roles: values(3) }
    expect(parseUser(body, { maxValues: 2 })).toMatchObject({ error: { scimType: 'tooMany' } })
    expect(unwrap(parseUser(body, { maxValues: 3 })).roles).toHaveLength(3)
  })

  it('a group may have any number of members', () => {
    const group = unwrap(parseGroup({ displayName: 'g', members: values(5_001) }))
    expect(group.members).toHaveLength(5_001)
  })
})
