import { isFailure, unwrap } from '@plumbline/result'
import type { Predicate } from '@remix-run/data-table'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScimError } from '../error.ts'
import { parseFilter } from '../filter/parse.ts'
import { stringifyFilter } from '../filter/stringify.ts'
import type { Expression } from '../filter/tree.ts'
import type { ColumnMap } from '../predicate/columns.ts'
import { compare, levelsOf, logical } from '../predicate/predicate.ts'
import { UntranslatableFilterError } from './error.ts'
import { columns, exact, inexact, rejected } from './where.cases.ts'
import { filterToWhere, splitFilter } from './where.ts'
import { writePredicate } from './write-predicate.ts'

const parse = (filter: string) => unwrap(parseFilter(filter))

describe('a filter that SQL expresses exactly (RFC 7644 §3.4.2.2)', () => {
  it.each(exact)('%s selects %s: %s', (filter, where) => {
    const expression = parse(filter)
    expect(write(unwrap(filterToWhere(expression, columns)))).toBe(where)
    const split = unwrap(splitFilter(expression, columns))
    expect([write(split.where), split.residual]).toEqual([where, null])
  })
})

describe('a filter that SQL does not express exactly', () => {
  it.each(inexact)(
    '%s is not exact, because %s: it selects %s, and in memory %s',
    (filter, reason, where, residual) => {
      const expression = parse(filter)
      const result = filterToWhere(expression, columns)
      expect(isFailure(result) && result.error).toBeInstanceOf(UntranslatableFilterError)
      expect(isFailure(result) && result.error.message).toContain(reason)
      const split = unwrap(splitFilter(expression, columns))
      expect(write(split.where)).toBe(where)
      expect(split.residual && stringifyFilter(split.residual)).toBe(residual)
    },
  )

  it('the error quotes the clause', () => {
    const result = filterToWhere(parse('active eq true and title eq "a"'), columns)
    expect(isFailure(result) && result.error.message).toBe(
      'title eq "a": title is not mapped to a column',
    )
  })
})

describe('a filter that the type of its column does not support', () => {
  it.each(rejected)('%s is invalidFilter', (filter, message) => {
    for (const translate of [filterToWhere, splitFilter]) {
      const result = translate(parse(filter), columns)
      expect(isFailure(result) && result.error).toBeInstanceOf(ScimError)
      expect(isFailure(result) && result.error).toMatchObject({
        scimType: 'invalidFilter',
        message,
      })
    }
  })
})

