import { compareResources } from '../../resource/sort.ts'
import type { AttributeType } from '../../schema/types.ts'
import { type Field, isReadable } from '../attributes.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf } from '../client.ts'
import { expectStatus, mismatch } from '../expectations.ts'
import { createPeople, rowOrders } from '../rows/people-of-type.ts'
import type { SortRow } from '../rows/sort-rows.ts'
import type { Body, Served, World } from '../world.ts'
import { query, unfolded } from './values.ts'

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
]

function typeIs(...types: readonly AttributeType[]): (field: Field) => boolean {
  return ({ attribute }) => types.includes(attribute.type)
}

/** The attributes that a list can be sorted by. */
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
        const generated = await type.fill(9)
        const people = await createPeople(world, type)
        const resources = [...generated, ...Object.values(people ?? {})]
        const rows = people === null ? [] : rowOrders(type, people)
        const known = new Set(names.map((name) => name.toLowerCase()))
        for (const order of [
          ...names.flatMap(bothDirections),
          ...rows.filter(({ sortBy }) => known.has(sortBy.toLowerCase())),
        ]) {
          await requireOrder(world, type, resources, order)
        }
      }
    },
  }
}

function bothDirections(sortBy: string): readonly Order[] {
  return [
    { sortBy, sortOrder: 'ascending' },
    { sortBy, sortOrder: 'descending' },
  ]
}

type Order = Pick<SortRow, 'sortBy' | 'sortOrder'>

/** Throws unless the created resources are in the order. Resources that are equal may be in any order. */
async function requireOrder(
  { send }: World,
  type: Served,
  resources: readonly Body[],
  { sortBy, sortOrder }: Order,
): Promise<void> {
  const order = { sortBy, ...(sortOrder && { sortOrder }) }
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
