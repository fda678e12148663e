import { expect } from 'vitest'
import { contentOf } from './feed-consumer.ts'
import type { Body } from './harness.ts'
import type { Source } from './killed-processes.ts'

/** The state of the tenant, in the form in which a consumer keeps it. */
export async function stateOf({ scim }: Source) {
  const read = async (path: string): Promise<readonly Body[]> => {
    const found: Body[] = []
    for (let total = 1; found.length < total; ) {
      const { body } = await scim('GET', `${path}?count=1000&startIndex=${found.length + 1}`)
      total = Number(body.totalResults)
      expect(total === 0 || body.Resources).toBeTruthy()
      found.push(...(body.Resources ?? []))
    }
    return found
  }
  const [users, groups] = [await read('/Users'), await read('/Groups')]
  const copies = [
    ...users.map((user) => [`/Users/${user.id}`, contentOf(user)] as const),
    ...groups.map((group) => [`/Groups/${group.id}`, contentOf(group)] as const),
  ]
  return {
    users: new Map(users.map(({ id, active }) => [String(id), String(active) !== 'false'])),
    groups: new Map(
      groups.map(({ id, members = [] }) => [
        String(id),
        new Set(members.map(({ value }) => String(value))),
      ]),
    ),
    copies: new Map(copies),
  }
}
