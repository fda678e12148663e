import { expect, it } from 'vitest'
import { sizeOfMembers } from '../src/store/groups/members.ts'

it('the size of members is the length of their references and names, and 100 for the rest of each', () => {
  expect(sizeOfMembers([])).toBe(0)
  expect(sizeOfMembers([{ $ref: 'abc' }])).toBe(103)
  expect(sizeOfMembers([{ $ref: 'abc', display: 'de' }, { $ref: '' }])).toBe(205)
})
