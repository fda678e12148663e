import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { GROUP_SCHEMA } from '../constants.ts'
import { groupResource, parseGroup } from './group.ts'

it('a group with 100,000 members is read and written', () => {
  const members = Array.from({ length: 100_000 }, (_, at) => ({ value: `u${at}` }))
  const body = { schemas: [GROUP_SCHEMA], displayName: 'All', members }
  expect(groupResource(unwrap(parseGroup(body)))).toStrictEqual(body)
})
