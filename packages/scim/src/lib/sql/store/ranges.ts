import { type Fragment, sql } from '../fragment.ts'
import type { CursorPosition } from './cursor.ts'
import { encodeKey } from './cursor-key.ts'
import { keyOf } from './read.ts'
import type { Session } from './session.ts'
import type { SqlOrder } from './sort.ts'

/** Rows that an index returns in order. */
export interface Range {
  /** The condition; null for all rows. */
  readonly where: Fragment | null
  readonly orderBy: Fragment
  /** Whether the rows have a sort key. */
  readonly isAssigned: boolean
}

/**
 * The ranges of an order after a position: the rows with the same key, the rows with a later key, and those without
 * one. They are a statement each, because a condition that joins them by `or` would not use an index.
 */
export function rangesAfter<Context>(
  session: Session<Context>,
  { key, isDescending }: SqlOrder,
  position: CursorPosition | null,
): readonly Range[] {
  const id = session.column(session.map.id.name)
  const later = position && sql`${id} > ${keyOf(session, position.id)}`
  if (key === null) return [{ where: later, orderBy: id, isAssigned: false }]
  const direction = isDescending ? sql` desc` : sql``
  const assigned: Range & { readonly where: Fragment } = {
    where: sql`not ${key.unassigned}`,
    orderBy: sql`${key.order}${direction}, ${id}`,
    isAssigned: true,
  }
  const unassigned: Range = { where: key.unassigned, orderBy: id, isAssigned: false }
  // RFC 7644 §3.4.2.3: unassigned values come last ascending and first descending.
  if (position === null || later === null) {
    return isDescending ? [unassigned, assigned] : [assigned, unassigned]
  }
  if (position.key === null) {
    const rest = { ...unassigned, where: sql`${key.unassigned} and ${later}` }
    return isDescending ? [rest, assigned] : [rest]
  }
  const value = encodeKey(key, position.key)
  const equal = { ...assigned, where: sql`${key.compare('eq', value)} and ${later}`, orderBy: id }
  const behind = key.compare(isDescending ? 'lt' : 'gt', value)
  const others = { ...assigned, where: sql`${assigned.where} and ${behind}` }
  return isDescending ? [equal, others] : [equal, others, unassigned]
}
