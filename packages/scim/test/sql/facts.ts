import type { Discovery } from '@plumbline/scim/discovery'
import type { SqlColumnMap } from '@plumbline/scim/sql'
import * as base from '../data-table/facts.ts'

// The resource of the proof for data-table, with more forms of columns, and with values in tables of their own.

/** A value of a multi-valued attribute; null if a part is unassigned. */
export interface Item {
  readonly value: string | null
  readonly type: string | null
  readonly rank: number | null
  readonly primary: boolean | null
}

export interface Fact extends base.Fact {
  readonly items: readonly Item[]
  /** The value of the only element of `links` whose type is `work`. */
  readonly work: string | null
}

export const columns: SqlColumnMap = {
  ...base.columns,
  key: { column: 'key_number', key: 'integer' },
  stamped: { column: 'stamped', type: 'dateTime', format: 'timestamp' },
  seconds: { column: 'seconds', type: 'dateTime', format: 'seconds' },
  tags: { table: 'fact_tags', on: { fact_id: 'id' }, columns: { value: { column: 'tag' } } },
  items: {
    table: 'fact_items',
    on: { fact_id: 'id', tenant: 'tenant' },
    columns: {
      value: { column: 'item', caseExact: false },
      type: { column: 'kind' },
      rank: { column: 'rank_number', type: 'integer' },
      primary: { column: 'is_primary', type: 'boolean' },
    },
  },
  'links[work].value': { column: 'work_link' },
}

const ID = 'urn:example:2.0:Fact'

export const definitions: Discovery.Definitions = {
  [ID]: {
    id: ID,
    name: 'Fact',
    attributes: [
      ...(base.definitions[ID]?.attributes ?? []).filter(({ name }) => name !== 'tags'),
      { name: 'tags', type: 'string', multiValued: true, caseExact: true },
      { name: 'key', type: 'string', caseExact: true },
      { name: 'stamped', type: 'dateTime' },
      { name: 'seconds', type: 'dateTime' },
      {
        name: 'items',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string' },
          { name: 'type', type: 'string', caseExact: true },
          { name: 'rank', type: 'integer' },
          { name: 'primary', type: 'boolean' },
          { name: 'other', type: 'string' },
        ],
      },
      {
        name: 'links',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string', caseExact: true },
          { name: 'type', type: 'string' },
        ],
      },
    ],
  },
}

/** The columns of the table `facts`, in the order of its statement. */
export function rowOf({ items: _, work, ...fact }: Fact) {
  const stamp = stampOf(fact)
  return {
    ...base.rowOf(fact),
    key_number: fact.grade,
    stamped: stamp === null ? null : new Date(stamp),
    seconds: stamp === null ? null : Math.floor(stamp / 1000),
    work_link: work,
    tenant: fact.id % 2,
  }
}

export function resourceOf({ items, work, ...fact }: Fact): object {
  const stamp = stampOf(fact)
  const seconds = stamp === null ? null : Math.floor(stamp / 1000) * 1000
  return {
    ...base.resourceOf({ ...fact }),
    key: fact.grade === null ? null : String(fact.grade),
    stamped: stamp === null ? null : new Date(stamp).toISOString(),
    seconds: seconds === null ? null : new Date(seconds).toISOString(),
    items,
    links: work === null ? [] : [{ value: work, type: 'work' }],
  }
}

/** An instant that each database has in its type of timestamps. */
function stampOf({ created }: base.Fact): number | null {
  return created === null ? null : 1_000_000_000_000 + (Math.abs(created) % 100_000_000_000)
}
