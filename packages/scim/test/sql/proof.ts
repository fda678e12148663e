import { unwrap } from '@plumbline/result'
import { compileFilter, type Filter, parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { narrowFilter, predicateToSql, renderSql, valueIndex } from '@plumbline/scim/internal'
import { type Dialect, filterToSql, type SqlFilter } from '@plumbline/scim/sql'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../data-table/proof.ts'
import { facts, filter } from './arbitraries.ts'
import { columns, definitions, type Fact, resourceOf, rowOf } from './facts.ts'
import type { Execute, Opened } from './tables.ts'

export interface Proof {
  readonly dialect: Dialect
  readonly open: () => Promise<Opened>
  /** The number of sets of rows, and the number of filters that run over each. */
  readonly sets: number
  readonly filters: number
  /** Whether the values of multi-valued attributes are in an index; else each attribute has a table or columns. */
  readonly isIndexed?: boolean
}

type Selection = Pick<SqlFilter, 'sql' | 'parameters' | 'residual'>
type Translate = (execute: Execute, filter: Filter.Expression) => Promise<Selection>

/**
 * The contract of `filterToSql` for random rows and filters: SQL selects the rows that `compileFilter` selects,
 * and a condition that is not exact selects every matching row.
 */
export function proveSql(
  name: string,
  { dialect, open, sets, filters, isIndexed = false }: Proof,
): void {
  const translate = isIndexed ? translateIndexed(dialect) : translateColumns(dialect)
  describe(`filters as SQL on ${name}`, () => {
    let opened: Opened
    const counts = { exact: 0, narrowed: 0, memory: 0, rows: 0 }
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened.close()
      const { exact, narrowed, memory, rows } = counts
      console.log(
        `${name}: over ${rows} rows ${exact} exact, ${narrowed} narrowed, ${memory} in memory`,
      )
    })

    it('filters as SQL select the same rows as in memory', async () => {
      const cases = fc.record({
        rows: facts,
        list: fc.array(filter, { minLength: filters, maxLength: filters }),
      })
      await fc.assert(
        fc.asyncProperty(cases, async ({ rows, list }) => {
          await store(opened.execute, dialect, rows)
          counts.rows += rows.length
          for (const one of list) counts[await prove(opened.execute, translate, rows, one)] += 1
        }),
        { numRuns: sets, endOnFailure: true },
      )
      // If no filter were exact, the test would prove nothing.
      expect(counts.exact).toBeGreaterThan((sets * filters) / 2)
      expect(counts.narrowed).toBeGreaterThan(sets)
    })

    const members = () => many(10_000, (at) => `items.value eq "u${at}"`)
    const tags = () => many(10_000, (at) => `tags co "${at === 9 ? 'b' : at}"`)
    it.each([
      ['10,000 members', members, true],
      // An index would need a selection for each tag, and a statement has at most 50.
      ...(isIndexed ? [] : [...LIMITS, ['10,000 tags', tags, true]]),
    ] as typeof LIMITS)('the database accepts the statement: %s', async (_, text, matches) => {
      await store(opened.execute, dialect, [ONE])
      const where = await translate(opened.execute, unwrap(parseFilter(text())))
      expect(where.residual).toBeNull()
      expect(await select(opened.execute, where)).toEqual(matches ? [ONE.id] : [])
    })
  })
}

function translateColumns(dialect: Dialect): Translate {
  return async (_, expression) =>
    unwrap(filterToSql(expression, columns, { dialect, table: 'facts' }))
}

/** Translates with the index, and looks up the values that few rows have. */
function translateIndexed(dialect: Dialect): Translate {
  const indexed = { ...columns, ...INDEX.columns }
  return async (execute, expression) => {
    const run = async (statement: Parameters<typeof renderSql>[0]) => {
      const { sql, parameters } = renderSql(statement, dialect)
      return await execute(sql, parameters)
    }
    const search = { run, dialect, id: 'id', index: INDEX }
    const { where, residual } = await narrowFilter(expression, indexed, search)
    if (where === null) return { sql: '1 = 1', parameters: [], residual }
    return { ...renderSql(predicateToSql(where, { dialect, table: 'facts' }), dialect), residual }
  }
}

