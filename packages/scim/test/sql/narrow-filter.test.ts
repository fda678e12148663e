import { DatabaseSync } from 'node:sqlite'
import { unwrap } from '@plumbline/result'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { narrowFilter, predicateToSql, renderSql, valueIndex } from '@plumbline/scim/internal'
import type { SqlColumnMap } from '@plumbline/scim/sql'
import { beforeAll, describe, expect, it } from 'vitest'

// The values that are looked up before a list is read, and the condition that the list then has.

const INDEX = valueIndex(
  { [USER_DEFINITION.id]: USER_DEFINITION },
  {
    table: 'user_values',
    on: { org: 'org', user: 'id' },
    hash: (text) => String(text.length),
  },
)
const COLUMNS: SqlColumnMap = {
  active: { column: 'active', type: 'boolean' },
  title: { column: 'title_key', folded: true },
  groups: {
    table: 'members',
    on: { org: 'org', member: 'id' },
    columns: { value: { column: 'team', folded: true }, type: 'kind' },
    indexed: ['value'],
  },
  ...INDEX.columns,
}

/** The statements that ran since it was emptied. */
let ran: string[] = []
const LONG = 'x'.repeat(301)
const database = new DatabaseSync(':memory:')

beforeAll(() => {
  database.exec(`
    create table user_values (org integer, user text, attribute text, position integer,
      value_key text, type_key text, is_primary integer);
    create index by_value on user_values (org, attribute, value_key, user);
    create table members (org integer, member text, team text, kind text);
    insert into members values (1, '1-0', 'one', 'direct'), (1, '1-1', 'two', 'direct'),
      (1, '1-0', 'two', 'indirect'), (2, '2-0', 'one', 'direct')`)
  const values = (names: readonly string[]) => names.map((value) => ({ value }))
  insert(1, 1_001, (at) => ({
    emails: values([
      '1,001',
      ...(at < 1_000 ? ['1,000'] : []),
      ...(at < 2 ? ['two'] : []),
      ...(at === 0 ? ['one', 'x', 'y'] : []),
    ]),
    ims: [{ value: 'aim', type: 'work' }],
  }))
  insert(2, 1, () => ({ emails: values([LONG, 'short']) }))
})

function insert(org: number, count: number, attributes: (at: number) => Record<string, unknown>) {
  const statement = database.prepare('insert into user_values values (?, ?, ?, ?, ?, ?, ?)')
  for (let at = 0; at < count; at += 1) {
    for (const row of INDEX.rowsOf(attributes(at))) {
      const { attribute, position, value_key, type_key } = row
      statement.run(org, `${org}-${at}`, attribute, position, value_key, type_key, null)
    }
  }
}

/** The condition of a filter, and the number of look-ups before it. */
async function narrow(filter: string, { org = 1 } = {}) {
  ran = []
  const found = await narrowFilter(unwrap(parseFilter(filter)), COLUMNS, {
    run: async (statement) => {
      const { sql, parameters } = renderSql(statement, 'sqlite')
      ran.push(sql.replaceAll('"', ''))
      return database.prepare(sql).all(...(parameters as never[]))
    },
    dialect: 'sqlite',
    id: 'id',
    known: { org },
    isBinary: true,
    index: INDEX,
  })
  const lookups = ran.filter((text) => text.includes(' as owner from ')).length
  const { where, residual, isBroad } = found
  const options = { dialect: 'sqlite', table: 'users', isBinary: true, known: { org } } as const
  const written = where === null ? undefined : renderSql(predicateToSql(where, options), 'sqlite')
  return {
    text: written?.sql.replaceAll('"', ''),
    values: written?.parameters,
    lookups,
    isBroad,
    residual: residual === null ? null : stringifyFilter(residual),
  }
}

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `1-${at}`)
const anyOf = (count: number, nameOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => nameOf(at)).join(' or ')

