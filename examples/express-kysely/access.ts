import { type Grant, projection } from '@plumbline/scim/access'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'
import type { Context } from './scim.ts'

/** Keeps the accounts of each organization and their roles equal to its provisioned people and teams. */
export const access = projection<Context, number, string>({
  link: {
    attribute: 'userName',
    find: async (email, { db, org }) => {
      const found = await db
        .selectFrom('accounts')
        .select(['id', 'is_verified', 'user_id'])
        .where('org_id', '=', org)
        .where(sql`lower(email collate "C")`, '=', sql`lower(${email}::text collate "C")`)
        .forUpdate()
        .executeTakeFirst()
      if (found === undefined) return null
      return { account: found.id, isVerified: found.is_verified, linkedTo: found.user_id }
    },
    mayManage: async (account, { db, org }) => {
      const owner = db.selectFrom('accounts').select('org_id').where('id', '=', account)
      return (await owner.executeTakeFirstOrThrow()).org_id === org
    },
    // The employer, who runs the provider, knows the addresses of the accounts that it creates.
    create: async ({ userName }, { db, org }) => {
      const account = { org_id: org, email: String(userName), is_verified: true, user_id: null }
      const { id } = await db
        .insertInto('accounts')
        .values(account)
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
  },
  // Each organization maps its own groups.
  roles: async ({ displayName }, { db, org }) => {
    const rows = await db
      .selectFrom('role_groups')
      .select('role')
      .where('org_id', '=', org)
      .where('group_name', '=', String(displayName))
      .execute()
    return rows.map(({ role }) => role)
  },
  read: async (users, { db }) => {
    const rows = await db
      .selectFrom('accounts')
      .leftJoin('roles', 'roles.account_id', 'accounts.id')
      .select(['user_id', 'id', 'is_active', 'role', 'group_id', 'request_id'])
      .where('user_id', 'in', users)
      .execute()
    const found = new Map<string, { account: number; isActive: boolean; grants: Grant<string>[] }>()
    for (const { user_id: user, id, is_active, role, group_id, request_id } of rows) {
      if (user === null) continue
      const access = found.get(user) ?? { account: id, isActive: is_active, grants: [] }
      found.set(user, access)
      if (role === null || group_id === null || request_id === null) continue
      access.grants.push({ role, because: { group: group_id, requestId: request_id } })
    }
    return found
  },
  stored: async (after, { db, org }) => {
    const rows = await db
      .selectFrom('accounts')
      .select('user_id')
      .where('org_id', '=', org)
      .where('user_id', '>', after ?? '')
      .orderBy('user_id')
      .limit(100)
      .execute()
    return rows.map(({ user_id }) => String(user_id))
  },
  apply: async (changes, { db }) => {
    for (const { user, account, isActive, isDeleted } of changes) {
      const values = { user_id: isDeleted ? null : user, is_active: isActive }
      await db.updateTable('accounts').set(values).where('id', '=', account).execute()
    }
    const accounts = changes.map(({ account }) => account)
    const ended = changes.flatMap(({ account, isActive }) => (isActive ? [] : account))
    if (ended.length > 0) await db.deleteFrom('sessions').where('account_id', 'in', ended).execute()
    await db.deleteFrom('roles').where('account_id', 'in', accounts).execute()
    const rows = changes.flatMap(({ account, grants }) =>
      grants.map(({ role, because: { group, requestId } }) => {
        return { account_id: account, role, group_id: group, request_id: requestId }
      }),
    )
    if (rows.length > 0) await db.insertInto('roles').values(rows).execute()
  },
})

/**
 * Finds the account of a session. A session that is inserted while its account is being deactivated is not valid either,
 * because the account itself must be active.
 */
export function findSession(db: Kysely<Tables>, token: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id', 'email'])
    .where('token', '=', token)
    .where('is_active', '=', true)
    .executeTakeFirst()
}
