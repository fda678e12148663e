import { unwrap } from '@plumbline/result'
import { type ColumnMap, splitFilter } from '@plumbline/scim/data-table'
import type { Filter } from '@plumbline/scim/filter'
import { type Dialect, filterToSql } from '@plumbline/scim/sql'
import {
  condition,
  joinConditions,
  negate,
  PLANNED_FOR_VALUES,
  type SqlCondition,
} from '../condition.ts'
import { writePredicate } from '../list/write-predicate.ts'
import {
  anyOfKeys,
  anyRow,
  joinNarrowings,
  type Narrowing,
  type RowCondition,
  rowCondition,
  UNKNOWN,
} from './element-condition.ts'
import type { IndexedAttribute, IndexedAttributes } from './indexed-attributes.ts'
import type { HasHashes } from './part-test.ts'

/** The tables of a resource type, and the attributes whose values are in them. */
export interface ValueTables {
  /** The table of the resources. */
  readonly resources: string
  readonly columns: ColumnMap
  /** The table of the values of multi-valued attributes. */
  readonly values: string
  readonly attributes: IndexedAttributes
}

/** How a filter is translated for one database and tenant. */
export interface TranslationScope extends ValueTables {
  readonly dialect: Dialect
  readonly hasHashes: HasHashes
}

/** A filter as a tree whose leaves are conditions. */
export type FilterNode =
  | {
      readonly type: 'and' | 'or'
      readonly operands: readonly FilterNode[]
      readonly filter: Filter.Expression
    }
  | { readonly type: 'leaf'; readonly narrowing: Narrowing; readonly filter: Filter.Expression }
  | {
      /** Whether a resource has a row that meets a condition. */
      readonly type: 'rows'
      readonly rows: RowCondition
      readonly filter: Filter.Expression
    }

/** Translates a filter. `not` is pushed down to the comparisons. */
export function translateValues(
  filter: Filter.Expression,
  scope: TranslationScope,
  negated = false,
): FilterNode {
  const whole: Filter.Expression = negated ? { type: 'not', operand: filter } : filter
  switch (filter.type) {
    case 'not':
      return translateValues(filter.operand, scope, !negated)
    case 'logical': {
      const operands = filter.operands.map((one) => translateValues(one, scope, negated))
      // De Morgan: the negation of a disjunction is the conjunction of the negations.
      const isAll = (filter.operator === 'and') !== negated
      return isAll ? { type: 'and', operands, filter: whole } : anyOf(operands, whole)
    }
    default: {
      const attribute = scope.attributes.find(filter.path)
      if (attribute === null) return columnLeaf(whole, scope)
      const node = translateLeaf(filter, attribute, scope)
      return negated ? negateNode(node, whole, scope) : node
    }
  }
}

/** A disjunction. Comparisons of one part with several keys become one selection from the table of values. */
function anyOf(operands: readonly FilterNode[], filter: Filter.Expression): FilterNode {
  const keys = new Map<string, string[]>()
  const others: FilterNode[] = []
  for (const operand of operands) {
    const { path, key } = (operand.type === 'rows' && operand.rows.equal) || NOT_EQUAL
    if (path === null) others.push(operand)
    else {
      const known = keys.get(path)
      if (known) known.push(key)
      else keys.set(path, [key])
    }
  }
  const merged = Array.from(
    keys,
    ([path, all]): FilterNode => ({ type: 'rows', rows: anyOfKeys(path, all), filter }),
  )
  return { type: 'or', operands: [...merged, ...others], filter }
}

const NOT_EQUAL = { path: null, key: '' } as const

/** The filter left to run over the rows that the conditions of a tree select; null if they are exact. */
export function residualOf(node: FilterNode): Filter.Expression | null {
  if (node.type === 'leaf') return node.narrowing.isExact ? null : node.filter
  if (node.type === 'rows') return node.rows.isExact ? null : node.filter
  const left = node.operands.flatMap((operand) => residualOf(operand) ?? [])
  const [first, ...others] = left
  if (first === undefined) return null
  // Any operand of a disjunction may be the one that matches.
  if (node.type === 'or') return node.filter
  return others.length === 0 ? first : { type: 'logical', operator: 'and', operands: left }
}

/** The condition that a resource has a row that meets a condition. */
export function existsRow(
  { resources, values }: ValueTables,
  { text, values: bound }: SqlCondition,
): SqlCondition {
  return condition(
    `exists (select 1 from ${values} v where v.tenant_id = ${resources}.tenant_id ` +
      `and v.resource_id = ${resources}.id and ${text} ${PLANNED_FOR_VALUES})`,
    ...bound,
  )
}

