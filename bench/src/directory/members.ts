import { membersIn } from '../../../apps/directory/src/commands/seed/fill.ts'
import { groupOf, personId } from '../../../apps/directory/src/commands/seed/people.ts'
import { compare } from '../compare.ts'
import { SEED } from './seeded.ts'
import { ask, type Setting } from './setting.ts'

/** Times adding and removing a member, in the largest group and in a group with ten members. */
export async function members(setting: Setting): Promise<void> {
  const { what, users } = setting
  const size = membersIn(0, users)
  const large = groupOf(0, SEED).id
  const small = await groupOfTen(setting)
  // The last user is not in the first group, which contains the first users.
  const members = Array.from({ length: 1_000 }, (_, at) =>
    personId(users - 1 - (at % (users / 2)), SEED),
  )
  let turn = 0
  const comeAndGo = (id: string) => async () => {
    const value = members[turn++ % members.length]
    for (const operation of [
      { op: 'add', path: 'members', value: [{ value }] },
      { op: 'remove', path: `members[value eq "${value}"]` },
    ]) {
      await ask(setting, 'PATCH', `/Groups/${id}?attributes=displayName`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [operation],
      })
    }
  }
  await compare(
    `One member added and removed again, two requests in process, ${what}`,
    [
      { name: `a group of ${size}`, run: comeAndGo(large) },
      { name: 'a group of ten', run: comeAndGo(small) },
    ],
    { budgets: [{ against: 'a group of ten', atMost: 1.5 }] },
  )
  await ask(setting, 'DELETE', `/Groups/${small}`)
}

async function groupOfTen(setting: Setting): Promise<string> {
  const members = Array.from({ length: 10 }, (_, number) => ({ value: personId(number, SEED) }))
  const { id } = await ask(setting, 'POST', '/Groups', { displayName: 'ten', members })
  return String(id)
}
