import { ScimError, USER_SCHEMA } from '@plumbline/scim'
import {
  type Discovery,
  ENTERPRISE_USER_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { FILTER_ROWS, SORT_ROWS } from '@plumbline/scim/testing'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../../src/lib/contract/open-world.ts'
import {
  createPeople,
  type People,
  rowFilters,
  rowOrders,
} from '../../src/lib/contract/rows/people-of-type.ts'
import type { Adapt, Body, Served } from '../../src/lib/contract/world.ts'
import { createStore, type Store } from './memory.ts'

const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const whole = { [USER_SCHEMA]: USER_DEFINITION, [ENTERPRISE]: ENTERPRISE_USER_DEFINITION }

describe('createPeople', () => {
  it('RFC 7643 §3 lists the extensions that a person has, and only those of the definitions', async () => {
    const { sent } = await peopleOver(whole)
    expect(sent.map(({ schemas }) => schemas)).toEqual([
      [USER_SCHEMA, ENTERPRISE],
      [USER_SCHEMA, ENTERPRISE],
      [USER_SCHEMA],
    ])
    const without = await peopleOver({ [USER_SCHEMA]: USER_DEFINITION })
    expect(without.sent.map(({ schemas }) => schemas)).toEqual(Array(3).fill([USER_SCHEMA]))
    expect(without.sent.flatMap((body) => Object.keys(body))).not.toContain(ENTERPRISE)
  })

  it('RFC 7643 §2.4 omits the values of a type that is not canonical, which may not have a column', async () => {
    const { sent } = await peopleOver(withTypes('emails', ['work', 'other']))
    const lists = sent.map(({ emails, phoneNumbers }) => [emails, phoneNumbers].map(typesOf))
    expect(lists).toEqual([
      [['work'], ['work']],
      [['work'], null],
      [null, ['mobile']],
    ])
  })

  it('creates the people as adapt changes them', async () => {
    const { people } = await peopleOver(whole)
    expect(people).toMatchObject({
      ada: {
        userName: 'row.Ada@example.com',
        nickName: '{"resourceType":"User","number":931}',
      },
      bob: {
        userName: 'row.bob@example.com',
        nickName: '{"resourceType":"User","number":932}',
      },
      eve: {
        userName: 'row.EVE@example.com',
        nickName: '{"resourceType":"User","number":933}',
      },
    })
  })

  it.each(['Ada', 'bob', 'EVE'])('is null if the store rejects %s', async (name) => {
    const { people } = await peopleOver(whole, name, new ScimError(400, 'no second value'))
    expect(people).toBeNull()
  })

  it('reports a store that fails', async () => {
    const failed = peopleOver(whole, 'bob', new Error('the database is gone'))
    await expect(failed).rejects.toThrow('because the resource is valid')
  })
})

describe('rowFilters', () => {
  it('has the rows of a topic, and no row of another one', async () => {
    const { type, people } = await peopleOver(whole)
    const filters = Object.values(FILTER_ROWS).map((row) => [row.about, row.filter('row')] as const)
    for (const topic of new Set(filters.map(([about]) => about))) {
      const expected = filters.flatMap(([about, filter]) => (about === topic ? [filter] : []))
      expect(rowFilters(type, people as People, topic)).toEqual(expected)
    }
    expect(rowFilters(type, people as People, null)).toEqual([])
  })

  it('omits the rows about attributes that the definitions do not have', async () => {
    const attributes = USER_DEFINITION.attributes.filter(({ name }) => name === 'userName')
    const { type, people } = await peopleOver({ [USER_SCHEMA]: { ...USER_DEFINITION, attributes } })
    const filters = rowFilters(type, people as People, 'text')
    expect(filters.length).toBeGreaterThan(3)
    for (const filter of filters) expect(filter).toMatch(/userName/i)
  })

  it('omits the rows that do not hold for the people as the store returns them', async () => {
    const { type, people } = await peopleOver(whole)
    const { ada, bob, eve } = people as People
    const filters = rowFilters(type, { ada, bob, eve: { ...eve, active: false } }, 'boolean')
    const all = rowFilters(type, { ada, bob, eve }, 'boolean')
    expect(all.length).toBeGreaterThan(filters.length)
  })
})

describe('rowOrders', () => {
  it('has every row, and omits those that do not hold for the people as the store returns them', async () => {
    const { type, people } = await peopleOver(whole)
    const { ada, bob, eve } = people as People
    expect(rowOrders(type, { ada, bob, eve })).toEqual(Object.values(SORT_ROWS))
    const alike = { ...bob, userType: 'Employee' }
    const kept = rowOrders(type, { ada, bob: alike, eve }).map(({ sortBy }) => sortBy)
    expect(kept).not.toContain('userType')
    expect(kept).toContain('userName')
  })
})

/** Creates the people in an empty store, which throws `error` for the person whose `userName` contains `failing`. */
async function peopleOver(
  definitions: Discovery.Definitions,
  failing: string | null = null,
  error: Error | null = null,
): Promise<{
  readonly people: People | null
  readonly type: Served
  /** The people before `adapt`, which changes `nickName`. */
  readonly sent: readonly Body[]
}> {
  const sent: Body[] = []
  const memory = createStore({ rows: [], nextId: 1 }, 'User', definitions)
  const store: Store = {
    ...memory,
    create: async (resource, ...rest) => {
      if (failing !== null && String(resource['userName']).includes(failing)) throw error
      return await memory.create(resource, ...rest)
    },
  }
  const type = defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })
  const adapt: Adapt = (body, about) => {
    sent.push({ ...body })
    return { ...body, nickName: JSON.stringify(about) }
  }
  const world = openWorld({ resourceTypes: [type], context: { tenant: 'a' } }, adapt)
  const [served] = world.types as [Served]
  const people = await createPeople(world, served)
  // The sample that a person has the required attributes of is adapted before the person is.
  return { people, type: served, sent: sent.filter((_, at) => at % 2 === 1) }
}

/** The definitions of users whose list has the canonical types. Another part has canonical values of its own. */
function withTypes(list: string, types: readonly string[]): Discovery.Definitions {
  const attributes = USER_DEFINITION.attributes.map((attribute) => {
    if (attribute.name !== list) return { ...attribute, subAttributes: plain(attribute) }
    const subAttributes = plain(attribute).map((part) => {
      if (part.name === 'type') return { ...part, canonicalValues: types }
      return part.name === 'display' ? { ...part, canonicalValues: ['x'] } : part
    })
    return { ...attribute, subAttributes }
  })
  return { [USER_SCHEMA]: { ...USER_DEFINITION, attributes } }
}

/** The parts without canonical values. */
function plain({ subAttributes = [] }: Discovery.Attribute): readonly Discovery.Attribute[] {
  return subAttributes.map(({ canonicalValues: _, ...part }) => part)
}

function typesOf(list: unknown): readonly unknown[] | null {
  return Array.isArray(list) ? list.map((value) => Object(value).type) : null
}
