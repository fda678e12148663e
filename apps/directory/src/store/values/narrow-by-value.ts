import type { Filter } from '@plumbline/scim/filter'
import { rawSql } from '@remix-run/data-table'
import { condition, joinConditions, PLANNED_FOR_VALUES, type SqlCondition } from '../condition.ts'
import { BroadSearchError, type NarrowedFilter } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'
import { readRows } from '../tables.ts'
import { joinNarrowings, type Narrowing, type RowCondition } from './element-condition.ts'
import type { IndexedAttributes } from './indexed-attributes.ts'
import type { HasHashes } from './part-test.ts'
import {
  existsRow,
  type FilterNode,
  narrowingOf,
  residualOf,
  translateValues,
  type ValueTables,
} from './translate-values.ts'

/**
 * Narrows a filter by the index of multi-valued attributes. The condition is exact unless a comparison is one that
 * keys cannot express; that part of the filter is left to memory.
 *
 * Values that few resources have are looked up first, and the condition contains the ids of their resources. For
 * others, the database tests each resource in the order of the list, so that a page ends when it is full.
 *
 * Throws a BroadSearchError if the search is not a lookup as expected.
 */
export async function narrowByValue(
  scope: TenantScope,
  filter: Filter.Expression,
  tables: ValueTables,
): Promise<NarrowedFilter> {
  const whole = await translate(scope, filter, tables)
  const isSmall = countSelections(whole) <= MOST_SELECTIONS
  const tree = isSmall ? whole : await translate(scope, filter, { ...tables, attributes: NONE })
  const lookups: Lookups = { left: MOST_LOOKUPS, hasMany: false }
  const { narrowing, isFew } = await lookUp(scope, tree, tables, lookups)
  if (scope.isLookUp === true && lookups.hasMany && !isFew) throw new BroadSearchError()
  return { where: null, condition: narrowing.condition, residual: residualOf(tree) }
}

/** The number of selections from the table of values. */
function countSelections(node: FilterNode): number {
  switch (node.type) {
    case 'leaf':
      return selectionsIn(node.narrowing.condition)
    case 'rows':
      return 1 + selectionsIn(node.rows.condition)
    default:
      return node.operands.reduce((sum, operand) => sum + countSelections(operand), 0)
  }
}

function selectionsIn(made: SqlCondition | null): number {
  return made === null ? 0 : made.text.split('exists (').length - 1
}

/** Translates a filter; again if a tenant has values whose keys are hashes, which few tenants have. */
async function translate(
  scope: TenantScope,
  filter: Filter.Expression,
  tables: ValueTables,
): Promise<FilterNode> {
  const asked = new Set<string>()
  const translateWith = (hasHashes: HasHashes): FilterNode =>
    translateValues(filter, { ...tables, dialect: scope.dialect.name, hasHashes })
  const tree = translateWith(({ hashedPath }) => {
    asked.add(hashedPath)
    return false
  })
  const hashed = new Set<string>()
  for (const path of asked) if (await hasRows(scope, tables, path)) hashed.add(path)
  return hashed.size === 0 ? tree : translateWith(({ hashedPath }) => hashed.has(hashedPath))
}

async function hasRows(
  { db, tenantId }: TenantScope,
  { values }: ValueTables,
  path: string,
): Promise<boolean> {
  const text = `select 1 from ${values} where tenant_id = ? and attribute = ? limit 1`
  return (await readRows(db, rawSql(text, [tenantId, path]))).length > 0
}

interface Lookups {
  /** How many more lookups the search may run. */
  left: number
  /** Whether one of them found a value that many resources have. */
  hasMany: boolean
}

interface LookedUp {
  readonly narrowing: Narrowing
  /** Whether only few resources meet the condition. */
  readonly isFew: boolean
}

async function lookUp(
  scope: TenantScope,
  node: FilterNode,
  tables: ValueTables,
  lookups: Lookups,
): Promise<LookedUp> {
  if (node.type === 'leaf') return { narrowing: node.narrowing, isFew: false }
  if (node.type === 'rows') return await lookUpRows(scope, node.rows, tables, lookups)
  const isAll = node.type === 'and'
  const found: LookedUp[] = []
  for (const operand of node.operands) {
    const isNarrow = isAll && found.some(({ isFew }) => isFew)
    found.push(
      isNarrow
        ? { narrowing: narrowingOf(operand, tables), isFew: false }
        : await lookUp(scope, operand, tables, lookups),
    )
  }
  const narrowing = joinNarrowings(
    node.type,
    found.map((one) => one.narrowing),
  )
  const isFew = ({ isFew }: LookedUp): boolean => isFew
  return { narrowing, isFew: isAll ? found.some(isFew) : found.every(isFew) }
}

async function lookUpRows(
  scope: TenantScope,
  { condition: rows, indexed, isExact }: RowCondition,
  tables: ValueTables,
  lookups: Lookups,
): Promise<LookedUp> {
  const exists = existsRow(tables, rows)
  for (const one of indexed) {
    if (lookups.left === 0) break
    lookups.left -= 1
    const ids = await findOwners(scope, tables, one)
    if (ids.length <= MOST_OWNERS) {
      const own = inList(`${tables.resources}.id`, [...new Set(ids)])
      const made = one === rows ? own : joinConditions('and', [own, exists])
      return { narrowing: { condition: made, isExact }, isFew: true }
    }
    lookups.hasMany = true
  }
  return { narrowing: { condition: exists, isExact }, isFew: false }
}

async function findOwners(
  { db, tenantId }: TenantScope,
  { values }: ValueTables,
  { text, values: bound }: SqlCondition,
): Promise<readonly string[]> {
  const statement = `select v.resource_id from ${values} v where v.tenant_id = ? and ${text} limit ${MOST_OWNERS + 1}`
  const rows = await readRows<Owner>(db, rawSql(statement, [tenantId, ...bound]))
  return rows.map(({ resource_id }) => resource_id)
}

interface Owner {
  readonly resource_id: string
}

function inList(column: string, ids: readonly string[]): SqlCondition {
  // Selects no row, by the index on ids.
  if (ids.length === 0) return condition(`${column} in (null)`)
  if (ids.length === 1) return condition(`${column} = ?`, ...ids)
  // Each number of ids is a statement of its own, whose plan would not be used again.
  return condition(`${column} in (${ids.map(() => '?').join(', ')} ${PLANNED_FOR_VALUES})`, ...ids)
}

const NONE: IndexedAttributes = { all: [], find: () => null }
/** The maximum number of selections from the table of values, each of which costs time for every resource. */
const MOST_SELECTIONS = 50
/** The maximum number of rows for which a condition contains the ids of their resources. */
const MOST_OWNERS = 1_000
/** The maximum number of values that are looked up for one search. */
const MOST_LOOKUPS = 10
