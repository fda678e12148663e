import { compareResources } from '@plumbline/scim'
import { type Field, isChangeable, targetsOf } from '../../model/fields.ts'
import { kindOf } from '../../model/generate.ts'
import { type AttributeType, isReadable } from '../../model/types.ts'
import { skip } from '../../toolkit/finding.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf } from '../client.ts'
import { expectCreated, expectStatus, mismatch } from '../expectations.ts'
import type { Body, Served, World } from '../world.ts'
import { changed, query, unfolded } from './values.ts'

/** Sorted lists. The expected order is that of `compareResources`. */
export const SORT_CHECKS: readonly StoreCheck[] = [
  sorts(
    'strings without regard to letter case',
    'order by the folded column: lower(user_name), or a column that contains the folded value, in a binary collation.',
    ({ attribute }) => unfolded(attribute),
  ),
  sorts(
    'strings with regard to letter case',
    'order by the column in a binary collation.',
    ({ attribute: { type, caseExact } }) =>
      (type === 'string' || type === 'reference') && caseExact === true,
  ),
  sorts(
    'numbers',
    'order by a column with a type of numbers, not by text.',
    typeIs('integer', 'decimal'),
  ),
  sorts(
    'instants',
    'order by a column that contains instants, not text with offsets.',
    typeIs('dateTime'),
  ),
  sorts('booleans', 'order false before true.', typeIs('boolean')),
  sortsByPrimary(),
]

function typeIs(...types: readonly AttributeType[]): (field: Field) => boolean {
  return ({ attribute }) => types.includes(attribute.type)
}

/** The check that a list is sorted by the primary value, where it is not the first. */
function sortsByPrimary(): StoreCheck {
  return {
    name: 'sort: orders by the primary value of a list',
    section: 'RFC 7644 §3.4.2.3',
    advice: 'order by the value that is primary, and by the first only if none is.',
    async run(world) {
      const lists = world.types.flatMap((type) =>
        primaryLists(type).map((field) => ({ type, field })),
      )
      let compared = 0
      for (const [nth, { type, field }] of some(lists, 'no list has a primary value').entries()) {
        const resources: Body[] = []
        for (const [at, words] of PAIRS.entries()) {
          const body = changed(
            await type.sample('minimal', 1 + 10 * nth + at),
            field,
            primarySecond(field, words),
          )
          const answer = await world.send('POST', type.endpoint, body)
          // A store may have a place for one value only.
          if (answer.status === 400) break
          resources.push(await type.read(idOf(expectCreated(answer).body)))
        }
        if (resources.length < PAIRS.length) continue
        compared += 1
        for (const order of bothDirections(`${field.path}.value`)) {
          await requireOrder(world, type, resources, order)
        }
      }
      if (compared === 0) skip('the store rejects lists with two values')
    },
  }
}

function primaryLists({ fields }: Served): readonly Field[] {
  return fields.filter(
    ({ parent, attribute: list }) =>
      parent === null &&
      list.multiValued === true &&
      isChangeable(list) &&
      isReadable(list) &&
      targetsOf(list).length === 0 &&
      ['value', 'type', 'primary'].every((name) =>
        list.subAttributes?.some((part) => part.name === name && isChangeable(part)),
      ) &&
      list.subAttributes?.some((part) => part.name === 'value' && part.type === 'string'),
  )
}

function primarySecond({ attribute }: Field, words: readonly string[]): readonly object[] {
  const type = attribute.subAttributes?.find(({ name }) => name === 'type') ?? attribute
  return words.map((word, at) => ({
    value: `${word}@example.com`,
    type: kindOf(type, at),
    ...(at === 1 && { primary: true }),
  }))
}

/** The first and the primary value of each resource: by the first, they have the opposite order. */
const PAIRS: readonly (readonly string[])[] = [
  ['c.first', 'a.primary'],
  ['b.first', 'b.primary'],
  ['a.first', 'c.primary'],
]

/** The attributes a list can be sorted by. */
export function sortKeys({ fields }: Served): readonly Field[] {
  return fields.filter(
    ({ parent, attribute }) =>
      attribute.type !== 'complex' &&
      isReadable(attribute) &&
      attribute.name !== 'id' &&
      (parent === null || !parent.multiValued),
  )
}

/** The check that lists are sorted by the attributes that `select` returns true for. */
function sorts(what: string, advice: string, select: (field: Field) => boolean): StoreCheck {
  return {
    name: `sort: orders ${what}, in both directions`,
    section: 'RFC 7644 §3.4.2.3',
    advice: `${advice} Resources without a value come last, and first if descending.`,
    async run(world) {
      const keys = world.types.map((type) => sortKeys(type).filter(select))
      some(keys.flat(), `no attribute has ${what}`)
      for (const [at, type] of world.types.entries()) {
        const names = (keys[at] ?? []).map(({ path }) => path)
        if (names.length === 0) continue
        const resources = await type.fill(9)
        // RFC 7643 §2.1: the names of attributes are not case sensitive.
        const inUpperCase = names.map((name) => bothDirections(name.toUpperCase())[0])
        for (const order of [...names.flatMap(bothDirections), ...inUpperCase]) {
          await requireOrder(world, type, resources, order)
        }
      }
    },
  }
}

function bothDirections(sortBy: string): readonly [Order, Order] {
  return [
    { sortBy, sortOrder: 'ascending' },
    { sortBy, sortOrder: 'descending' },
  ]
}

interface Order {
  readonly sortBy: string
  readonly sortOrder: 'ascending' | 'descending'
}

/** Throws unless the created resources are in the order. Resources that are equal may be in any order. */
async function requireOrder(
  { send }: World,
  type: Served,
  resources: readonly Body[],
  order: Order,
): Promise<void> {
  const answer = await send('GET', type.endpoint + query({ ...order, count: 100 }))
  expectStatus(answer, 200, 'the attribute can be sorted by')
  const byId = new Map(resources.map((resource) => [idOf(resource), resource]))
  const listed = idsOf(answer)
    .map((id) => byId.get(id))
    .filter((resource) => resource !== undefined)
  if (listed.length !== resources.length) mismatch(answer, `${resources.length} resources`)
  const compare = compareResources(order, type.definitions)
  for (const [at, resource] of listed.entries()) {
    const before = listed[at - 1]
    if (before !== undefined && compare(before, resource) > 0) rejectOrder(answer, before, resource)
  }
}

function rejectOrder(answer: Answer, before: Body, after: Body): never {
  const [first, second] = [JSON.stringify(after), JSON.stringify(before)]
  return mismatch(answer, `${first} before ${second}`, 'the opposite order')
}