describe('the limits of a statement', () => {
  const tooLarge = {
    name: 'UntranslatableFilterError',
    message: 'the filter is too large or nested too deep for one SQL statement',
  }
  const clauses = (count: number, of: (at: number) => string = (at) => `id eq "u${at}"`) =>
    Array.from({ length: count }, (_, at) => of(at)).join(' or ')

  it('17 or more operands become one list of values', () => {
    const of16 = unwrap(filterToWhere(parse(clauses(16)), columns))
    expect(of16).toMatchObject({ operator: 'or', predicates: { length: 16 } })
    const of17 = unwrap(filterToWhere(parse(clauses(17)), columns))
    expect(of17).toMatchObject({ operator: 'in', column: 'id', value: { length: 17 } })
  })

  it.each([
    [13, 'success'],
    [14, 'failure'],
  ])(
    '900 levels of operands is the limit: nested lists around a list of %d: %s',
    (count, status) => {
      for (const last of ['and', 'or'] as const) {
        let expression: Expression = parse('id eq "a"')
        const nest = (operator: 'and' | 'or', operands: number): void => {
          const others = Array.from({ length: operands - 1 }, () => parse('id pr'))
          expression = { type: 'logical', operator, operands: [...others, expression] }
        }
        // A comparison has 3 levels, and a list of 16 operands 15: 3 + 59 * 15 = 888.
        for (let at = 0; at < 59; at += 1) nest(at % 2 === 0 ? 'or' : 'and', 16)
        nest(last, count)
        expect(filterToWhere(expression, columns).status).toBe(status)
      }
    },
  )

  it('an operand that runs in memory is not counted', () => {
    let expression: Expression = parse('id eq "a"')
    const nest = (operator: 'and' | 'or', operands: number, last: Expression[] = []): void => {
      const others = Array.from({ length: operands - 1 }, () => parse('id pr'))
      expression = { type: 'logical', operator, operands: [...others, expression, ...last] }
    }
    for (let at = 0; at < 59; at += 1) nest(at % 2 === 0 ? 'or' : 'and', 16)
    nest('and', 13, [parse('title pr')])
    expect(unwrap(splitFilter(expression, columns)).residual).toEqual(parse('title pr'))
    expect(filterToWhere(expression, columns)).toMatchObject({
      error: { message: 'title pr: title is not mapped to a column' },
    })
  })

  it('predicates only narrowing the rows have limited value lengths', () => {
    const narrowed = (count: number) =>
      unwrap(splitFilter(parse(clauses(count, () => `id co "%${'x'.repeat(15_990)}"`)), columns))
    expect(narrowed(62).where).not.toBeNull()
    expect(narrowed(63).where).toBeNull()
  })

  it('each written spelling counts as a value: 500 with 64 spellings fit, 501 do not', () => {
    const filter = (count: number) => parse(clauses(count, () => 'userName eq "kkkkkk"'))
    expect(leaves(unwrap(filterToWhere(filter(500), columns)))).toBe(32_000)
    const result = filterToWhere(filter(501), columns)
    expect(isFailure(result) && result.error).toMatchObject(tooLarge)
  })

  it('a conjunct too large for SQL runs in memory, and the others narrow the rows', () => {
    const filter = `active eq true and (${clauses(32_001)}) and age eq 1`
    const { where, residual } = unwrap(splitFilter(parse(filter), columns))
    expect(write(where)).toBe('(active = true and age = 1)')
    expect(residual).toEqual(parse(clauses(32_001)))
  })

  it('a conjunct that fits only without the others runs in memory', () => {
    const ids = clauses(20_000)
    const ages = clauses(20_000, (at) => `age eq ${at}`)
    expect(filterToWhere(parse(ids), columns).status).toBe('success')
    expect(filterToWhere(parse(ages), columns).status).toBe('success')
    const both = parse(`(${ids}) and (${ages}) and active eq true`)
    const result = filterToWhere(both, columns)
    expect(isFailure(result) && result.error).toMatchObject(tooLarge)
    const { where, residual } = unwrap(splitFilter(both, columns))
    expect(where).toMatchObject({ operator: 'and', predicates: [{}, { column: 'active' }] })
    expect(residual).toEqual(parse(ages))
  })

  it("the total length of all conjuncts' values is limited", () => {
    const long = clauses(40, () => `id eq "${'x'.repeat(16_000)}"`)
    expect(filterToWhere(parse(long), columns).status).toBe('success')
    const { where, residual } = unwrap(splitFilter(parse(`(${long}) and (${long})`), columns))
    expect(where).toEqual(unwrap(filterToWhere(parse(long), columns)))
    expect(residual).toEqual(parse(long))
  })

  it.each([
    [256, 'success'],
    [257, 'failure'],
  ])('a hand-built tree with %d levels is a %s', (count, status) => {
    let expression: Expression = parse('id eq "a"')
    for (let at = 0; at < count; at += 1) expression = { type: 'not', operand: expression }
    const result = filterToWhere(expression, columns)
    expect(result.status).toBe(status)
    if (isFailure(result)) expect(result.error).toMatchObject(tooLarge)
  })

  it('a list of operands adds levels, which are counted', () => {
    const leaf = compare('id', 'eq', 'a')
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 40_000 })),
        (count) => {
          const leaves = Array.from({ length: count }, () => leaf)
          const written = writePredicate(logical('and', leaves))
          expect(levelsOf(count)).toBe(levels(written) - levels(writePredicate(leaf)))
        },
      ),
      { numRuns: 60, examples: [[1], [2], [16], [17], [256], [257], [4097]] },
    )
  })

  it("a hand-built tree's nesting is limited, whatever its depth", () => {
    let expression: Expression = parse('id eq "a"')
    for (let at = 0; at < 100_000; at += 1) {
      const operator = at % 2 === 0 ? 'and' : 'or'
      expression = { type: 'logical', operator, operands: [parse('id pr'), expression] }
    }
    const result = filterToWhere(expression, columns)
    expect(isFailure(result) && result.error).toMatchObject(tooLarge)
    expect(splitFilter(expression, columns).status).toBe('success')
  })

  it('the deepest nesting that parses is allowed', () => {
    const deep = `${'not (id pr and ('.repeat(32)}id eq "a"${'))'.repeat(32)}`
    expect(filterToWhere(parse(deep), columns).status).toBe('success')
  })
})

