import { user } from '../users.ts'

/** A row of a table, by the names of its columns. */
export type Row = Readonly<Record<string, string | number | boolean | null>>

/** How much is in the database. */
export interface Size {
  readonly users: number
  /** The members of the large group. */
  readonly large: number
  /** How many groups of ten there are beside it. */
  readonly groups: number
}

/** The tenant that everything is in. */
export const TENANT = 'default'

/** Reads `PLUMBLINE_BENCH_USERS`; a million by default. */
export function sizeOf(env: Readonly<Record<string, string | undefined>>): Size {
  const users = Number(env.PLUMBLINE_BENCH_USERS ?? 1_000_000)
  if (!Number.isInteger(users) || users < 1_000) {
    throw new Error('PLUMBLINE_BENCH_USERS must be a whole number, 1000 at least')
  }
  return {
    users,
    large: Math.min(100_000, Math.floor(users / 10)),
    groups: Math.floor(users / 1_000),
  }
}

/** The id of a user: UUIDs of version 7, in the order of the numbers. */
export function userId(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

/** The id of a group; the large one is number 0. */
export function groupId(number: number): string {
  return `01900000-0000-7000-9000-${number.toString(16).padStart(12, '0')}`
}

/** Rows of every table, those first that others refer to. */
export function tablesOf(size: Size): readonly (readonly [table: string, rows: Iterable<Row>])[] {
  return [
    ['users', userRows(size)],
    ['user_emails', emailRows(size)],
    ['groups', groupRows(size)],
    ['group_members', memberRows(size)],
  ]
}

function* userRows({ users }: Size): Iterable<Row> {
  for (let number = 0; number < users; number += 1) {
    const { id: _id, meta: _meta, ...resource } = user(number)
    const { givenName, familyName } = Object(resource.name)
    yield {
      tenant_id: TENANT,
      id: userId(number),
      user_name_key: `user${number}@example.com`,
      external_id: `ext-${number}`,
      display_name_key: String(resource.displayName).toLowerCase(),
      nick_name_key: null,
      given_name_key: String(givenName).toLowerCase(),
      family_name_key: String(familyName).toLowerCase(),
      title_key: String(resource.title).toLowerCase(),
      user_type_key: null,
      active: resource.active === true,
      employee_number_key: String(number),
      department_key: 'research',
      resource: JSON.stringify(resource),
      version: `W/"${number}"`,
      created_at: EPOCH + number,
      last_modified: EPOCH + number,
    }
  }
}

function* emailRows({ users }: Size): Iterable<Row> {
  for (let number = 0; number < users; number += 1) {
    const about = { tenant_id: TENANT, user_id: userId(number) }
    yield { ...about, position: 0, value_key: `user${number}@example.com` }
    yield { ...about, position: 1, value_key: `u${number}@home.example` }
  }
}

function* groupRows({ groups }: Size): Iterable<Row> {
  for (let number = 0; number <= groups; number += 1) {
    yield {
      tenant_id: TENANT,
      id: groupId(number),
      display_name: `Group ${number}`,
      display_name_key: `group ${number}`,
      external_id: `group-${number}`,
      revision: 1,
      created_at: EPOCH + number,
      last_modified: EPOCH + number,
    }
  }
}

function* memberRows({ users, large, groups }: Size): Iterable<Row> {
  const about = { tenant_id: TENANT, member_type: 'User', display: null }
  for (let number = 0; number < large; number += 1) {
    yield { ...about, group_id: groupId(0), member_id: userId(number) }
  }
  for (let number = 0; number < groups * 10; number += 1) {
    const group_id = groupId(1 + Math.floor(number / 10))
    yield { ...about, group_id, member_id: userId((number * 7) % users) }
  }
}

const EPOCH = Date.UTC(2026, 0, 1)
