import { column as c, type Database, type SqlStatement, table } from '@remix-run/data-table'

// The migrations define the column types; these definitions only type the rows.

/** Customers of the directory. A tenant never sees the data of another. */
export const tenants = table({
  name: 'tenants',
  columns: {
    id: c.text(),
    name: c.text(),
    created_at: c.integer(),
    disabled_at: c.integer().nullable(),
    deleted_at: c.integer().nullable(),
  },
  primaryKey: 'id',
})

/** Bearer tokens, stored as hashes. The token of an administrator does not belong to a tenant. */
export const tokens = table({
  name: 'tokens',
  columns: {
    id: c.text(),
    tenant_id: c.text().nullable(),
    name: c.text(),
    hash: c.text(),
    role: c.text(),
    profile: c.text(),
    user_id: c.text().nullable(),
    created_at: c.integer(),
    last_used_at: c.integer().nullable(),
    expires_at: c.integer().nullable(),
    lifetime: c.integer().nullable(),
    access: c.text(),
    replaces: c.text().nullable(),
  },
  primaryKey: 'id',
})

/** OAuth clients, whose secrets are stored as hashes. */
export const clients = table({
  name: 'clients',
  columns: {
    id: c.text(),
    tenant_id: c.text(),
    name: c.text(),
    profile: c.text(),
    access: c.text(),
    user_id: c.text().nullable(),
    secret_hash: c.text(),
    revision: c.integer(),
    old_secret_hash: c.text().nullable(),
    old_secret_until: c.integer().nullable(),
    created_at: c.integer(),
    last_used_at: c.integer().nullable(),
  },
  primaryKey: 'id',
})

/** Users: the wire resource as JSON, and folded copies of the attributes that filters and sorting use. */
export const users = table({
  name: 'users',
  columns: {
    tenant_id: c.text(),
    id: c.text(),
    user_name_key: c.text(),
    external_id: c.text().nullable(),
    display_name_key: c.text().nullable(),
    nick_name_key: c.text().nullable(),
    given_name_key: c.text().nullable(),
    family_name_key: c.text().nullable(),
    title_key: c.text().nullable(),
    user_type_key: c.text().nullable(),
    active: c.boolean().nullable(),
    employee_number_key: c.text().nullable(),
    department_key: c.text().nullable(),
    resource: c.text(),
    extensions: c.text().nullable(),
    version: c.text(),
    created_at: c.integer(),
    last_modified: c.integer(),
  },
  primaryKey: ['tenant_id', 'id'],
})

/**
 * The values of multi-valued attributes of users, for filters: a row for each sub-attribute of each value. `type_key`
 * and `is_primary` are those of the value.
 */
export const userValues = table({
  name: 'user_values',
  columns: {
    tenant_id: c.text(),
    resource_id: c.text(),
    attribute: c.text(),
    position: c.integer(),
    value_key: c.text().nullable(),
    type_key: c.text().nullable(),
    is_primary: c.boolean().nullable(),
  },
  primaryKey: ['tenant_id', 'resource_id', 'attribute', 'position'],
})

/** Groups without their members. `revision` counts the changes; the entity tag is made from it. */
export const groups = table({
  name: 'groups',
  columns: {
    tenant_id: c.text(),
    id: c.text(),
    display_name: c.text(),
    display_name_key: c.text(),
    external_id: c.text().nullable(),
    extensions: c.text().nullable(),
    revision: c.integer(),
    created_at: c.integer(),
    last_modified: c.integer(),
  },
  primaryKey: ['tenant_id', 'id'],
})

/** The members of groups. */
export const members = table({
  name: 'group_members',
  columns: {
    tenant_id: c.text(),
    group_id: c.text(),
    member_id: c.text(),
    member_type: c.text(),
    display: c.text().nullable(),
  },
  primaryKey: ['tenant_id', 'group_id', 'member_id'],
})

/** The directory's own settings, keyed by name. */
export const settings = table({
  name: 'settings',
  columns: { name: c.text(), value: c.text() },
  primaryKey: 'name',
})

/** Runs a statement by hand that reads rows, and names the columns of `Row`. */
export async function readRows<Row>(
  db: Database,
  statement: SqlStatement,
): Promise<readonly Row[]> {
  const { rows = [] } = await db.exec(statement)
  return rows as readonly unknown[] as readonly Row[]
}
