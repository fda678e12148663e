import type { SeveralTables } from '../../endpoint/options/resource-type.ts'
import type { ResourceStore, StoreRequest } from '../../endpoint/options/store.ts'
import { describeColumns } from './describe-columns.ts'
import type { StoreMap } from './fields.ts'
import { listRows } from './list.ts'
import { lockRows, readResource } from './read.ts'
import { findHolders, removeReferences } from './references.ts'
import { createSession, prepareStore, type Session } from './session.ts'
import type { OneTableOptions, SqlStore, SqlStoreOptions } from './types.ts'
import { findValues } from './values.ts'
import { translateViolations } from './violations.ts'
import { changeMembers, createResource, deleteRow, replaceRow } from './write.ts'

/**
 * Creates a store over an existing table, from a map of attributes to columns. It reads, writes, filters, sorts and
 * pages in SQL as far as that is exact; the endpoint does the rest in memory.
 *
 * Serve the resource type with `store.definitions`, which contains exactly the mapped attributes. Give the endpoint a
 * `transaction` whose context reaches `execute`: a map with a table for values, an `index` or a hook `created` requires
 * it, because writes change several tables.
 *
 * - Unique attributes are also checked ignoring letter case. A violated database constraint is `409 uniqueness` or
 *   `400 invalidValue` with the attribute's name. If its column is not in the map, or has another type, the program is at
 *   fault: a `TypeError` names the column and says what to do.
 * - Attributes may share a column, such as `userName` and `emails[work].value`. The store keeps the attribute the
 *   request changed; different values are `400 invalidValue`.
 * - A value without a place, such as a second work address, is `400 invalidValue`. `externalId` is ignored if the map
 *   does not contain it.
 *
 * Throws a `TypeError` for a map that does not fit the definitions.
 *
 * @example
 * ```ts
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { sqlStore } from '@plumbline/scim/sql'
 *
 * const users = sqlStore({
 *   execute: () => [],
 *   dialect: 'postgres',
 *   definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
 *   table: 'users',
 *   id: { column: 'id', key: 'integer' },
 *   attributes: { userName: 'email', 'name.givenName': 'first_name', active: 'is_enabled' },
 * })
 * const [definition] = Object.values(users.definitions)
 * definition?.attributes.map(({ name }) => name) //=> ['userName', 'name', 'active']
 * ```
 * @see RFC 7644 §3
 */
export function sqlStore<Context = unknown>(options: OneTableOptions<Context>): SqlStore<Context>
export function sqlStore<Context = unknown>(
  options: SqlStoreOptions<Context>,
): SqlStore<Context> & SeveralTables
export function sqlStore<Context = unknown>(
  options: SqlStoreOptions<Context>,
): SqlStore<Context> & SeveralTables {
  const prepared = prepareStore(options)
  const { map } = prepared
  const sessionOf = (context: Context): Session => createSession(prepared, context)
  const write = <Value>(
    context: Context,
    { signal }: StoreRequest,
    work: (session: Session) => Promise<Value>,
  ): Promise<Value> =>
    translateViolations(prepared, () => work(createSession(prepared, context, signal)))
  const store: ResourceStore<Context> = {
    cursors: { timeout: options.cursors?.timeout },
    read: (id, context, request) => readResource(sessionOf(context), id, request),
    list: (context, request) => listRows(sessionOf(context), request),
    create: (resource, context, request) =>
      write(context, request, (session) => createResource(session, resource, request)),
    replace: (id, resource, context, request) =>
      write(context, request, (session) => replaceRow(session, id, resource, request)),
    delete: (id, context, request) => write(context, request, (session) => deleteRow(session, id)),
    lock: (ids, context, { signal }) => lockRows(createSession(prepared, context, signal), ids),
    ...(map.values.some(({ table }) => table.target !== undefined) && {
      removeReferences: (id, context, request) =>
        write(context, request, (session) => removeReferences(session, id, request)),
    }),
  }
  const described = {
    ...store,
    definitions: map.definitions,
    table: options.table,
    writesTo: tablesOf(options, map),
    ...describeColumns(map),
  }
  const members = map.values.find(({ node }) => node.name === 'members' && node.parent === null)
  if (members === undefined) return described
  return {
    ...described,
    changeMembers: (id, plan, context, request) =>
      write(context, request, (session) => changeMembers(session, members, id, plan, request)),
    findMembers: (id, values, context) => findValues(sessionOf(context), members, id, values),
    findHolders: (values, context, request) =>
      findHolders(sessionOf(context), members, values, request),
  }
}

/** Lists the places that a write changes. */
function tablesOf<Context>(
  { table, hooks }: SqlStoreOptions<Context>,
  { values, index }: StoreMap,
): readonly string[] {
  const others = values.map((one) => one.table.table)
  const indexes = index === null ? [] : [index.table]
  const hook = hooks?.created === undefined ? [] : ['hooks.created']
  return [...new Set([table, ...others, ...indexes, ...hook])]
}
