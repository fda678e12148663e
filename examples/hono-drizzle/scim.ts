import { unwrap } from '@plumbline/result'
import { fold, parseGroup, parseUser, ScimError } from '@plumbline/scim'
import {
  type Discovery,
  GROUP_DEFINITION,
  pickAttributes,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { defineResourceType, type ResourceStore, type WireResource } from '@plumbline/scim/endpoint'
import { eq, type SQL } from 'drizzle-orm'
import { type Database, teams, teamUsers, users } from './schema.ts'

const SHOWN = ['userName', 'displayName', 'active']
const serve = (name: string, schema: Discovery.SchemaDefinition, store: ResourceStore) =>
  defineResourceType({ name, endpoint: `/${name}s`, definitions: { [schema.id]: schema }, store })

export const resourceTypes = (db: Database) => [
  serve('User', pickAttributes(USER_DEFINITION, SHOWN), people(db)),
  serve('Group', GROUP_DEFINITION, groups(db)),
]

const metaOf = ({ createdAt, updatedAt }: Record<'createdAt' | 'updatedAt', string>) => {
  return { created: createdAt, lastModified: updatedAt }
}

function people(db: Database): ResourceStore {
  const toUser = (row: typeof users.$inferSelect) => {
    const { id, email: userName, fullName: displayName, externalId, status } = row
    return { id, userName, displayName, externalId, active: status === 'active', meta: metaOf(row) }
  }
  const toRow = (resource: WireResource): typeof users.$inferInsert => {
    const { userName, displayName = null, active, externalId = null } = unwrap(parseUser(resource))
    const status = active === false ? 'suspended' : 'active'
    const key = { email: userName, emailKey: fold(userName) }
    return { ...key, fullName: displayName, status, externalId }
  }
  const select = async (where?: SQL) =>
    (await db.select().from(users).where(where).orderBy(users.id)).map(toUser)
  const update = (id: string, body: WireResource) =>
    db.update(users).set(toRow(body)).where(eq(users.id, id)).returning()
  return {
    read: async (id) => (await select(eq(users.id, id)))[0] ?? null,
    list: async () => ({ resources: await select() }),
    create: async (body) => toUser(await db.insert(users).values(toRow(body)).returning().get()),
    replace: async (id, body) => (await update(id, body)).map(toUser)[0] ?? null,
    delete: async (id) => (await db.delete(users).where(eq(users.id, id)).returning()).length > 0,
  }
}

function groups(db: Database): ResourceStore {
  const select = async (where?: SQL): Promise<WireResource[]> => {
    const pairs = await db.select().from(teamUsers)
    const rows = await db.select().from(teams).where(where).orderBy(teams.id)
    return rows.map(({ id, name, externalId, ...row }) => {
      const members = pairs.flatMap(({ teamId, value }) => (teamId === id ? { value } : []))
      return { id, displayName: name, externalId, members, meta: metaOf(row) }
    })
  }
  const write = async (id: string, resource: WireResource) => {
    const { displayName, externalId = null, members = [] } = unwrap(parseGroup(resource))
    const row = { id, name: displayName, externalId, updatedAt: new Date().toISOString() }
    await db.insert(teams).values(row).onConflictDoUpdate({ target: teams.id, set: row })
    await db.delete(teamUsers).where(eq(teamUsers.teamId, id))
    const pairs = members.map(({ value }) => ({ teamId: id, value: String(value) }))
    if (pairs.length > 0) await db.insert(teamUsers).values(pairs)
    return (await select(eq(teams.id, id)))[0] ?? resource
  }
  return {
    read: async (id) => (await select(eq(teams.id, id)))[0] ?? null,
    list: async () => ({ resources: await select() }),
    create: (resource) => write(crypto.randomUUID(), resource),
    replace: write,
    delete: async (id) => (await db.delete(teams).where(eq(teams.id, id)).returning()).length > 0,
  }
}

/** The errors of the database that the client has caused. */
export function toScimError(error: unknown): ScimError | null {
  const text = String(Object(error).cause)
  if (/UNIQUE/.test(text)) return new ScimError(409, 'already exists', { scimType: 'uniqueness' })
  return /FOREIGN KEY/.test(text) ? new ScimError(400, 'unknown member') : null
}
