import { unwrap } from '@plumbline/result'
import { USER_SCHEMA } from '@plumbline/scim'
import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { USER_STORE, USERS } from '../src/resources/user.ts'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { BroadSearchError } from '../src/store/list/list.ts'
import type { Store } from '../src/store/store.ts'
import { indexedAttributes } from '../src/store/values/indexed-attributes.ts'
import { narrowByValue } from '../src/store/values/narrow-by-value.ts'
import { watched } from './harness.ts'
import { inScope, newTenant } from './in-scope.ts'

// The values that are looked up before a list is read, and the condition that the list then has.

const TABLES = {
  resources: 'users',
  values: 'user_values',
  columns: USERS.columns,
  attributes: indexedAttributes(USERS.definitions),
}

let store: Store
/** The statements that ran since it was emptied. */
let ran: string[] = []
/** The tenant with the users below, and one with a value whose key is a hash. */
let tenantId: string
let withHashes: string
const LONG = 'x'.repeat(301)

beforeAll(async () => {
  store = watched(await openSqlite(':memory:'), (name, [statement]) => {
    if (name === 'exec') ran.push(String(Object(statement).text))
  })
  tenantId = await newTenant(store)
  withHashes = await newTenant(store)
  const values = (names: readonly string[]) => names.map((value) => ({ value }))
  await insert(tenantId, 1_001, (at) => ({
    emails: values([
      ...['1,001', ...(at < 1_000 ? ['1,000'] : []), ...(at < 2 ? ['two'] : [])],
      ...(at === 0 ? ['one', 'x', 'y'] : []),
    ]),
    ims: [{ value: 'aim', type: 'work' }],
  }))
  await insert(withHashes, 1, () => ({ emails: values([LONG, 'short']) }))
})
afterAll(() => store.close())

function insert(
  tenant: string,
  count: number,
  attributes: (at: number) => Record<string, unknown>,
): Promise<unknown> {
  const made = Array.from({ length: count }, (_, at) => ({
    ...{ id: `${tenant}-${at}`, at: 0 },
    resource: { schemas: [USER_SCHEMA], userName: `user-${at}`, ...attributes(at) },
  }))
  return inScope(store, tenant, (scope) => USER_STORE.insert(scope, made))
}

/** The condition of a filter, and the number of look-ups before it. */
async function narrow(
  filter: string,
  { tenant = tenantId, isLookUp = false } = {},
): Promise<{
  text: string | undefined
  values: readonly unknown[] | undefined
  residual: string | null
  lookups: number
}> {
  const found = await inScope(store, tenant, (scope) => {
    ran = []
    return narrowByValue({ ...scope, isLookUp }, unwrap(parseFilter(filter)), TABLES)
  })
  expect(found.where).toBeNull()
  const lookups = ran.filter((text) => text.startsWith('select v.resource_id from')).length
  const { condition, residual } = found
  return {
    ...{ text: condition?.text, values: condition?.values, lookups },
    residual: residual === null ? null : stringifyFilter(residual),
  }
}

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `${tenantId}-${at}`)
const anyOf = (count: number, nameOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => nameOf(at)).join(' or ')

