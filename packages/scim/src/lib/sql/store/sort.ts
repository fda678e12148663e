import { findNode } from '../../filter/find-attributes.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import { attributeIndex, significantPart } from '../../schema/attribute-index.ts'
import { type Fragment, sql } from '../fragment.ts'
import type { Field } from './fields.ts'
import type { Session } from './session.ts'

/** An order of rows. */
export interface SqlOrder {
  /** The part of a statement after `order by`. */
  readonly orderBy: Fragment
  /** Whether a row may be ordered unlike in memory; null if no row is. */
  readonly isInexact: Fragment | null
}

/** The order of a request. Null if the database cannot sort by the path. */
export function orderOf<Context>(
  session: Session<Context>,
  sortBy: string | null,
  sortOrder: 'ascending' | 'descending',
): SqlOrder | null {
  const id = session.column(session.map.id.name)
  if (sortBy === null) return { orderBy: id, isInexact: null }
  const direction = sortOrder === 'descending' ? sql` desc` : sql``
  const field = findField(session, sortBy)
  if (field === null) return null
  const column = session.column(field.column)
  const key = keyOf(column, field, session)
  if (key === null) return null
  // Unassigned values come last ascending and first descending.
  const unassigned = key.isText
    ? sql`(${column} is null or ${column} = ${''})`
    : sql`(${column} is null)`
  const ranked = sql`case when ${unassigned} then 1 else 0 end`
  return {
    orderBy: sql`${ranked}${direction}, ${key.order}${direction}, ${id}`,
    isInexact: key.isFolded ? session.rules.isNonAscii(column) : null,
  }
}

interface SortKey {
  readonly order: Fragment
  readonly isText: boolean
  /** Whether the database folds only ASCII letters. */
  readonly isFolded: boolean
}

function keyOf<Context>(
  column: Fragment,
  { codec, node }: Field,
  { rules }: Session<Context>,
): SortKey | null {
  if (codec === 'json' || 'encode' in codec) return null
  switch (codec.kind) {
    case 'exact':
    case 'folded':
      return codec.kind === 'exact' && !node.caseExact
        ? null
        : { order: rules.order(column), isText: true, isFolded: false }
    case 'ilike':
      return { order: rules.fold(column), isText: true, isFolded: true }
    case 'boolean':
    case 'integer':
    case 'decimal':
    case 'dateTime':
      return { order: column, isText: false, isFolded: false }
    case 'key':
      return null
  }
}

/** The column that contains the sort key of an attribute. Several elements are ordered in memory. */
function findField<Context>({ map, options }: Session<Context>, sortBy: string): Field | null {
  const node = findNode(sortBy, attributeIndex(options.definitions))
  if (node?.kind !== 'attribute') return null
  const key: AttributeNode = significantPart(node)
  const fields = map.fields.filter((field) => field.node === key)
  const [only] = fields
  return fields.length === 1 && only !== undefined ? only : null
}
