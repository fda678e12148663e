import { isFailure } from '@plumbline/result'
import {
  ENTERPRISE_USER_SCHEMA,
  parseUser,
  project,
  RawJson,
  type Scim,
  ScimError,
  userResource,
  version,
} from '@plumbline/scim'
import type { ColumnMap } from '@plumbline/scim/data-table'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import type { Filter } from '@plumbline/scim/filter'
import { applyPatch, type Patch } from '@plumbline/scim/patch'
import { type Database, rawSql, type TableRow } from '@remix-run/data-table'
import { createId } from '../ids.ts'
import { isStorable, storable, storableFolded } from './column-text.ts'
import { chunksOf, leaveAllGroups, membershipsOf, membershipsOfOne } from './groups/memberships.ts'
import { conjunctsOf, equalValue, mentions } from './list/filters.ts'
import {
  isShown,
  type Listing,
  type NarrowedFilter,
  type Projection,
  type ResourceView,
  type WireResource,
} from './list/list.ts'
import { type ListedPage, listPage } from './list/page-by-index.ts'
import { type Meta, metaOf } from './meta.ts'
import { type Condition, equals, oneOf, within } from './predicates.ts'
import { lockForUpdate, type NewResource, type TenantScope } from './scope.ts'
import { MOST_IN_USER } from './sizes.ts'
import { emails, rowsAs, users } from './tables.ts'
import { tagWithGroups } from './tags.ts'

/** The schemas of a user, the core schema first. */
export const USER_DEFINITIONS = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

/** The columns that are read; the others are only for filters and sorting. */
const READ = ['id', 'user_name_key', 'resource', 'version', 'created_at', 'last_modified'] as const

type Row = Pick<TableRow<typeof users>, (typeof READ)[number]>

/** Stores a new user. A unique constraint rejects a userName that already exists. */
export async function createUser(scope: TenantScope, user: Scim.User): Promise<WireResource> {
  const { now } = scope
  const [row] = await insertUsers(scope, [{ id: createId(now), at: now, resource: user }])
  return wireOf(row as Row, scope, [])
}

/** Stores users with given ids and times. */
export async function insertUsers(
  { db, tenantId }: TenantScope,
  made: readonly NewResource<Scim.User>[],
): Promise<readonly Row[]> {
  const rows: TableRow<typeof users>[] = []
  const addresses: TableRow<typeof emails>[] = []
  for (const { id, at, resource } of made) {
    const content = contentOf(resource)
    const columns = await columnsOf(id, content)
    rows.push({ ...columns, tenant_id: tenantId, id, created_at: at, last_modified: at })
    addresses.push(...emailRows(tenantId, id, content))
  }
  await db.createMany(users, rows)
  await insertEmails(db, addresses)
  return rows
}

/** A user with the attributes that the client wants, including its groups. */
export async function readUser(
  scope: TenantScope,
  id: string,
  projection: Projection,
): Promise<ResourceView> {
  const row = await rowById(scope, id)
  const memberships = showsGroups(projection) ? await membershipsOfOne(scope, id) : []
  return show(row, scope, memberships, projection)
}

/** Returns whether a client wants the groups of users, which need an extra query. */
export function showsGroups(projection: Projection): boolean {
  return isShown('groups', projection, USER_DEFINITIONS)
}

/** Replaces a user; `check` gets the current user before anything is written. */
export async function replaceUser(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
  user: Scim.User,
): Promise<WireResource> {
  return await change(scope, id, check, () => contentOf(user))
}

/** Applies a PATCH to a user, and stores the result like a replacement. */
export async function patchUser(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
  operations: readonly Patch.Operation[],
): Promise<WireResource> {
  const { tolerate } = scope.rules
  return await change(scope, id, check, (current) => {
    const patched = applyPatch(current, operations, {
      definitions: USER_DEFINITIONS,
      tolerate,
      budget: scope.budget,
    })
    if (isFailure(patched)) throw patched.error
    if (patched.data === current) return null
    const user = parseUser(patched.data)
    if (isFailure(user)) throw user.error
    return contentOf(user.data)
  })
}

/** Deletes a user, and removes it from all groups. */
export async function deleteUser(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
): Promise<void> {
  await lockForUpdate(scope, 'users', id, { isLeaving: true })
  check(wireOf(await rowById(scope, id), scope, []))
  await leaveAllGroups(scope, id)
  await scope.db.deleteMany(users, { where: key(scope, id) })
}