it('a conjunction without operands is true, and a disjunction without operands is false', () => {
  const every: Expression = { type: 'logical', operator: 'and', operands: [] }
  const none: Expression = { type: 'logical', operator: 'or', operands: [] }
  expect(write(unwrap(filterToWhere(every, columns)))).toBe('1 = 1')
  expect(write(unwrap(filterToWhere(none, columns)))).toBe('1 = 0')
  const either: Expression = { type: 'logical', operator: 'or', operands: [every, parse('id pr')] }
  const split = unwrap(splitFilter(either, columns))
  expect([write(split.where), split.residual]).toEqual(['1 = 1', null])
})

it('an explicit undefined in an entry is accepted', () => {
  const undefinedType = { type: undefined, folded: undefined }
  const entries: ColumnMap = {
    title: { column: 'title', ...undefinedType },
    userName: { column: 'user_name', caseExact: undefined },
    'meta.created': { column: 'created', type: 'dateTime', format: undefined },
  }
  const where = unwrap(
    filterToWhere(parse('userName eq "a" and meta.created eq "1970-01-01T00:00:00Z"'), entries),
  )
  expect(write(where)).toBe('(user_name = "a" and created = 0)')
  expect(write(unwrap(filterToWhere(parse('title eq "A"'), entries)))).toBe('title = "A"')
})

it('a column map name that is not an attribute path is ignored', () => {
  const where = unwrap(filterToWhere(parse('id pr'), { id: 'id', 'not a path': 'other' }))
  expect(write(where)).toBe('id <> ""')
})

it('columns are not found through a prototype', () => {
  const inherited = Object.create({ userName: 'user_name' })
  expect(filterToWhere(parse('userName pr'), inherited).status).toBe('failure')
  expect(filterToWhere(parse('toString pr'), {}).status).toBe('failure')
})

/** SQL with the values as JSON, so that the rows of the tables are readable. */
function write(predicate: Predicate | null): string {
  if (predicate === null) return 'null'
  switch (predicate.type) {
    case 'comparison':
      expect(predicate.valueType).toBe('value')
      return `${predicate.column} ${symbols[predicate.operator]} ${JSON.stringify(predicate.value)}`
    case 'null':
      return `${predicate.column} is ${predicate.operator === 'isNull' ? 'null' : 'not null'}`
    case 'logical': {
      const { operator, predicates } = predicate
      if (predicates.length === 0) return operator === 'and' ? '1 = 1' : '1 = 0'
      return `(${predicates.map(write).join(` ${operator} `)})`
    }
    case 'between':
      throw new Error('a filter never becomes a between')
  }
}

const symbols: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
}

function leaves(predicate: Predicate): number {
  if (predicate.type !== 'logical') return 1
  return predicate.predicates.reduce((sum, one) => sum + leaves(one), 0)
}

/** As SQLite counts them: every operand of a chain but the first adds one level. */
function levels(predicate: Predicate): number {
  if (predicate.type !== 'logical') return 2
  return Math.max(...predicate.predicates.map(levels)) + predicate.predicates.length - 1
}
