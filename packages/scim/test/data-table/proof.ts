import { isSuccess, unwrap } from '@plumbline/result'
import { filterToWhere, splitFilter } from '@plumbline/scim/data-table'
import { compileFilter, type Filter, parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import type { Database, Predicate } from '@remix-run/data-table'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { factsOf, filter, type Letters } from './arbitraries.ts'
import { columns, definitions, type Fact, facts, resourceOf, rowOf } from './facts.ts'

/** A database that contains the table of the facts. */
export interface Opened {
  readonly db: Database
  readonly close: () => Promise<void>
}

export interface Proof extends Letters {
  readonly open: () => Promise<Opened>
  /** The number of sets of rows, and the number of filters that run over each. */
  readonly sets: number
  readonly filters: number
}

/**
 * The contract of `filterToWhere` and `splitFilter` for random rows and filters: SQL selects the rows that
 * `compileFilter` selects, and a predicate that is not exact selects every matching row.
 */
export function proveFilters(name: string, { open, sets, filters, dotted }: Proof): void {
  describe(`filters in SQL on ${name}`, () => {
    let opened: Opened
    const counts = { exact: 0, narrowed: 0, memory: 0, rows: 0 }
    // A database that runs in the process takes seconds to start, and more on a busy machine.
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened.close()
      const { exact, narrowed, memory, rows } = counts
      console.log(
        `${name}: ${exact + narrowed + memory} filters over ${rows} rows: ` +
          `${exact} exact, ${narrowed} narrowed, ${memory} in memory`,
      )
    })

    it('filters in SQL select the same rows as in memory', async () => {
      const cases = fc.record({
        rows: factsOf({ dotted }),
        list: fc.array(filter, { minLength: filters, maxLength: filters }),
      })
      await fc.assert(
        fc.asyncProperty(cases, async ({ rows, list }) => {
          await store(opened.db, rows)
          counts.rows += rows.length
          for (const one of list) counts[await prove(opened.db, rows, one)] += 1
        }),
        { numRuns: sets, endOnFailure: true },
      )
      // If every filter were rejected, the test would prove nothing.
      expect(counts.exact).toBeGreaterThan((sets * filters) / 4)
      expect(counts.narrowed).toBeGreaterThan(sets)
    })

    it.each(LIMITS)('the database accepts the statement: %s', async (_, text, matching) => {
      await store(opened.db, [ONE])
      const where = unwrap(filterToWhere(unwrap(parseFilter(text())), columns))
      expect(await select(opened.db, where)).toEqual(matching ? [ONE.id] : [])
    })
  })
}

/** Runs one filter in SQL and in memory, and returns how much of it ran in SQL. */
async function prove(
  db: Database,
  rows: readonly Fact[],
  expression: Filter.Expression,
): Promise<'exact' | 'narrowed' | 'memory'> {
  const expected = matching(rows, expression)
  const { where, residual } = unwrap(splitFilter(expression, columns))
  const exact = filterToWhere(expression, columns)
  expect(isSuccess(exact)).toBe(residual === null)
  if (where === null) {
    same(matching(rows, residual ?? expression), expected, expression, null)
    return 'memory'
  }
  const chosen = new Set(await select(db, where))
  if (residual === null) {
    if (isSuccess(exact)) expect(exact.data).toEqual(where)
    same([...chosen], expected, expression, where)
    return 'exact'
  }
  const candidates = rows.filter(({ id }) => chosen.has(id))
  same(matching(candidates, residual), expected, expression, where)
  return 'narrowed'
}

function matching(rows: readonly Fact[], expression: Filter.Expression): number[] {
  const matches = unwrap(compileFilter(expression, { definitions }))
  return rows.filter((row) => matches(resourceOf(row))).map(({ id }) => id)
}

function same(
  chosen: readonly number[],
  expected: readonly number[],
  expression: Filter.Expression,
  where: Predicate | null,
): void {
  if (chosen.join() === expected.join()) return
  const sql = JSON.stringify(where)
  throw new Error(`${stringifyFilter(expression)} chose ${chosen}, not ${expected}, by ${sql}`)
}

async function select(db: Database, where: Predicate): Promise<number[]> {
  const rows = await db.findMany(facts, { where: where as never, orderBy: ['id', 'asc'] })
  return rows.map(({ id }) => id)
}

async function store(db: Database, rows: readonly Fact[]): Promise<void> {
  await db.deleteMany(facts, { where: EVERY as never })
  await db.createMany(facts, rows.map(rowOf))
}

const EVERY: Predicate = { type: 'logical', operator: 'and', predicates: [] }

const ONE: Fact = {
  id: 7,
  exact: 'u9999',
  loose: 'x'.repeat(90),
  shown: null,
  active: true,
  done: null,
  ready: null,
  grade: null,
  age: 1,
  score: 1.5,
  created: 0,
  modified: 0,
  tags: [],
  other: null,
}

const many = (count: number, clause: (at: number) => string, operator = 'or'): string =>
  Array.from({ length: count }, (_, at) => clause(at)).join(` ${operator} `)

/** The largest that is translated. */
export const LIMITS: readonly (readonly [name: string, text: () => string, matching: boolean])[] = [
  ['10,000 clauses', () => many(10_000, (at) => `exact eq "u${at}"`), true],
  ['2,000 patterns', () => many(2_000, (at) => `exact ew "${at}"`), true],
  ['2,000 negated clauses', () => many(2_000, (at) => `exact ne "v${at}"`, 'and'), true],
  ['32,000 clauses', () => many(32_000, (at) => `age eq ${-at}`), false],
  [
    '62 levels of parentheses',
    () => `${'(not (age eq 2) and (active eq true or '.repeat(31)}age pr${'))'.repeat(31)}`,
    true,
  ],
  [
    '31 levels of 16 clauses each',
    () => `${`not (${many(15, () => 'age eq 2')} or `.repeat(31)}age eq 2${')'.repeat(31)}`,
    true,
  ],
  ['a pattern of 16,000 characters', () => `exact co "${'\uffff'.repeat(16_000)}"`, false],
  ['a million characters', () => many(62, () => `exact eq "${'\uffff'.repeat(16_000)}"`), false],
  ['64 forms of a value', () => `loose co "${'k'.repeat(6)}"`, false],
]