/** One page of users, with the attributes that the client wants. */
export async function listUsers(
  scope: TenantScope,
  query: Scim.ListQuery,
): Promise<ListedPage<ResourceView>> {
  return await listPage(scope, query, LISTING, async (rows) =>
    (await withGroups(scope, rows, showsGroups(query))).map(({ row, groups }) =>
      show(row, scope, groups, query),
    ),
  )
}

async function change(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
  next: (current: WireResource) => WireResource | null,
): Promise<WireResource> {
  await lockForUpdate(scope, 'users', id)
  const row = await rowById(scope, id)
  const memberships = await membershipsOfOne(scope, id)
  const current = wireOf(row, scope, memberships)
  check(current)
  const content = next(current)
  const changed = content === null ? null : await columnsOf(id, content)
  // RFC 7644 §3.5.2.1: a request without effect does not change lastModified.
  if (content === null || changed === null || changed.version === row.version) return current
  const written = { ...changed, last_modified: Math.max(scope.now, row.last_modified) }
  await scope.db.updateMany(users, written, { where: key(scope, id) })
  await writeEmails(scope, id, content)
  return wireOf({ ...row, ...written }, scope, memberships)
}

async function rowById({ db, tenantId }: TenantScope, id: string): Promise<Row> {
  // A statement by hand: each request reads a user, and building the query would double that time.
  const { rows = [] } = await db.exec(rawSql(BY_ID, [tenantId, id]))
  const [row] = rowsAs<Row>(rows)
  if (row === undefined) throw new ScimError(404, `user ${id} not found`)
  return row
}

/** As many of the first rows as fit into a page, each with its groups if they are wanted. */
async function withGroups(
  scope: TenantScope,
  rows: readonly Row[],
  isWanted: boolean,
): Promise<readonly { readonly row: Row; readonly groups: readonly WireResource[] }[]> {
  if (!isWanted) return rows.map((row) => ({ row, groups: [] }))
  const holders = rows.map(({ id, resource }) => ({ id, size: resource.length }))
  const memberships = await membershipsOf(scope, holders)
  return rows
    .slice(0, memberships.length)
    .map((row, at) => ({ row, groups: memberships[at] ?? [] }))
}

function show(
  row: Row,
  scope: TenantScope,
  memberships: readonly WireResource[],
  projection: Projection,
): ResourceView {
  const version = tagWithGroups(row.version, memberships)
  const meta = metaOf('User', row, { base: scope.base, version })
  const isWhole = projection.attributes === undefined && projection.excludedAttributes === undefined
  const body = isWhole
    ? wholeOf(row, memberships, meta)
    : project(wireOf(row, scope, memberships), projection, USER_DEFINITIONS)
  const size = row.resource.length + memberships.length * LARGEST_GROUP
  return { body, size, version, location: meta.location }
}

/** The whole user: the stored JSON is used as it is, without parsing and serializing it again. */
function wholeOf({ resource }: Row, memberships: readonly WireResource[], meta: Meta): RawJson {
  const groups = memberships.length === 0 ? undefined : memberships
  return new RawJson(resource).withMembers({ groups, meta })
}

function wireOf(
  row: Row,
  { base }: TenantScope,
  memberships: readonly WireResource[],
): WireResource {
  // Members are added to the parsed object: copying it would double the work.
  const wire = JSON.parse(row.resource) as WireResource
  if (memberships.length > 0) wire.groups = memberships
  wire.meta = metaOf('User', row, { base, version: tagWithGroups(row.version, memberships) })
  return wire
}

/** The stored attributes of a user: all except those that the server sets. */
function contentOf({ id: _id, meta: _meta, groups: _groups, ...user }: Scim.User): WireResource {
  return userResource(user)
}

/** The columns of a user except those of its key, which never changes. */
async function columnsOf(id: string, content: WireResource) {
  const name = Object(content.name)
  const enterprise = Object(content[ENTERPRISE_USER_SCHEMA])
  return {
    user_name_key: storableFolded('userName', content.userName) ?? '',
    external_id: storable('externalId', content.externalId),
    display_name_key: storableFolded('displayName', content.displayName),
    nick_name_key: storableFolded('nickName', content.nickName),
    given_name_key: storableFolded('name.givenName', name.givenName),
    family_name_key: storableFolded('name.familyName', name.familyName),
    title_key: storableFolded('title', content.title),
    user_type_key: storableFolded('userType', content.userType),
    active: typeof content.active === 'boolean' ? content.active : null,
    employee_number_key: storableFolded('employeeNumber', enterprise.employeeNumber),
    department_key: storableFolded('department', enterprise.department),
    resource: storedJson({ schemas: content.schemas, id, ...content }),
    version: await version({ id, ...content }),
  }
}

