// Lists users from SQLite: the filter runs in SQL as far as possible, and its rest in memory.
import { DatabaseSync } from 'node:sqlite'
import { unwrap } from '@plumbline/result'
import { compareResources, listResponse, parseListQuery, project, ScimError } from '@plumbline/scim'
import { splitFilter } from '@plumbline/scim/data-table'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter } from '@plumbline/scim/filter'
import { column as c, createDatabase, type Predicate, table } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter } from '@remix-run/data-table-sqlite'

const sqlite = new DatabaseSync(':memory:')
sqlite.exec('pragma case_sensitive_like = on')
sqlite.exec(
  'create table users (id text primary key, user_name_key text, active integer, body text)',
)
const db = createDatabase(createSqliteDatabaseAdapter(sqlite))
const users = table({
  name: 'users',
  columns: { id: c.text(), user_name_key: c.text(), active: c.boolean(), body: c.text() },
  primaryKey: 'id',
})
for (const user of [
  { id: '1', userName: 'BJensen', active: true, emails: [{ value: 'b@work.com', type: 'work' }] },
  { id: '2', userName: 'alice', active: true, emails: [{ value: 'a@home.org', type: 'home' }] },
  { id: '3', userName: 'Bob', active: true },
]) {
  const { id, userName, active } = user
  const row = { id, user_name_key: userName.toLowerCase(), active, body: JSON.stringify(user) }
  await db.create(users, row)
}

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
const columns = {
  id: 'id',
  userName: { column: 'user_name_key', folded: true },
  active: { column: 'active', type: 'boolean' },
} as const
const everyRow: Predicate = { type: 'logical', operator: 'and', predicates: [] }
const MAX_ROWS = 10_000

async function listUsers(url: URL): Promise<Response> {
  const query = unwrap(parseListQuery(url, { maxCount: 200, attributes: definitions }))
  const { filter, sortBy, sortOrder, startIndex, count } = query
  const sorted = sortBy === undefined || sortBy.toLowerCase() === 'username'
  // Rejects an invalid filter here, whether or not the database would see it.
  const matches = filter ? unwrap(compileFilter(filter, { definitions })) : () => true
  const split = filter ? unwrap(splitFilter(filter, columns)) : { where: null, residual: null }
  const where = (split.where ?? everyRow) as Predicate<'id'>
  const inSql = split.residual === null && sorted
  const rows = await db.findMany(users, {
    where,
    orderBy: [
      [sortBy ? 'user_name_key' : 'id', sortOrder === 'descending' ? 'desc' : 'asc'],
      ['id', 'asc'],
    ],
    ...(inSql ? { limit: count, offset: startIndex - 1 } : { limit: MAX_ROWS + 1 }),
  })
  if (!inSql && rows.length > MAX_ROWS) {
    throw new ScimError(400, 'too many users would have to be searched', { scimType: 'tooMany' })
  }
  const found = rows.map((row) => JSON.parse(row.body)).filter(matches)
  if (!sorted) found.sort(compareResources(query, definitions))
  const totalResults = inSql ? await db.count(users, { where }) : found.length
  const resources = inSql ? found : found.slice(startIndex - 1, startIndex - 1 + count)
  return listResponse({ resources, totalResults, startIndex }, (user) =>
    project(user, query, definitions),
  )
}

async function namesOf(search: Record<string, string>): Promise<[number, ...string[]]> {
  const url = new URL(`https://example.com/Users?${new URLSearchParams(search)}`)
  const { totalResults, Resources } = await (await listUsers(url)).json()
  return [totalResults, ...Resources.map(({ userName }: { userName: string }) => userName)]
}

const filter = 'userName sw "b" and not (active eq false)'
await namesOf({ filter, sortBy: 'userName', count: '1' }) //=> [2, 'BJensen']
await namesOf({ filter, sortBy: 'userName', count: '1', startIndex: '2' }) //=> [2, 'Bob']
await namesOf({ filter: 'active eq true and emails[type eq "home"]' }) //=> [1, 'alice']
await namesOf({ sortBy: 'emails.value', count: '2' }) //=> [3, 'alice', 'BJensen']
