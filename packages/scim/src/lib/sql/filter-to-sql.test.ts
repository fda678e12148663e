import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import { stringifyFilter } from '../filter/stringify.ts'
import { columns, mysql, postgres, sqlite } from './filter-to-sql.cases.ts'
import { filterToSql } from './filter-to-sql.ts'

const parse = (filter: string) => unwrap(parseFilter(filter))
const { emails: _, groups: __, ...withoutTables } = columns
const LINKS = '"element"."user_id" = "u"."id" and "element"."tenant_id" = "u"."tenant_id" and'

describe('a filter as SQL (RFC 7644 §3.4.2.2)', () => {
  it.each(sqlite.map(([filter, sql, ...values]) => ({ filter, sql, values })))(
    '$filter in SQLite is $sql',
    ({ filter, sql, values }) => {
      const made = unwrap(filterToSql(parse(filter), columns, { dialect: 'sqlite', table: 'u' }))
      expect([made.sql, made.parameters, made.residual]).toEqual([sql, values, null])
    },
  )

  it.each(postgres.map(([filter, sql, ...values]) => ({ filter, sql, values })))(
    '$filter in PostgreSQL is $sql',
    ({ filter, sql, values }) => {
      const options = { dialect: 'postgres', offset: 2 } as const
      const made = unwrap(filterToSql(parse(filter), withoutTables, options))
      expect([made.sql, made.parameters, made.residual]).toEqual([sql, values, null])
    },
  )

  it.each(mysql.map(([filter, sql, ...values]) => ({ filter, sql, values })))(
    '$filter in MySQL is $sql',
    ({ filter, sql, values }) => {
      const made = unwrap(filterToSql(parse(filter), withoutTables, { dialect: 'mysql' }))
      expect([made.sql, made.parameters, made.residual]).toEqual([sql, values, null])
    },
  )

  it('a statement has the strings between its values, for libraries with a template tag', () => {
    const filter = parse('externalId eq "a" and id eq "7"')
    const { strings } = unwrap(filterToSql(filter, withoutTables, { dialect: 'postgres' }))
    expect([...strings]).toEqual(['("external_id" = ', ' and "id" = ', '::bigint)'])
    expect(strings.raw).toEqual([...strings])
  })
})

describe('a filter that SQL expresses only in part', () => {
  it.each([
    [
      'userName eq "é" and active eq true',
      `(lower("email" collate "C") like $1 escape '!' and "is_enabled" = $2)`,
      'userName eq "é"',
    ],
    ['userName eq "Ké"', `lower("email" collate "C") like $1 escape '!'`, 'userName eq "Ké"'],
    ['nickName pr', '1 = 1', 'nickName pr'],
    ['not (userName co "é")', '1 = 1', 'not (userName co "é")'],
    ['not (externalId co "\\u0000")', '1 = 1', 'not (externalId co "\\u0000")'],
    ['id gt "1"', '"id" is not null', 'id gt "1"'],
    ['emails[type eq "work"]', '1 = 1', 'emails[type eq "work"]'],
  ])('%s is narrowed by %s, and the rest runs in memory', (filter, sql, residual) => {
    const made = unwrap(filterToSql(parse(filter), withoutTables, { dialect: 'postgres' }))
    expect(made.sql).toBe(sql)
    expect(made.residual && stringifyFilter(made.residual)).toBe(residual)
  })

  it('rows with an element are selected if a part is not mapped', () => {
    const options = { dialect: 'sqlite', table: 'u' } as const
    const filter = parse('emails[display eq "a" and type eq "work"]')
    const made = unwrap(filterToSql(filter, columns, options))
    expect(made.sql).toContain('"element"."kind" = ? collate binary)')
    expect(made.residual).toEqual(filter)
    const negated = unwrap(filterToSql({ type: 'not', operand: filter }, columns, options))
    expect(negated.sql).toBe('1 = 1')
  })

  it.each(['emails[value.type eq "a"]', 'emails[urn:x:value eq "a"]'])(
    "%s is not an element's value: inside brackets, a name is a sub-attribute",
    (text) => {
      const filter = parse(text)
      const made = unwrap(filterToSql(filter, columns, { dialect: 'sqlite', table: 'u' }))
      expect(made.sql).toBe(
        `exists (select 1 from "user_emails" as "element" where ${LINKS} 1 = 1)`,
      )
      expect(made.residual).toEqual(filter)
    },
  )

  it('a statement has at most 50 selections from other tables', () => {
    const options = { dialect: 'sqlite', table: 'u' } as const
    const clauses = (count: number) =>
      parse(Array.from({ length: count }, (_, at) => `groups eq "${at}"`).join(' and '))
    expect(unwrap(filterToSql(clauses(50), columns, options)).residual).toBeNull()
    expect(unwrap(filterToSql(clauses(51), columns, options)).residual).toEqual(
      parse('groups eq "50"'),
    )
  })
})

