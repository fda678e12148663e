import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { unwrap } from '@plumbline/result'
import { fold, parseGroup, parseUser, ScimError } from '@plumbline/scim'
import { GROUP_DEFINITION, pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType, type ResourceStore, type WireResource } from '@plumbline/scim/endpoint'

const SHOWN = ['userName', 'name.givenName', 'name.familyName', 'active']
const USER = pickAttributes(USER_DEFINITION, SHOWN)
const META = `'meta', json_object('created', created_at, 'lastModified', updated_at)`
const PERSON = `'externalId', external_id, 'userName', login, 'active', json(iif(is_enabled, 'true',
  'false')), 'name', json_object('givenName', first_name, 'familyName', last_name)`
const TEAM = `'externalId', external_id, 'displayName', title, 'members', (select json_group_array(
  json_object('value', cast(person_id as text))) from team_people where team_id = teams.id)`
// An id of a client is text, such as '7'. '07' is not the same id.
const BY_ID = 'where id = :id and cast(id as text) = :id'

export function resourceTypes(db: DatabaseSync) {
  const users = createStore(db, 'people', PERSON, (id, resource) => {
    const { userName, name, active = true, externalId } = unwrap(parseUser(resource))
    const row = { id, login: userName, login_key: fold(userName), external_id: externalId }
    const names = { first_name: name?.givenName, last_name: name?.familyName }
    return save(db, 'people', { ...row, ...names, is_enabled: Number(active) })
  })
  const groups = createStore(db, 'teams', TEAM, (id, resource) => {
    const { displayName, externalId, members = [] } = unwrap(parseGroup(resource))
    const team = save(db, 'teams', { id, title: displayName, external_id: externalId })
    db.prepare('delete from team_people where team_id = ?').run(team)
    const insert = db.prepare('insert into team_people values (?, ?)')
    for (const { value } of members) insert.run(team, String(value))
    return team
  })
  return [serve('User', USER, users), serve('Group', GROUP_DEFINITION, groups)]
}

const serve = (name: string, schema: typeof GROUP_DEFINITION, store: ResourceStore) =>
  defineResourceType({ name, endpoint: `/${name}s`, definitions: { [schema.id]: schema }, store })

/** Inserts a row, or updates the one with this id. Returns its id. */
function save(db: DatabaseSync, table: string, row: Record<string, SQLInputValue | undefined>) {
  const names = Object.keys(row)
  const sets = names.map((name) => `${name} = excluded.${name}`)
  const sql = `insert into ${table} (${names}) values (${names.map(() => '?')}) on conflict (id)
    do update set ${sets}, updated_at = excluded.updated_at returning id`
  return String(db.prepare(sql).get(...Object.values(row).map((value) => value ?? null))?.['id'])
}

type Save = (id: string | null, resource: WireResource) => string

function createStore(db: DatabaseSync, table: string, json: string, store: Save): ResourceStore {
  const select = `select json_object('id', cast(id as text), ${META}, ${json}) from ${table}`
  const parse = (row: object): WireResource => JSON.parse(Object.values(row).join())
  const read = (id: string) => db.prepare(`${select} ${BY_ID}`).all({ id }).map(parse)
  const write = (id: string | null, resource: WireResource) =>
    read(store(id, resource))[0] ?? resource
  return {
    read: async (id) => read(id)[0] ?? null,
    list: async () => ({ resources: db.prepare(`${select} order by id`).all().map(parse) }),
    create: async (resource) => write(null, resource),
    replace: async (id, resource) => write(id, resource),
    delete: async (id) => db.prepare(`delete from ${table} ${BY_ID}`).run({ id }).changes > 0,
  }
}

/** The errors of the database that the client has caused. */
export function toScimError(error: unknown): ScimError | null {
  const text = String(error)
  if (/UNIQUE/.test(text)) return new ScimError(409, 'already exists', { scimType: 'uniqueness' })
  return /FOREIGN KEY/.test(text) ? new ScimError(400, 'unknown member') : null
}
