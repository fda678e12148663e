import { isJsonObject, own } from '../../json.ts'
import { cellOf, keyText } from '../cells.ts'
import { bindList, type Fragment, joinFragments, type SqlValue, sql } from '../fragment.ts'
import { adviceForKeys } from './mistakes.ts'
import { isAssigned } from './probe.ts'
import type { Session } from './session.ts'

/** Inserts a row and returns its id: a new UUID, or a key the database assigns. */
export async function insertRow(
  session: Session,
  row: ReadonlyMap<string, SqlValue>,
): Promise<string> {
  const { options, map } = session
  const [column = map.id.name] = row.keys()
  await session.probe(column)
  if (!isAssigned(map)) {
    const chosen = crypto.randomUUID()
    await session.run(insertOf(session, new Map([...row, [map.id.name, chosen]])))
    return chosen
  }
  if (options.dialect !== 'mysql') return await insertReturning(session, row)
  const result = await session.execute(insertOf(session, row))
  return keyIn(result, `${options.table}.${map.id.name}`)
}

async function insertReturning(
  session: Session,
  row: ReadonlyMap<string, SqlValue>,
): Promise<string> {
  const { options, map, name } = session
  const [inserted] = await session.run(
    sql`${insertOf(session, row)} returning ${name(map.id.name)} as ${name('id')}`,
  )
  if (inserted === undefined) {
    throw new TypeError(
      'execute returned no rows for "insert … returning": return the rows of writes',
    )
  }
  const id = cellOf(inserted, 'id')
  const place = `${options.table}.${map.id.name}`
  if (id !== null && id !== undefined) return keyText(id, place)
  await deleteWithoutKey(session, row)
  throw new TypeError(`${place} ${adviceForKeys(map.id.name)}`)
}

/** Deletes the inserted row. SQLite accepts null in a key that is not `integer primary key`, also without a transaction. */
async function deleteWithoutKey(
  { options, map, name, run }: Session,
  row: ReadonlyMap<string, SqlValue>,
): Promise<void> {
  const table = name(options.table)
  const same = [[map.id.name, null] as const, ...row].map(
    ([column, value]) => sql`${name(column)} is ${value}`,
  )
  const last = sql`select max(rowid) from ${table} where ${joinFragments(same, ' and ')}`
  try {
    await run(sql`delete from ${table} where rowid = (${last})`)
  } catch {
    // A view does not have a rowid. The error about the key says more.
  }
}

function insertOf({ options, name }: Session, row: ReadonlyMap<string, SqlValue>): Fragment {
  const columns = joinFragments([...row.keys()].map(name), ', ')
  return sql`insert into ${name(options.table)} (${columns}) values (${bindList([...row.values()])})`
}

/**
 * Returns the inserted key from a statement's result. `select last_insert_id()` is not safe: it returns another
 * request's key if both use the connection, or 0 on another connection in the pool.
 */
function keyIn(result: unknown, column: string): string {
  const id = isJsonObject(result) ? own(result, 'insertId') : undefined
  const isExact = typeof id !== 'number' || Number.isSafeInteger(id)
  if (isExact && /^[1-9]\d*$/.test(String(id))) return String(id)
  throw new TypeError(
    `${column} must be an auto_increment column whose keys the driver returns exactly, but insertId is ${id}`,
  )
}
