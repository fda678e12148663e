import { invalidValue } from '../../error.ts'
import { fold } from '../../values/fold.ts'
import { cellOf, keyText } from '../cells.ts'
import { bindList, chunkRows, sql } from '../fragment.ts'
import type { Values } from './fields.ts'
import { compareKeys } from './read.ts'
import type { Session } from './session.ts'
import { findValues, keysOf } from './values.ts'

/**
 * Finds the ids of referenced rows, keyed by folded value. Throws `400 invalidValue` for a value that does not exist or
 * belongs to another tenant.
 *
 * @param removed the values that are no longer referenced, which may be locked together with the others
 */
export async function resolveTargets(
  session: Session,
  values: Values,
  wanted: readonly string[],
  removed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { node, table } = values
  if (table.target === undefined) return new Map()
  const isLocked = session.rules.forReference !== null
  const ids = await findTargets(session, values, isLocked ? [...wanted, ...removed] : wanted)
  const found = new Map(ids.map((id) => [fold(id), id]))
  const missing = wanted.find((value) => !found.has(fold(value)))
  if (missing !== undefined)
    throw invalidValue(node.name, `${JSON.stringify(missing)} does not exist`)
  return found
}

/**
 * Finds the ids of referenced rows. If the database needs it, the rows are locked in their order before their
 * references change.
 */
async function findTargets(
  session: Session,
  values: Values,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const { name, rules } = session
  const { target } = values.table
  if (target === undefined) return []
  const id = name(target.id)
  const lock = rules.forReference === null ? sql`` : sql` order by ${id}${rules.forReference}`
  const client = session.tenant()
  const tenant =
    target.tenant === undefined || client === null
      ? sql``
      : sql` and ${rules.unindexed(sql`${name(target.tenant)} = ${client}`)}`
  const found: string[] = []
  for (const some of chunkRows([...keysOf(session, values, wanted)].sort(compareKeys))) {
    const statement = sql`select ${id} as ${name('c0')} from ${name(target.table)} where ${id} in (${bindList(some)})${tenant}${lock}`
    for (const row of await session.run(statement)) {
      found.push(keyText(cellOf(row, 'c0'), `${target.table}.${target.id}`))
    }
  }
  return found
}

/** Locks the rows that a resource's values refer to, before the resource is deleted, if the database needs it. */
export async function lockTargets(session: Session, values: Values, id: string): Promise<void> {
  const { rules } = session
  if (rules.forReference === null || !isReference(values)) return
  const known = await findValues(session, values, id, null)
  await findTargets(session, values, known)
}

/** Whether values refer to resources that are locked after this one, such as the members of a group. */
function isReference({ table, node }: Values): boolean {
  return table.target !== undefined && node.mutability !== 'readOnly'
}
