import { type Field, isChangeable, targetsOf } from '../../model/fields.ts'
import { Inapplicable, type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf } from '../client.ts'
import { expectError, expectStatus, mismatch } from '../expectations.ts'
import { pathOf, type Served, type World } from '../world.ts'
import { valuesOf } from './filters.ts'
import { requireSame } from './list.ts'
import { changed, patch, query } from './values.ts'
import { tagOf } from './versions.ts'

/** How many members the large group of the contract has. */
const MANY = 300

/** Groups and their members. */
export const MEMBER_CHECKS: readonly StoreCheck[] = [
  {
    name: 'members: are added, removed and replaced one by one',
    section: 'RFC 7644 §3.5.2',
    advice: 'insert the members in add and delete those in remove, and keep the others.',
    async run(world) {
      for (const membership of memberships(world)) {
        const [a = '', b = '', c = ''] = await membership.type.targets(membership.field, 3)
        const group = await createGroup(membership)
        const { path } = membership.field
        const one = (value: string): object[] => [{ value }]
        await group.change([{ op: 'add', path, value: one(a) }], [a])
        await group.change([{ op: 'add', path, value: [...one(b), ...one(c)] }], [a, b, c])
        await group.change([{ op: 'remove', path: `${path}[value eq "${b}"]` }], [a, c])
        await group.change([{ op: 'remove', path, value: one(a) }], [c])
        const both = [
          { op: 'remove', path: `${path}[value eq "${c}"]` },
          { op: 'add', path, value: one(b) },
        ]
        await group.change(both, [b])
        await group.change([{ op: 'replace', path, value: [...one(a), ...one(c)] }], [a, c])
        await group.change([{ op: 'remove', path }], [])
      }
    },
  },
  {
    name: 'members: of every type are kept, or rejected',
    section: 'RFC 7643 §4.2',
    advice:
      'store members of each type, such as groups in groups. Reject with 400 a value without a place.',
    async run(world) {
      for (const membership of memberships(world)) {
        const { type, field, number } = membership
        const targets = targetsOf(field.attribute)
        for (const [at, target] of world.types
          .filter((one) => targets.includes(one.name))
          .entries()) {
          const { id: member } = await target.create('minimal', 700 + number + 2 * at)
          const sample = await type.sample('varied', 701 + number + 2 * at)
          const body = changed(sample, field, [{ value: member }])
          const answer = await world.send('POST', type.endpoint, body)
          if (expectStatus(answer, [201, 400], 'the group is valid').status === 400) continue
          const read = await type.read(idOf(answer.body))
          const found = valuesOf(read, { ...field, parent: field.attribute, attribute: VALUE })
          requireSame(
            answer,
            [member],
            found.map(String),
            `the ${field.path} of the type ${target.name}`,
          )
        }
      }
    },
  },
  {
    name: 'members: are in a group once, however often they are added',
    section: 'RFC 7644 §3.5.2.1',
    advice: 'ignore a member that exists, such as by a primary key of group and member.',
    async run(world) {
      for (const membership of memberships(world)) {
        const [a = '', b = ''] = await membership.type.targets(membership.field, 2)
        const group = await createGroup(membership)
        const { path } = membership.field
        const add = (value: string): object => ({ op: 'add', path, value: [{ value }] })
        await group.change([add(a)], [a])
        await group.change([add(a)], [a])
        await group.change([add(b), add(a)], [a, b])
      }
    },
  },
  {
    name: 'members: are written together with other attributes of the group',
    section: 'RFC 7644 §3.5.2',
    advice: 'write the resource of the request in changeMembers, and not only the plan.',
    async run(world) {
      for (const membership of memberships(world)) {
        const { type, field, number } = membership
        const [a = ''] = await type.targets(field, 1)
        const group = await createGroup(membership)
        const next = await type.sample('varied', number + 1)
        const other = type.fields.find(
          ({ parent, attribute: { type: of, multiValued, required, ...rest } }) =>
            parent === null && of === 'string' && required && isChangeable({ type: of, ...rest }),
        )
        if (other === undefined) continue
        const [value] = valuesOf(next, other)
        const operations = [
          { op: 'replace', path: other.path, value },
          { op: 'add', path: field.path, value: [{ value: a }] },
        ]
        const answer = await group.change(operations, [a])
        const [after] = valuesOf(await type.read(group.id), other)
        if (after !== value) mismatch(answer, `${other.path} is ${value}`, String(after))
      }
    },
  },
  {
    name: 'members: select the groups that contain them',
    section: 'RFC 7644 §3.4.2.2',
    advice: 'leave filter out of applied if the store cannot filter by members.',
    async run(world) {
      for (const membership of memberships(world)) {
        const { type, field } = membership
        const [a = '', b = ''] = await type.targets(field, 2)
        const [first, second] = [await createGroup(membership), await createGroup(membership, 1)]
        const add = (value: string): object => ({ op: 'add', path: field.path, value: [{ value }] })
        await first.change([add(a)], [a])
        await second.change([add(b)], [b])
        for (const filter of [
          `${field.path}.value eq "${a}"`,
          `${field.path} eq "${a}"`,
          `${field.path}[value eq "${a}"]`,
          `id eq "${first.id}" and ${field.path} eq "${a}"`,
        ]) {
          const list = query({ filter, excludedAttributes: field.path })
          const answer = expectStatus(await world.send('GET', type.endpoint + list), 200)
          requireSame(answer, [first.id], idsOf(answer), 'the group that has the member')
        }
      }
    },
  },
  {
    name: 'members: are all kept in a large group',
    section: 'RFC 7644 §3.5.2',
    advice: 'write members in batches, and do not join their ids in one string or one row.',
    async run(world) {
      for (const membership of memberships(world)) {
        const { type, field } = membership
        const ids = await type.targets(field, MANY)
        const group = await createGroup(membership)
        const { path } = field
        const values = ids.map((value) => ({ value }))
        await group.change([{ op: 'add', path, value: values }], ids)
        const [gone = '', ...left] = ids
        await group.change([{ op: 'remove', path: `${path}[value eq "${gone}"]` }], left)
        await group.change([{ op: 'remove', path, value: values.slice(1, -1) }], left.slice(-1))
      }
    },
  },
  {
    name: 'members: added at the same time are all in the group',
    section: 'RFC 7644 §3.5.2',
    advice:
      'insert only the members of the plan in changeMembers, or lock the group in a read with isForUpdate.',
    async run(world) {
      for (const membership of memberships(world)) {
        const { type, field } = membership
        const ids = await type.targets(field, 4)
        const group = await createGroup(membership)
        const answers = await Promise.all(
          ids.map((value) =>
            world.send(
              'PATCH',
              group.path,
              patch({ op: 'add', path: field.path, value: [{ value }] }),
            ),
          ),
        )
        for (const answer of answers) expectStatus(answer, [200, 204], 'the requests are valid')
        await group.require(ids, answers.at(-1))
      }
    },
  },
  {
    name: 'members: leave their groups when they are deleted',
    section: 'RFC 7644 §3.6',
    advice:
      'delete the memberships with the member, such as by on delete cascade, and change the version of its groups.',
    async run(world) {
      for (const membership of memberships(world)) {
        const { type, field } = membership
        const target = targetOf(world, field)
        const [a = '', b = ''] = await type.targets(field, 2)
        const group = await createGroup(membership)
        const { path } = field
        await group.change([{ op: 'add', path, value: [{ value: a }, { value: b }] }], [a, b])
        const before = await world.send('GET', group.path)
        const deleted = await world.send('DELETE', pathOf(target.endpoint, a))
        expectStatus(deleted, 204, 'the resource exists')
        await group.require([b], deleted)
        const filter = query({ filter: `${path}.value eq "${a}"`, excludedAttributes: path })
        const list = expectStatus(await world.send('GET', type.endpoint + filter), 200)
        requireSame(list, [], idsOf(list), 'no group has the deleted member')
        const after = await world.send('GET', group.path)
        if (tagOf(after) === tagOf(before)) mismatch(after, 'another version than before')
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

/** An attribute with references to other resources that a client may change. */
export interface Membership {
  readonly type: Served
  readonly field: Field
  /** The number of the first generated group, so that those of another attribute have other values. */
  readonly number: number
  readonly send: World['send']
}

/** The attributes with references to other resources, such as the members of a group. */
export function memberships({ types, send }: World): readonly Membership[] {
  const found = types.flatMap((type) =>
    type.fields
      .filter(
        ({ parent, attribute }) =>
          parent === null &&
          attribute.multiValued === true &&
          isChangeable(attribute) &&
          targetsOf(attribute).length > 0,
      )
      .map((field, at) => ({ type, field, number: 1 + 10 * at, send })),
  )
  return some(found, 'no resource type has members')
}

/** The resource type of the members that `targets` creates. */
function targetOf({ types }: World, { attribute }: Field): Served {
  const names = targetsOf(attribute)
  const [found] = types.filter(({ name }) => names.includes(name))
  if (found === undefined) throw new Inapplicable('the type of the members is not served')
  return found
}

interface Group {
  readonly id: string
  readonly path: string
  /** Sends a PATCH and compares the members after it. */
  change(operations: readonly object[], expected: readonly string[]): Promise<Answer>
  /** Throws unless the group has the members. */
  require(expected: readonly string[], answer: Answer | undefined): Promise<void>
}

async function createGroup({ type, field, number, send }: Membership, further = 0): Promise<Group> {
  const { id, path, answer: created } = await type.create('varied', number + further)
  const group: Group = {
    id,
    path,
    async change(operations, expected) {
      const answer = await send('PATCH', path, patch(...operations))
      expectStatus(answer, [200, 204], 'the operations are valid')
      await group.require(expected, answer)
      return answer
    },
    async require(expected, answer = created) {
      const values = valuesOf(await type.read(id), {
        ...field,
        parent: field.attribute,
        attribute: VALUE,
      })
      const [wanted, found] = [[...expected].sort(), values.map(String).sort()]
      const what = `${path} has the ${field.path}`
      if (wanted.length > 10 && wanted.join() !== found.join()) {
        mismatch(answer, `${path} has ${wanted.length} ${field.path}`, `${found.length}`)
      }
      requireSame(answer, wanted, found, what)
    },
  }
  return group
}

const VALUE = { name: 'value', type: 'string' } as const