const INDEX = valueIndex(definitions, {
  table: 'fact_values',
  on: { fact_id: 'id' },
  hash: (text) =>
    Array.from(text, (_, at) => text.charCodeAt(at).toString(16))
      .join('')
      .slice(-40),
})

/** Runs one filter in SQL and in memory, and returns how much of it ran in SQL. */
async function prove(
  execute: Execute,
  translate: Translate,
  rows: readonly Fact[],
  expression: Filter.Expression,
): Promise<'exact' | 'narrowed' | 'memory'> {
  const expected = matching(rows, expression)
  const where = await translate(execute, expression)
  const { residual } = where
  const chosen = new Set(
    await select(execute, where).catch((cause) => fail(expression, where, cause)),
  )
  const candidates = rows.filter(({ id }) => chosen.has(id))
  const found = residual === null ? [...chosen] : matching(candidates, residual)
  if (found.join() !== expected.join()) fail(expression, where, `${found}, not ${expected}`)
  if (residual === null) return 'exact'
  return where.sql === '1 = 1' ? 'memory' : 'narrowed'
}

function fail(
  expression: Filter.Expression,
  { sql, parameters }: Selection,
  cause: unknown,
): never {
  const values = parameters.map((value) => (typeof value === 'bigint' ? `${value}` : value))
  const text = `${stringifyFilter(expression)} as ${sql} with ${JSON.stringify(values)}: ${cause}`
  throw new Error(text, { cause })
}

function matching(rows: readonly Fact[], expression: Filter.Expression): number[] {
  const matches = unwrap(compileFilter(expression, { definitions }))
  return rows.filter((row) => matches(resourceOf(row))).map(({ id }) => id)
}

async function select(execute: Execute, { sql, parameters }: Selection): Promise<number[]> {
  const rows = await execute(`select id from facts where ${sql} order by id`, parameters)
  return rows.map(({ id }) => Number(id))
}

async function store(execute: Execute, dialect: Dialect, rows: readonly Fact[]): Promise<void> {
  for (const table of ['facts', 'fact_tags', 'fact_items', 'fact_values'])
    await execute(`delete from ${table}`, [])
  await insert(execute, dialect, 'facts', rows.map(rowOf))
  const tags = rows.flatMap(({ id, tags: all }) => all.map((tag) => ({ fact_id: id, tag })))
  await insert(
    execute,
    dialect,
    'fact_tags',
    tags.map((row, id) => ({ id, ...row })),
  )
  const items = rows.flatMap((row) =>
    row.items.flatMap(({ value, type, rank, primary }) => {
      const item = {
        fact_id: row.id,
        item: value,
        kind: type,
        rank_number: rank,
        is_primary: primary,
      }
      // The row of another tenant must not be found.
      const other = { ...item, tenant: 1 - (row.id % 2), item: 'a', kind: 'a' }
      return [{ ...item, tenant: row.id % 2 }, other]
    }),
  )
  await insert(
    execute,
    dialect,
    'fact_items',
    items.map((row, id) => ({ id, ...row })),
  )
  const values = rows.flatMap((row) =>
    INDEX.rowsOf({ ...resourceOf(row) }).map((value) => ({ fact_id: row.id, ...value })),
  )
  await insert(execute, dialect, 'fact_values', values)
}

async function insert(
  execute: Execute,
  dialect: Dialect,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const names = Object.keys(first)
  const lists = rows.map((_, row) =>
    names.map((__, at) => placeholder(row * names.length + at + 1)),
  )
  const sql = `insert into ${table} (${names}) values ${lists.map((list) => `(${list})`)}`
  await execute(
    sql,
    rows.flatMap((row) => Object.values(row).map(toParameter)),
  )

  function placeholder(position: number): string {
    return dialect === 'postgres' ? `$${position}` : '?'
  }

  function toParameter(value: unknown): unknown {
    if (dialect !== 'sqlite') return value
    if (value instanceof Date) return value.toISOString().slice(0, 23).replace('T', ' ')
    return typeof value === 'boolean' ? Number(value) : value
  }
}

function many(count: number, clause: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => clause(at)).join(' or ')
}

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
  tags: ['b'],
  other: null,
  items: [{ value: 'U9999', type: null, rank: null, primary: null }],
  work: null,
}