describe('the condition of a value that few users have contains their ids:', () => {
  it('none', async () => {
    expect(await narrow('emails eq "none"')).toEqual({
      ...{ text: 'users.id in (null)', values: [], residual: null, lookups: 1 },
    })
  })

  it('one', async () => {
    const found = await narrow('emails eq "one"')
    expect(found).toMatchObject({ text: 'users.id = ?', values: idsOf(1), residual: null })
  })

  it('one, who has several of the values', async () => {
    const found = await narrow('emails eq "x" or emails eq "y"')
    expect(found).toMatchObject({ text: 'users.id = ?', values: idsOf(1), lookups: 1 })
  })

  it('two', async () => {
    const { text, values } = await narrow('emails eq "two"')
    expect(text).toBe('users.id in (?, ? /* planned for its values */)')
    expect(values?.toSorted()).toEqual(idsOf(2))
  })

  it('1,000', async () => {
    const { text, values } = await narrow('emails eq "1,000"', { isLookUp: true })
    expect(text).toMatch(/^users\.id in \(\?(?:, \?){999} \/\*.*\*\/\)$/)
    expect(values?.toSorted()).toEqual(idsOf(1_000).sort())
  })

  it('of users whose element also meets another condition', async () => {
    const { text, values, lookups } = await narrow('emails[value eq "two" and type eq "work"]')
    expect(text).toMatch(/^\(users\.id in \(\?, \? .*?\) and exists \(select 1 from user_values v /)
    expect(values?.slice(0, 2).toSorted()).toEqual(idsOf(2))
    expect(lookups).toBe(1)
  })

  it('by another value of the element, if too many users have the first', async () => {
    const { text, lookups } = await narrow('emails[value eq "1,001" and display eq "none"]')
    expect(text).toMatch(/^\(users\.id in \(null\) and exists /)
    expect(lookups).toBe(2)
  })
})

describe('the condition of a value that more than 1,000 users have tests each user', () => {
  it('in a scan', async () => {
    const { text, lookups } = await narrow('emails eq "1,001"')
    expect(text).toMatch(/^exists \(select 1 from user_values v /)
    expect(lookups).toBe(1)
  })

  it.each([
    'emails eq "1,001"',
    'emails eq "1,001" or emails co "one"',
    'emails eq "one" or ims eq "aim"',
    'emails eq "1,001" and ims eq "aim"',
    'emails eq "1,001" and title co "x"',
  ])('and a look-up becomes a scan: %s', async (filter) => {
    await expect(narrow(filter, { isLookUp: true })).rejects.toThrow(BroadSearchError)
  })

  it.each([
    'emails eq "1,001" and emails eq "one"',
    'emails eq "one" and emails eq "1,001"',
    'emails co "1" and title co "x"',
  ])('and a look-up stays one if it is narrow, or not looked up: %s', async (filter) => {
    await expect(narrow(filter, { isLookUp: true })).resolves.toBeDefined()
  })
})

describe('look-ups end', () => {
  it('in a conjunction, with the first value that few users have', async () => {
    const filter = 'emails eq "1,001" and emails eq "one" and emails eq "two"'
    const { text, lookups } = await narrow(filter)
    expect(text).toMatch(/^\(exists \(.*\) and users\.id = \? and exists \(.*\)\)$/s)
    expect(lookups).toBe(2)
  })

  it.each([
    [9, 9],
    [10, 10],
    [11, 10],
  ])('after 10 values: %d are %d look-ups', async (count, lookups) => {
    // Comparisons of different parts: those of one part would be one selection.
    const names = ['emails', 'ims', 'phoneNumbers', 'photos'].flatMap((attribute) => [
      ...[`${attribute}.value`, `${attribute}.display`],
    ])
    const places = ['addresses.locality', 'addresses.region', 'addresses.country']
    const comparisons = [...names, ...places].map((path) => `${path} eq "none"`)
    const found = await narrow(comparisons.slice(0, count).join(' or '))
    expect(found.lookups).toBe(lookups)
    expect(found.text?.match(/users\.id in \(null\)/g)).toHaveLength(lookups)
  })
})

describe('a filter with many selections from the values is left to memory', () => {
  const of = (count: number) => anyOf(count, (at) => `emails co "${at}"`)

  it.each([
    ['comparisons', of(50), of(51)],
    [
      'comparisons in brackets',
      anyOf(25, (at) => `emails[value co "${at}" and display co "a"]`),
      `${anyOf(25, (at) => `emails[value co "${at}" and display co "a"]`)} or emails co "x"`,
    ],
    [
      'negations',
      anyOf(50, (at) => `not (emails co "${at}")`),
      anyOf(51, (at) => `not (emails co "${at}")`),
    ],
  ])('of more than 50: %s', async (_, some, many) => {
    const few = await narrow(some)
    expect(few.residual).toBeNull()
    expect(few.text?.split('exists (')).toHaveLength(51)
    const { text, residual } = await narrow(many)
    expect(text).toBeUndefined()
    expect(residual).toBe(stringifyFilter(unwrap(parseFilter(many))))
  })

  it('as a comparison that no condition expresses', async () => {
    const { text, residual } = await narrow('not (emails.unknown eq "a")')
    expect({ text, residual }).toEqual({
      ...{ text: undefined, residual: 'not (emails.unknown eq "a")' },
    })
  })

  it('except its comparisons of columns', async () => {
    const { text, residual } = await narrow(`active eq true and (${of(51)})`)
    expect(text).toBe('"active" = ?')
    expect(residual).toMatch(/^emails co "0" or /)
  })
})

describe('if a tenant has values whose keys are hashes', () => {
  it('a comparison of such a value searches the hashes', async () => {
    const { text, residual, lookups } = await narrow(`emails eq "${LONG}"`, { tenant: withHashes })
    expect(text).toBe('users.id = ?')
    expect({ residual, lookups }).toEqual({ residual: null, lookups: 1 })
  })

  it.each(['emails co "sho"', 'emails co "sho" and ims co "a"'])(
    'memory filters the users that %s selects',
    async (filter) => {
      const { text, values, residual } = await narrow(filter, { tenant: withHashes })
      expect(residual).toMatch(/^emails co "sho"$/)
      expect(text).toContain('v.attribute in (?, ?)')
      expect(values).toContain('emails#value*')
    },
  )

  it('the users of another tenant are selected exactly', async () => {
    expect(await narrow('emails co "sho"')).toMatchObject({ residual: null })
  })

  it('only the values of the attribute count', async () => {
    expect(await narrow('ims co "sho"', { tenant: withHashes })).toMatchObject({ residual: null })
  })

  it('each path is asked for once', async () => {
    await narrow('emails co "a" or emails co "b" or emails.value co "c"')
    expect(ran.filter((text) => text.startsWith('select 1 from user_values'))).toHaveLength(1)
  })
})
