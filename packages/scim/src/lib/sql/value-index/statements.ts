import type { Dialect } from '../dialect.ts'
import { rulesOf } from '../dialect.ts'
import { type Fragment, joinFragments, type SqlValue, sql } from '../fragment.ts'
import { writeName } from '../names.ts'
import { listOf } from '../rules.ts'
import type { IndexRow } from './rows.ts'

/** The columns connecting index rows to a resource, with their values, such as `{ user_id: 'a' }`. */
export type RowOwner = Readonly<Record<string, SqlValue>>

/** An index row with the resource it belongs to. */
export interface OwnedRow {
  readonly owner: RowOwner
  readonly row: IndexRow
}

/** Builds insert statements for index rows. All owners have the same columns. */
export function insertRows(
  table: string,
  rows: readonly OwnedRow[],
  dialect: Dialect,
): readonly Fragment[] {
  const rules = rulesOf(dialect)
  const statements: Fragment[] = []
  for (let at = 0; at < rows.length; at += MAX_TOGETHER) {
    const some = rows.slice(at, at + MAX_TOGETHER)
    const names = [...Object.keys(some[0]?.owner ?? {}), ...COLUMNS]
    const columns = listOf(names.map((name) => writeName(name, rules)))
    const places = some.map(({ owner, row }) =>
      listOf([...Object.values(owner), ...COLUMNS.map((one) => row[one])].map(bound)),
    )
    statements.push(
      sql`insert into ${writeName(table, rules)} ${columns} values ${joinFragments(places, ', ')}`,
    )
  }
  return statements
}

/** Builds a statement to delete a resource's rows for one attribute. */
export function deleteRange(
  table: string,
  owner: RowOwner,
  { start, end }: { readonly start: string; readonly end: string },
  dialect: Dialect,
): Fragment {
  const rules = rulesOf(dialect)
  const attribute = writeName('attribute', rules)
  const own = Object.entries(owner).map(
    ([name, value]) => sql`${writeName(name, rules)} = ${value}`,
  )
  const range = [sql`${attribute} >= ${start}`, sql`${attribute} < ${end}`]
  return sql`delete from ${writeName(table, rules)} where ${joinFragments([...own, ...range], ' and ')}`
}

function bound(value: SqlValue): Fragment {
  return sql`${value}`
}

const COLUMNS = ['attribute', 'position', 'value_key', 'type_key', 'is_primary'] as const
/** SQLite accepts 32,766 values per statement. */
const MAX_TOGETHER = 4_000
