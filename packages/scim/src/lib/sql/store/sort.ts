import { findNode } from '../../filter/find-attributes.ts'
import type { NamedColumn } from '../../predicate/columns.ts'
import type { Comparison } from '../../predicate/predicate.ts'
import { attributeIndex, significantPart } from '../../schema/attribute-index.ts'
import { type Fragment, type SqlValue, sql } from '../fragment.ts'
import { type DialectRules, OPERATORS } from '../rules.ts'
import type { Field } from './fields.ts'
import type { Session } from './session.ts'

/** A row order: a column, and then the id. */
export interface SqlOrder {
  /** The column; null to order by id only. */
  readonly key: SqlSortKey | null
  readonly isDescending: boolean
}

/** A sort column the database orders exactly as memory does. */
export interface SqlSortKey {
  /** The column's table, for errors. */
  readonly table: string
  /** The column's name in a row. */
  readonly column: string
  readonly codec: NamedColumn
  /** Tests whether the attribute is unassigned. */
  readonly unassigned: Fragment
  /** The expression to order by. */
  readonly order: Fragment
  /** Compares the expression with a column value. */
  compare(operator: Comparison, value: SqlValue): Fragment
  /** Tests whether the database may order a row differently from memory; null if it never does. */
  readonly isInexact: Fragment | null
}

/** Returns a request's order; null if the database cannot sort by the path. */
export function orderOf(
  session: Session,
  sortBy: string | null,
  sortOrder: 'ascending' | 'descending',
): SqlOrder | null {
  if (sortBy === null) return { key: null, isDescending: false }
  const field = findField(session, sortBy)
  const key = field && sortKeyOf(field, session)
  return key && { key, isDescending: sortOrder === 'descending' }
}

/** Writes the SQL after `order by`. */
export function orderBy({ column, map }: Session, { key, isDescending }: SqlOrder): Fragment {
  const id = column(map.id.name)
  if (key === null) return id
  const direction = isDescending ? sql` desc` : sql``
  // Unassigned values come last ascending and first descending.
  const ranked = sql`case when ${key.unassigned} then 1 else 0 end`
  return sql`${ranked}${direction}, ${key.order}${direction}, ${id}`
}

/** Finds the column with an attribute's sort key. An attribute in several columns is ordered in memory. */
function findField({ map, options }: Session, sortBy: string): Field | null {
  const node = findNode(sortBy, attributeIndex(options.definitions))
  if (node?.kind !== 'attribute') return null
  const key = significantPart(node)
  const fields = map.fields.filter((field) => field.node === key)
  const [only] = fields
  // The document may contain other elements.
  const isWhole = only?.element === null || map.document === null
  return fields.length === 1 && only !== undefined && isWhole ? only : null
}

function sortKeyOf(
  { codec, node, column: name }: Field,
  { column: write, rules, options: { table } }: Session,
): SqlSortKey | null {
  if (codec === 'json' || 'encode' in codec || codec.kind === 'key') return null
  // Memory ignores letter case, but the column does not.
  if (codec.kind === 'exact' && !node.caseExact) return null
  const column = write(name)
  const { order, compare } = expressionOf(codec, column, rules)
  const isText = codec.kind === 'exact' || codec.kind === 'ilike' || codec.kind === 'folded'
  const unassigned = isText
    ? sql`(${column} is null or ${rules.compareText(column, 'eq', '')})`
    : sql`(${order} is null)`
  const isInexact = codec.kind === 'ilike' ? rules.isNonAscii(column) : null
  return { table, column: name, codec, unassigned, order, compare, isInexact }
}

/** Returns an expression to order a column by, and its comparison. The database folds values as it folds the column. */
function expressionOf(
  codec: NamedColumn,
  column: Fragment,
  rules: DialectRules,
): Pick<SqlSortKey, 'order' | 'compare'> {
  const by = (write: (operand: Fragment) => Fragment): Pick<SqlSortKey, 'order' | 'compare'> => ({
    order: write(column),
    compare: (operator, value) =>
      sql`${write(column)} ${OPERATORS[operator]} ${write(sql`${value}`)}`,
  })
  switch (codec.kind) {
    case 'exact':
    case 'folded':
      return by(rules.order)
    case 'ilike':
      return by(rules.fold)
    case 'dateTime':
      if (codec.format !== 'timestamp') return by((operand) => operand)
      return {
        order: rules.instant(column),
        compare: (operator, value) =>
          rules.compareTimestamp(column, operator, new Date(String(value))),
      }
    case 'boolean':
    case 'integer':
    case 'decimal':
    case 'key':
      return by((operand) => operand)
  }
}
