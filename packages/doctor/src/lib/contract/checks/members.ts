import { type Field, isChangeable, targetsOf, valuesOf } from '../../model/fields.ts'
import { type StoreCheck, some } from '../check.ts'
import { expectError, expectStatus, mismatch } from '../expectations.ts'
import type { Served, World } from '../world.ts'
import { patch } from './values.ts'

/** The members of groups, as far as `examine` does not check them. */
export const MEMBER_CHECKS: readonly StoreCheck[] = [
  {
    name: 'members: are written together with other attributes of the group',
    section: 'RFC 7644 §3.5.2',
    advice: 'write the resource of the request in changeMembers, and not only the plan.',
    async run(world) {
      for (const { type, field, number } of memberships(world)) {
        const [member = ''] = await type.targets(field, 1)
        const group = await type.create('varied', number)
        const next = await type.sample('varied', number + 1)
        const other = type.fields.find(
          ({ parent, attribute: { type: of, multiValued, required, ...rest } }) =>
            parent === null && of === 'string' && required && isChangeable({ type: of, ...rest }),
        )
        if (other === undefined) continue
        const [value] = valuesOf(next, other)
        const operations = patch(
          { op: 'replace', path: other.path, value },
          { op: 'add', path: field.path, value: [{ value: member }] },
        )
        const answer = await world.send('PATCH', group.path, operations)
        expectStatus(answer, [200, 204], 'the operations are valid')
        const after = await type.read(group.id)
        const members = { ...field, parent: field.attribute, attribute: VALUE }
        const what = `${group.path} has the ${field.path}`
        const found = valuesOf(after, members)
        if (found.join() !== member) mismatch(answer, `${what} ${member}`, found.join())
        const [written] = valuesOf(after, other)
        if (written !== value) mismatch(answer, `${other.path} is ${value}`, String(written))
      }
    },
  },
  {
    name: 'members: of a group that does not exist are not found',
    section: 'RFC 7644 §3.5.2',
    advice: 'return false from changeMembers and null from read if no row has the id.',
    async run(world) {
      for (const { type, field, number } of memberships(world)) {
        const { path } = await type.create('varied', number)
        const [a = ''] = await type.targets(field, 1)
        expectStatus(await world.send('DELETE', path), 204)
        const body = patch({ op: 'add', path: field.path, value: [{ value: a }] })
        expectError(await world.send('PATCH', path, body), 404, null, 'the group was deleted')
      }
    },
  },
]

/** An attribute with references to other resources a client may change. */
export interface Membership {
  readonly type: Served
  readonly field: Field
  /** The first generated group's number, so that other attributes get other values. */
  readonly number: number
}

/** The attributes with references to other resources, such as a group's members. */
export function memberships({ types }: World): readonly Membership[] {
  const found = types.flatMap((type) =>
    type.fields
      .filter(
        ({ parent, attribute }) =>
          parent === null &&
          attribute.multiValued === true &&
          isChangeable(attribute) &&
          targetsOf(attribute).length > 0,
      )
      .map((field, at) => ({ type, field, number: 1 + 10 * at })),
  )
  return some(found, 'no resource type has members')
}

const VALUE = { name: 'value', type: 'string' } as const