/** A comparison with the columns of the resource. */
function columnLeaf(
  filter: Filter.Expression,
  { columns, resources, dialect }: TranslationScope,
): FilterNode {
  const split = unwrap(splitFilter(filter, columns))
  if (split.where !== null && split.residual === null) {
    return leaf({ condition: writePredicate(split.where), isExact: true }, filter)
  }
  // SQL has more operators than the predicates of the query library, such as `not like`.
  const options = { dialect, table: resources }
  const { strings, parameters, residual } = unwrap(filterToSql(filter, columns, options))
  const made = condition(strings.join('?'), ...parameters)
  const isKnown = made.text !== EVERY
  return leaf({ condition: isKnown ? made : null, isExact: residual === null }, filter)
}

function translateLeaf(
  filter: Filter.Compare | Filter.Present | Filter.ValuePath,
  attribute: IndexedAttribute,
  scope: TranslationScope,
): FilterNode {
  const rowsOf = (inner: Filter.Expression): FilterNode =>
    someElement(inner, filter, attribute, scope)
  if (filter.type === 'valuePath') return rowsOf(filter.filter)
  const { path } = filter
  const inBrackets = { schema: null, attribute: path.subAttribute ?? 'value', subAttribute: null }
  const isElement = path.subAttribute === null
  if (filter.type === 'present') {
    return isElement && attribute.isComplex
      ? anyPart(filter, attribute, scope)
      : rowsOf({ type: 'present', path: inBrackets })
  }
  const { operator, value } = filter
  const exists = existsRow(scope, anyRow({ attribute }))
  if (value === null) {
    // RFC 7643 §2.5: null is unassigned, so that no element exists.
    const isAbsent = operator === 'eq'
    if (!isElement) return leaf(UNKNOWN, filter)
    return leaf({ condition: isAbsent ? negate(exists) : exists, isExact: true }, filter)
  }
  const inner: Filter.Compare = { type: 'compare', path: inBrackets, operator, value }
  if (operator !== 'ne') return rowsOf(inner)
  // RFC 7644 §3.4.2.2: some value differs, or the attribute is unassigned.
  const differs = narrowingOf(rowsOf(inner), scope)
  const isEmpty = { condition: negate(exists), isExact: true }
  return leaf(joinNarrowings('or', [differs, isEmpty]), filter)
}

/** Whether some element matches a filter in brackets (RFC 7644 §3.4.2.2). */
function someElement(
  inner: Filter.Expression,
  filter: Filter.Expression,
  attribute: IndexedAttribute,
  scope: TranslationScope,
): FilterNode {
  if (inner.type === 'logical' && inner.operator === 'or') {
    const operands = inner.operands.map((one) => someElement(one, filter, attribute, scope))
    return anyOf(operands, filter)
  }
  const elements = { table: scope.values, attribute, hasHashes: scope.hasHashes }
  return { type: 'rows', rows: rowCondition(inner, elements), filter }
}

/** RFC 7644 Table 3: a complex value is not empty if one of its parts is not empty. */
function anyPart(
  filter: Filter.Present,
  attribute: IndexedAttribute,
  scope: TranslationScope,
): FilterNode {
  const filled = condition(`(v.value_key <> '' or v.type_key <> '' or v.is_primary is not null)`)
  const rows = joinConditions('and', [anyRow({ attribute }), filled])
  const isExact = attribute.isWhole
  return leaf({ condition: isExact ? existsRow(scope, rows) : null, isExact }, filter)
}

function leaf(narrowing: Narrowing, filter: Filter.Expression): FilterNode {
  return { type: 'leaf', narrowing, filter }
}

/** The negation of a condition that is exact; for any other, no condition. */
function negateNode(
  node: FilterNode,
  filter: Filter.Expression,
  scope: TranslationScope,
): FilterNode {
  const { condition: made, isExact } = narrowingOf(node, scope)
  if (!isExact || made === null) return leaf(UNKNOWN, filter)
  return leaf({ condition: negate(made), isExact }, filter)
}

/** The condition of a tree. */
export function narrowingOf(node: FilterNode, scope: ValueTables): Narrowing {
  switch (node.type) {
    case 'leaf':
      return node.narrowing
    case 'rows': {
      const { condition: rows, isExact } = node.rows
      return { condition: existsRow(scope, rows), isExact }
    }
    default:
      return joinNarrowings(
        node.type,
        node.operands.map((operand) => narrowingOf(operand, scope)),
      )
  }
}

/** The condition of `filterToSql` that selects every row. */
const EVERY = '1 = 1'