describe('a condition on a value that few users have', () => {
  it('no user with the value: the condition contains no id', async () => {
    expect(await narrow('emails eq "none"')).toEqual({
      text: 'users.id in (null)',
      values: [],
      residual: null,
      lookups: 1,
      isBroad: false,
    })
  })

  it('one user with the value: the condition contains one id', async () => {
    const found = await narrow('emails eq "one"')
    expect(found).toMatchObject({ text: 'users.id = ?', values: idsOf(1), residual: null })
  })

  it('one user with several values: the condition contains one id', async () => {
    const found = await narrow('emails eq "x" or emails eq "y"')
    expect(found).toMatchObject({ text: 'users.id = ?', values: idsOf(1), lookups: 1 })
  })

  it('two users with the value: the condition contains two ids', async () => {
    const { text, values } = await narrow('emails eq "two"')
    expect(text).toBe('users.id in (?, ?)')
    expect(values?.toSorted()).toEqual(idsOf(2))
  })

  it('1,000 users with the value: the condition contains 1,000 ids', async () => {
    const { text, values } = await narrow('emails eq "1,000"')
    expect(text).toMatch(/^users\.id in \(\?(?:, \?){999}\)$/)
    expect(values?.toSorted()).toEqual(idsOf(1_000).sort())
  })

  it('another condition on the element is tested next to the ids', async () => {
    const { text, values, lookups } = await narrow('emails[value eq "two" and type eq "work"]')
    expect(text).toMatch(
      /^\(users\.id in \(\?, \?\) and exists \(select 1 from user_values as element /,
    )
    expect(values?.slice(0, 2).toSorted()).toEqual(idsOf(2))
    expect(lookups).toBe(1)
  })

  it('another value in the element is looked up if too many users have the first', async () => {
    const { text, lookups } = await narrow('emails[value eq "1,001" and display eq "none"]')
    expect(text).toMatch(/^\(users\.id in \(null\) and exists /)
    expect(lookups).toBe(2)
  })
})

describe('a value that more than 1,000 users have tests each user', () => {
  it('a value that more than 1,000 users have is tested in a scan', async () => {
    const { text, lookups } = await narrow('emails eq "1,001"')
    expect(text).toMatch(/^exists \(select 1 from user_values as element /)
    expect(lookups).toBe(1)
  })

  it.each([
    'emails eq "1,001"',
    'emails eq "1,001" or emails co "one"',
    'emails eq "one" or ims eq "aim"',
    'emails eq "1,001" and ims eq "aim"',
    'emails eq "1,001" and title co "x"',
  ])('the search is broad: %s', async (filter) => {
    expect(await narrow(filter)).toMatchObject({ isBroad: true })
  })

  it.each([
    'emails eq "1,001" and emails eq "one"',
    'emails eq "one" and emails eq "1,001"',
    'emails co "1" and title co "x"',
  ])('the search is not broad if it is narrow, or not looked up: %s', async (filter) => {
    expect(await narrow(filter)).toMatchObject({ isBroad: false })
  })
})

describe('look-up limits', () => {
  it('look-ups in a conjunction end with the first value that few users have', async () => {
    const filter = 'emails eq "1,001" and emails eq "one" and emails eq "two"'
    const { text, lookups } = await narrow(filter)
    expect(text).toMatch(/^\(exists \(.*\) and users\.id = \? and exists \(.*\)\)$/s)
    expect(lookups).toBe(2)
  })

  it.each([
    [9, 9],
    [10, 10],
    [11, 10],
  ])('look-ups end after 10 values: %d are %d look-ups', async (count, lookups) => {
    // Comparisons of different parts: those of one part would be one selection.
    const names = ['emails', 'ims', 'phoneNumbers', 'photos'].flatMap((attribute) => [
      `${attribute}.value`,
      `${attribute}.display`,
    ])
    const places = ['addresses.locality', 'addresses.region', 'addresses.country']
    const comparisons = [...names, ...places].map((path) => `${path} eq "none"`)
    const found = await narrow(comparisons.slice(0, count).join(' or '))
    expect(found.lookups).toBe(lookups)
    expect(found.text?.match(/users\.id in \(null\)/g)).toHaveLength(lookups)
  })
})

describe('a filter with many selections from the values runs in memory', () => {
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
  ])('a filter with more than 50 runs in memory: %s', async (_, some, many) => {
    const few = await narrow(some)
    expect(few.residual).toBeNull()
    expect(few.text?.split('exists (')).toHaveLength(51)
    const { text, residual } = await narrow(many)
    expect(text).toBeUndefined()
    expect(residual).toBe(stringifyFilter(unwrap(parseFilter(many))))
  })

  it('a comparison that no condition expresses runs in memory', async () => {
    const { text, residual } = await narrow('not (emails.unknown eq "a")')
    expect({ text, residual }).toEqual({
      text: undefined,
      residual: 'not (emails.unknown eq "a")',
    })
  })

  it('column comparisons still run in SQL', async () => {
    const { text, residual } = await narrow(`active eq true and (${of(51)})`)
    expect(text).toBe('users.active = ?')
    expect(residual).toMatch(/^emails co "0" or /)
  })
})

describe('an organization with values whose keys are hashes', () => {
  it('comparing such a value searches the hashes', async () => {
    const { text, residual, lookups } = await narrow(`emails eq "${LONG}"`, { org: 2 })
    expect(text).toBe('users.id = ?')
    expect({ residual, lookups }).toEqual({ residual: null, lookups: 1 })
  })

  it.each(['emails co "sho"', 'emails co "sho" and ims co "a"'])(
    'users selected by %s are filtered in memory',
    async (filter) => {
      const { text, values, residual } = await narrow(filter, { org: 2 })
      expect(residual).toMatch(/^emails co "sho"$/)
      expect(text).toContain('element.attribute in (?, ?)')
      expect(values).toContain('emails#value*')
    },
  )

  it("another organization's users are selected exactly", async () => {
    expect(await narrow('emails co "sho"')).toMatchObject({ residual: null })
  })

  it("only the attribute's values count", async () => {
    expect(await narrow('ims co "sho"', { org: 2 })).toMatchObject({ residual: null })
  })

  it('each path is queried once', async () => {
    await narrow('emails co "a" or emails co "b" or emails.value co "c"')
    expect(ran.filter((text) => text.startsWith('select 1 from user_values'))).toHaveLength(1)
  })
})

describe('a value in a separate table', () => {
  it.each([
    ['groups eq "ONE"', 'users.id = ?', ['1-0'], 1],
    ['groups.value eq "none"', 'users.id in (null)', [], 1],
    ['groups.value eq "one" or groups eq "two"', 'users.id in (?, ?)', ['1-0', '1-1'], 1],
    [
      'groups[value eq "two" and type eq "direct"]',
      '(users.id in (?, ?) and exists (select 1 from members as element where element.org = ? and ' +
        'element.member = users.id and (element.team = ? and element.kind = ?)))',
      ['1-0', '1-1', 1, 'two', 'direct'],
      1,
    ],
  ])('a value is looked up through its index: %s', async (filter, text, values, lookups) => {
    const found = await narrow(filter)
    expect({ ...found, values: [...(found.values ?? [])].sort() }).toMatchObject({
      text,
      values: [...values].sort(),
      lookups,
      residual: null,
    })
  })

  it.each(['groups.value sw "o"', 'groups.type eq "direct"', 'not (groups eq "one")'])(
    'a value is tested for each resource if no index serves the condition: %s',
    async (filter) => {
      const { text, lookups } = await narrow(filter)
      expect(text).toContain('exists (select 1 from members as element where element.org = ? and')
      expect(lookups).toBe(0)
    },
  )

  it("a value is not looked up without the tenant, because the rows could be another's", async () => {
    const run = async () => []
    const filter = unwrap(parseFilter('groups eq "one"'))
    const { where } = await narrowFilter(filter, COLUMNS, { run, dialect: 'sqlite', id: 'id' })
    expect(where).toMatchObject({ type: 'exists' })
  })
})
