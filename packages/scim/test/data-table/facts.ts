import type { ColumnMap } from '@plumbline/scim/data-table'
import type { Discovery } from '@plumbline/scim/discovery'
import { column as c, table } from '@remix-run/data-table'

// A resource with one attribute for every form of column, and two attributes without a column.

/** The columns of a resource in a database; null if an attribute is unassigned. */
export interface Fact {
  readonly id: number
  readonly exact: string | null
  readonly loose: string | null
  readonly shown: string | null
  readonly active: boolean | null
  readonly done: boolean | null
  readonly ready: boolean | null
  readonly grade: number | null
  readonly age: number | null
  readonly score: number | null
  readonly created: number | null
  readonly modified: number | null
  readonly tags: readonly string[]
  readonly other: string | null
}

/** The names show the kind of column. In the values of filters, two of them look like columns. */
export const facts = table({
  name: 'facts',
  columns: {
    id: c.integer(),
    exact: c.text().nullable(),
    loose: c.text().nullable(),
    shown_key: c.text().nullable(),
    active: c.boolean().nullable(),
    done: c.boolean().nullable(),
    ready: c.boolean().nullable(),
    grade: c.integer().nullable(),
    age: c.integer().nullable(),
    score: c.decimal(17, 2).nullable(),
    created: c.integer().nullable(),
    modified: c.text().nullable(),
  },
  primaryKey: 'id',
})

export const columns: ColumnMap = {
  exact: 'facts.exact',
  loose: { column: 'loose', caseExact: false },
  shown: { column: 'shown_key', folded: true },
  // Without a type: RFC 7643 defines `active`; the types of the others are unknown.
  active: 'active',
  done: 'facts.done',
  grade: 'grade',
  ready: { column: 'ready', type: 'boolean' },
  age: { column: 'age', type: 'integer' },
  score: { column: 'score', type: 'decimal' },
  created: { column: 'created', type: 'dateTime' },
  modified: { column: 'modified', type: 'dateTime', format: 'text' },
}

export const definitions: Discovery.Definitions = {
  'urn:example:2.0:Fact': {
    id: 'urn:example:2.0:Fact',
    name: 'Fact',
    attributes: [
      { name: 'exact', type: 'string', caseExact: true },
      { name: 'loose', type: 'string' },
      { name: 'shown', type: 'string' },
      { name: 'active', type: 'boolean' },
      { name: 'done', type: 'boolean' },
      { name: 'ready', type: 'boolean' },
      { name: 'grade', type: 'integer' },
      { name: 'age', type: 'integer' },
      { name: 'score', type: 'decimal' },
      { name: 'created', type: 'dateTime' },
      { name: 'modified', type: 'dateTime' },
      { name: 'tags', type: 'string', multiValued: true },
      { name: 'other', type: 'string' },
    ],
  },
}

export function rowOf({ shown, modified, tags: _, other: __, ...row }: Fact) {
  return {
    ...row,
    shown_key: shown === null ? null : shown.toLowerCase(),
    modified: modified === null ? null : new Date(modified).toISOString(),
  }
}

/** The wire resource of a row. RFC 7643 §2.5: null and absence are one state; both are written. */
export function resourceOf(fact: Fact): object {
  const { id, created, modified, other, ...rest } = fact
  const resource = {
    ...rest,
    created: created === null ? null : inOffset(created),
    modified: modified === null ? null : new Date(modified).toISOString(),
    ...(other === null ? {} : { other }),
  }
  if (id % 2 === 0) return resource
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null))
}

/** The same instant as clocks two hours ahead of UTC show it, where that is a year of four digits. */
function inOffset(instant: number): string {
  const text = new Date(instant + 2 * 3_600_000).toISOString()
  return text.length === 24 ? text.replace('Z', '+02:00') : new Date(instant).toISOString()
}