/** RFC 7644 §3.12: a user that is too large is `413`. A PATCH can make a user larger than any body. */
function storedJson(user: WireResource): string {
  const text = JSON.stringify(user)
  if (Buffer.byteLength(text) <= MOST_IN_USER) return text
  throw new ScimError(413, `the user would be larger than ${MOST_IN_USER / 2 ** 20} MiB`)
}

async function writeEmails(
  { db, tenantId }: TenantScope,
  userId: string,
  content: WireResource,
): Promise<void> {
  await db.deleteMany(emails, {
    where: within(tenantId, equals('user_id', userId)),
  })
  await insertEmails(db, emailRows(tenantId, userId, content))
}

async function insertEmails(db: Database, rows: readonly TableRow<typeof emails>[]): Promise<void> {
  for (const some of chunksOf(rows, 5_000)) await db.createMany(emails, some)
}

function emailRows(
  tenant_id: string,
  user_id: string,
  content: WireResource,
): TableRow<typeof emails>[] {
  const list: readonly unknown[] = Array.isArray(content.emails) ? content.emails : []
  return list.flatMap((email, position) => {
    const value_key = storableFolded('emails.value', Object(email).value)
    return value_key === null ? [] : [{ tenant_id, user_id, position, value_key }]
  })
}

/** Narrows `emails eq`, `emails.value eq` and `emails[… value eq …]` to the users with the address. */
async function narrowByEmail(
  { db, tenantId }: TenantScope,
  filter: Filter.Expression,
): Promise<NarrowedFilter> {
  for (const conjunct of conjunctsOf(filter)) {
    const value = equalValue(conjunct, 'emails')
    if (value === null) continue
    const { rows = [] } = isStorable(value)
      ? await db.exec(rawSql(OWNERS, [tenantId, value.toLowerCase()]))
      : {}
    // An address of so many users does not narrow the search enough.
    if (rows.length > MOST_OWNERS) continue
    const ids = [...new Set(rows.map((row) => String(row.user_id)))]
    return { where: oneOf('id', ids), residual: filter }
  }
  return { where: null, residual: filter }
}

function key({ tenantId }: TenantScope, id: string): Condition {
  return within(tenantId, equals('id', id))
}

const ENTERPRISE_COLUMNS = {
  employeeNumber: { column: 'employee_number_key', folded: true },
  department: { column: 'department_key', folded: true },
} as const

const COLUMNS: ColumnMap = {
  id: 'id',
  externalId: 'external_id',
  userName: { column: 'user_name_key', folded: true },
  displayName: { column: 'display_name_key', folded: true },
  nickName: { column: 'nick_name_key', folded: true },
  'name.givenName': { column: 'given_name_key', folded: true },
  'name.familyName': { column: 'family_name_key', folded: true },
  title: { column: 'title_key', folded: true },
  userType: { column: 'user_type_key', folded: true },
  active: { column: 'active', type: 'boolean' },
  'meta.created': { column: 'created_at', type: 'dateTime' },
  'meta.lastModified': { column: 'last_modified', type: 'dateTime' },
  ...ENTERPRISE_COLUMNS,
  ...Object.fromEntries(
    Object.entries(ENTERPRISE_COLUMNS).map(([name, entry]) => [
      `${ENTERPRISE_USER_SCHEMA}:${name}`,
      entry,
    ]),
  ),
}

const SORT_COLUMNS = {
  id: 'id',
  username: 'user_name_key',
  'meta.created': 'created_at',
  'meta.lastmodified': 'last_modified',
}

const SELECT = `select ${READ.join(', ')} from users`
const BY_ID = `${SELECT} where tenant_id = ? and id = ?`

const LISTING: Listing<Row> = {
  type: 'User',
  table: users,
  read: READ,
  large: 'resource',
  sizeOf: ({ resource }) => resource.length,
  select: SELECT,
  definitions: USER_DEFINITIONS,
  columns: COLUMNS,
  sortColumns: SORT_COLUMNS,
  narrow: narrowByEmail,
  toWire: async (scope, rows, filter) =>
    (await withGroups(scope, rows, filter !== null && mentions(filter, 'groups'))).map(
      ({ row, groups }) => wireOf(row, scope, groups),
    ),
}

/** The approximate maximum JSON of one of a user's groups. */
const LARGEST_GROUP = 2_500
const MOST_OWNERS = 1_000
const OWNERS = `
  select user_id from user_emails where tenant_id = ? and value_key = ? limit ${MOST_OWNERS + 1}`