it('a value the column does not support is invalidFilter', () => {
  const result = filterToSql(parse('active eq "yes"'), withoutTables, { dialect: 'sqlite' })
  expect(isFailure(result) && result.error).toMatchObject({
    status: 400,
    scimType: 'invalidFilter',
  })
  const ofKey = filterToSql(parse('id eq 5'), withoutTables, { dialect: 'sqlite' })
  expect(isFailure(ofKey) && ofKey.error).toMatchObject({ scimType: 'invalidFilter' })
})

it("an attribute in another table throws without the table's name", () => {
  expect(() => filterToSql(parse('id pr'), columns, { dialect: 'sqlite' })).toThrow(
    'emails is in a table of its own, so the option table is required',
  )
})

it.each(['', 'a\0b'])('the column name %j throws', (column) => {
  expect(() => filterToSql(parse('title pr'), { title: column }, { dialect: 'sqlite' })).toThrow(
    'is not the name of a table or a column',
  )
})

describe('many values for one attribute are one list, which databases prepare faster', () => {
  const COUNT = 17
  const times = (item: (at: number) => string, separator: string) =>
    Array.from({ length: COUNT }, (_, at) => item(at)).join(separator)
  const listOf = (item: (at: number) => string) => `(${times(item, ', ')})`
  const place = () => '?'
  const dollar = (at: number) => `$${at + 1}`
  const binary = (text: string) => `cast(convert(${text} using utf8mb4) as binary)`
  const LETTERS =
    "replace(convert(`email` using utf8mb4) collate utf8mb4_bin, convert(x'C4B0' using utf8mb4), convert(x'69CC87' using utf8mb4))"
  const inMysql = (name: string) =>
    `(${name} in ${listOf(place)} and ${binary(name)} in ${listOf(() => binary('?'))})`

  it.each<['sqlite' | 'postgres' | 'mysql', string, string]>([
    ['sqlite', 'externalId eq "E#"', `"external_id" collate binary in ${listOf(place)}`],
    ['sqlite', 'userName eq "E#"', `lower("email") in ${listOf(place)}`],
    ['sqlite', 'name.familyName eq "E#"', `"family_key" collate binary in ${listOf(place)}`],
    ['sqlite', 'id eq "#"', `"id" in ${listOf(place)}`],
    ['sqlite', 'meta.lastModified eq "2026-01-01T00:00:#Z"', `"modified" in ${listOf(place)}`],
    ['postgres', 'externalId eq "E#"', `"external_id" in ${listOf(dollar)}`],
    ['postgres', 'userName eq "E#"', `lower("email" collate "C") in ${listOf(dollar)}`],
    ['postgres', 'id eq "#"', `"id" in ${listOf((at) => `${dollar(at)}::bigint`)}`],
    ['mysql', 'externalId eq "E#"', inMysql('`external_id`')],
    ['mysql', 'userName eq "E#"', `${binary(`lower(${LETTERS})`)} in ${listOf(() => binary('?'))}`],
    ['mysql', 'id eq "#"', `\`id\` in ${listOf(place)}`],
  ])('values are listed in %s: %s', (dialect, one, sql) => {
    const filter = parse(times((at) => one.replace('#', String(at + 10)), ' or '))
    expect(unwrap(filterToSql(filter, withoutTables, { dialect })).sql).toBe(sql)
  })

  it.each([
    ['sqlite', `strftime('%Y-%m-%d %H:%M:%f', "created_at") = ?`],
    ['mysql', '`created_at` = ?'],
  ] as const)('database timestamps are compared one by one in %s', (dialect, each) => {
    const one = (at: number) => `meta.created eq "2026-01-01T00:00:${at + 10}Z"`
    const { sql, parameters } = unwrap(
      filterToSql(parse(times(one, ' or ')), withoutTables, { dialect }),
    )
    const pair = `(${each} or ${each})`
    expect(sql).toBe(`(${Array(8).fill(pair).join(' or ')} or ${each})`)
    expect(parameters).toHaveLength(COUNT)
  })

  it.each([
    ['sqlite', 'phone', `"phone" collate binary in ${listOf(place)}`],
    [
      'postgres',
      { column: 'phone', caseExact: false },
      `lower("phone" collate "C") in ${listOf(dollar)}`,
    ],
  ] as const)('a listed value in a resource column is not null: in %s', (dialect, column, sql) => {
    const filter = parse(`phoneNumbers[${times((at) => `value eq "${at}"`, ' or ')}]`)
    const map = { 'phoneNumbers[work].value': column }
    expect(unwrap(filterToSql(filter, map, { dialect })).sql).toBe(sql)
  })

  it('several types, several attributes, and other comparisons are joined with or', () => {
    const filter = parse(
      `${times((at) => `externalId eq "e${at}"`, ' or ')} or externalId eq 5 or title eq "t" or title pr`,
    )
    const { sql } = unwrap(filterToSql(filter, withoutTables, { dialect: 'postgres' }))
    expect(sql).toContain(`"external_id" in ${listOf(dollar)}`)
    expect(sql).toContain('"ti""tl`e"')
  })
})
