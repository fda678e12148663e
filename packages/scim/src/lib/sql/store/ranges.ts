import type { Place } from '../../list/position.ts'
import { type Fragment, sql } from '../fragment.ts'
import { OPERATORS } from '../rules.ts'
import { encodeKey } from './cursor-key.ts'
import { bindKeys, keyOf } from './read.ts'
import type { Session } from './session.ts'
import type { SqlOrder } from './sort.ts'

/** A range of rows an index returns in order. */
export interface Range {
  /** The condition; null for all rows. */
  readonly where: Fragment | null
  readonly orderBy: Fragment
  /** Whether the rows have a sort key. */
  readonly isAssigned: boolean
}

/**
 * Splits an order into ranges, forward or backward from a place: rows with the same key, rows beyond it, and rows
 * without a key. Each range is a separate statement, because joining their conditions with `or` would prevent index
 * use.
 */
export function rangesFrom(
  session: Session,
  { key, isDescending }: SqlOrder,
  place: Place | null,
): readonly Range[] {
  const { isForward = true, isInclusive = false } = place ?? {}
  const id = session.column(session.map.id.name)
  const byId = isForward ? id : sql`${id} desc`
  const operator = OPERATORS[`${isForward ? 'gt' : 'lt'}${isInclusive ? 'e' : ''}`]
  const beyond = place && sql`${id} ${operator} ${bindKeys(session, [keyOf(session, place.id)])}`
  if (key === null) return [{ where: beyond, orderBy: byId, isAssigned: false }]
  const isDown = isDescending === isForward
  const assigned = {
    where: sql`not ${key.unassigned}`,
    orderBy: sql`${key.order}${isDown ? sql` desc` : sql``}, ${byId}`,
    isAssigned: true,
  }
  const unassigned = { where: key.unassigned, orderBy: byId, isAssigned: false }
  // RFC 7644 §3.4.2.3: unassigned values come last ascending and first descending.
  const all = isDown ? [unassigned, assigned] : [assigned, unassigned]
  if (place === null || beyond === null) return all
  const own = place.key === null ? unassigned : assigned
  const others = all.slice(all.indexOf(own) + 1)
  if (place.key === null) {
    return [{ ...unassigned, where: sql`${key.unassigned} and ${beyond}` }, ...others]
  }
  const value = encodeKey(key, place.key)
  const behind = key.compare(isDown ? 'lt' : 'gt', value)
  return [
    { ...assigned, where: sql`${key.compare('eq', value)} and ${beyond}`, orderBy: byId },
    { ...assigned, where: sql`${assigned.where} and ${behind}` },
    ...others,
  ]
}
