import { isJsonObject, own } from '../../json.ts'
import { bindList, type Fragment, joinFragments, type SqlValue, sql } from '../fragment.ts'
import { adviceForKeys } from './mistakes.ts'
import type { Session } from './session.ts'

/** Inserts a row and returns its id: a new UUID, or a key assigned by the database. */
export async function insertRow<Context>(
  session: Session<Context>,
  row: ReadonlyMap<string, SqlValue>,
  context: Context,
): Promise<string> {
  const { options, map, name } = session
  const { id } = map
  const isAssigned = id.kind === 'key' && id.type === 'integer'
  if (!isAssigned) {
    const chosen = crypto.randomUUID()
    await session.run(insertOf(session, new Map([...row, [id.name, chosen]])), context)
    return chosen
  }
  if (options.dialect === 'mysql') {
    await session.requireInsertIds(context)
    const result = await session.execute(insertOf(session, row), context)
    return keyIn(result, `${options.table}.${id.name}`)
  }
  const [inserted] = await session.run(
    sql`${insertOf(session, row)} returning ${name(id.name)} as ${name('id')}`,
    context,
  )
  if (inserted === undefined) {
    throw new TypeError(
      'execute returned no rows for "insert … returning": return the rows of writes',
    )
  }
  // SQLite accepts null in a key that is text.
  if (inserted.id == null) {
    throw new TypeError(`${options.table}.${id.name} ${adviceForKeys(id.name)}`)
  }
  return String(inserted.id)
}

function insertOf<Context>(
  { options, name }: Session<Context>,
  row: ReadonlyMap<string, SqlValue>,
): Fragment {
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
