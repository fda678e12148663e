import { isFailure, unwrap } from '@plumbline/result'
import { USER_SCHEMA } from '../../constants.ts'
import { compileFilter } from '../../filter/compile.ts'
import { parseFilter } from '../../filter/parse.ts'
import { compareResources } from '../../resource/sort.ts'
import { idOf } from '../client.ts'
import { expectStatus } from '../expectations.ts'
import { declared } from '../runs/declared.ts'
import type { Body, Served, World } from '../world.ts'
import type { FilterRow } from './filter-row.ts'
import { FILTER_ROWS } from './filter-rows.ts'
import { type PersonName, peopleOf } from './people.ts'
import { SORT_ROWS, type SortRow } from './sort-rows.ts'

/** The created people, as the store returns them. */
export type People = Readonly<Record<PersonName, Body>>

/**
 * Creates the people with the attributes that the type declares. Null for a type without the core schema of users,
 * and for a store that rejects one of them: it may have a place for only one value of `emails`, where ada has two.
 * That a store accepts valid resources is a question of other checks.
 */
export async function createPeople(world: World, type: Served): Promise<People | null> {
  if (Object.keys(type.definitions)[0] !== USER_SCHEMA) return null
  const values = peopleOf(TAG)
  const create = async (name: PersonName, number: number): Promise<Body | null> => {
    const required = await type.sample('minimal', number)
    const known = declared(ofKnownKinds(values[name], type), type.definitions)
    const extensions = Object.keys(known).filter((one) => Object.hasOwn(type.definitions, one))
    const schemas = [...new Set([USER_SCHEMA, ...Object(required).schemas, ...extensions])]
    const about = { resourceType: type.name, number }
    const body = world.adapt({ ...required, ...known, schemas }, about)
    const answer = await world.send('POST', type.endpoint, body)
    if (answer.status === 400) return null
    expectStatus(answer, 201, 'the resource is valid')
    return type.read(idOf(answer.body))
  }
  const ada = await create('ada', 931)
  const bob = await create('bob', 932)
  const eve = await create('eve', 933)
  return ada && bob && eve && { ada, bob, eve }
}

/** The person without the values of a `type` that the definitions do not have, for which a table may not have a column. */
function ofKnownKinds(person: Body, { fields }: Served): Body {
  const entries = Object.entries(person).flatMap(([name, value]): [string, unknown][] => {
    const list = fields.find(({ path }) => path === name)?.attribute
    const type = list?.subAttributes?.find((part) => part.name === 'type')
    const kinds = type?.canonicalValues ?? []
    if (!Array.isArray(value) || kinds.length === 0) return [[name, value]]
    const kept = value.filter((one) => kinds.includes(Object(one).type))
    return kept.length === 0 ? [] : [[name, kept]]
  })
  return Object.fromEntries(entries)
}

/** The filters of the rows that hold for the people as the store returns them. */
export function rowFilters(
  { definitions }: Served,
  people: People,
  about: FilterRow['about'] | null,
): readonly string[] {
  return Object.values(FILTER_ROWS).flatMap((row) => {
    if (row.about !== about) return []
    const filter = row.filter(TAG)
    const matches = compileFilter(unwrap(parseFilter(filter)), { definitions })
    // Other definitions, or `adapt`, can change what a row compares.
    if (isFailure(matches)) return []
    const selected = NAMES.filter((name) => matches.data(people[name]))
    return selected.join() === row.selects.join() ? [filter] : []
  })
}

/** The rows of orders that hold for the people as the store returns them. */
export function rowOrders({ definitions }: Served, people: People): readonly SortRow[] {
  return Object.values(SORT_ROWS).filter((row) => {
    const compare = compareResources(row, definitions)
    return row.order.every((name, at) => {
      const before = row.order[at - 1]
      return before === undefined || compare(people[before], people[name]) < 0
    })
  })
}

const TAG = 'row'
const NAMES = ['ada', 'bob', 'eve'] as const
