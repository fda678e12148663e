import { USER_SCHEMA } from '@plumbline/scim'
import { createId } from '../../src/kernel/ids.ts'
import { insertRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

/** Stores users whose JSON has about the given size; returns their ids. */
export async function fillUsers(
  store: Store,
  tenant_id: string,
  { count, size }: { readonly count: number; readonly size: number },
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => createId(NOW))
  await store.write(async (db) => {
    for (const [at, id] of ids.entries()) {
      const about = { schemas: [USER_SCHEMA], id, userName: `filled-${at}`, locale: 'en' }
      const resource = JSON.stringify({ ...about, nickName: `${at}`, title: 'x'.repeat(size) })
      const keys = { tenant_id, id, user_name_key: `filled-${at}`, version: `W/"${at}"` }
      await insertRows(db, 'users', [{ ...keys, resource, created_at: NOW, last_modified: NOW }])
    }
  })
  return ids
}

/** Stores a chain of groups: the first contains the members, each other one the group before it. */
export async function nestGroups(
  store: Store,
  tenant_id: string,
  { count, memberIds }: { readonly count: number; readonly memberIds: readonly string[] },
): Promise<void> {
  const ids = Array.from({ length: count }, () => createId(NOW))
  const members = [
    ...memberIds.map((member_id) => ({ group_id: ids[0] ?? '', member_id, member_type: 'User' })),
    ...ids.slice(1).map((group_id, at) => ({
      group_id,
      member_id: ids[at] ?? '',
      member_type: 'Group',
    })),
  ].map((member) => ({ ...member, tenant_id, display: null }))
  const rows = ids.map((id, at) => {
    const name = String(at).padStart(1_980, 'x')
    const keys = { tenant_id, id, display_name: name, display_name_key: name, external_id: null }
    return { ...keys, revision: 1, created_at: NOW, last_modified: NOW }
  })
  await store.write(async (db) => {
    for (let at = 0; at < rows.length; at += 500) {
      await insertRows(db, 'groups', rows.slice(at, at + 500))
    }
    for (let at = 0; at < members.length; at += 500) {
      await insertRows(db, 'group_members', members.slice(at, at + 500))
    }
  })
}
