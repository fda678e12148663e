import type { SqlDialect } from '../../kernel/store/store.ts'

/** Creates the table for users, and the one for their e-mail addresses. */
export function createUsers({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table users (
      tenant_id ${text} not null references tenants (id),
      id ${text} not null,
      user_name_key ${text} not null,
      external_id ${text},
      display_name_key ${text},
      nick_name_key ${text},
      given_name_key ${text},
      family_name_key ${text},
      title_key ${text},
      user_type_key ${text},
      active boolean,
      employee_number_key ${text},
      department_key ${text},
      resource ${document} not null,
      version ${text} not null,
      created_at bigint not null,
      last_modified bigint not null,
      primary key (tenant_id, id),
      constraint users_by_user_name unique (tenant_id, user_name_key)
    )`,
    'create index users_by_external_id on users (tenant_id, external_id)',
    'create index users_by_display_name on users (tenant_id, display_name_key)',
    'create index users_by_family_name on users (tenant_id, family_name_key)',
    'create index users_by_employee_number on users (tenant_id, employee_number_key)',
    'create index users_by_last_modified on users (tenant_id, last_modified)',
    `create table user_emails (
      tenant_id ${text} not null,
      user_id ${text} not null,
      position integer not null,
      value_key ${text} not null,
      primary key (tenant_id, user_id, position),
      foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
    )`,
    'create index user_emails_by_value on user_emails (tenant_id, value_key)',
  ]
}

/** Creates the tables for groups and for their members. */
export function createGroups({ text }: SqlDialect): readonly string[] {
  return [
    `create table groups (
      tenant_id ${text} not null references tenants (id),
      id ${text} not null,
      display_name ${text} not null,
      display_name_key ${text} not null,
      external_id ${text},
      revision bigint not null,
      created_at bigint not null,
      last_modified bigint not null,
      primary key (tenant_id, id)
    )`,
    'create index groups_by_display_name on groups (tenant_id, display_name_key)',
    'create index groups_by_external_id on groups (tenant_id, external_id)',
    `create table group_members (
      tenant_id ${text} not null,
      group_id ${text} not null,
      member_id ${text} not null,
      member_type ${text} not null,
      display ${text},
      primary key (tenant_id, group_id, member_id),
      foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete cascade
    )`,
    'create index group_members_by_member on group_members (tenant_id, member_id)',
  ]
}

/** Each sort column gets an index that ends in the id, so a page can start at a cursor. */
export function addCursorIndexes({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table settings (name ${text} primary key, value ${document} not null)`,
    'drop index users_by_last_modified',
    'create index users_by_last_modified on users (tenant_id, last_modified, id)',
    'create index users_by_created_at on users (tenant_id, created_at, id)',
    'drop index groups_by_display_name',
    'create index groups_by_display_name on groups (tenant_id, display_name_key, id)',
    'create index groups_by_last_modified on groups (tenant_id, last_modified, id)',
    'create index groups_by_created_at on groups (tenant_id, created_at, id)',
  ]
}

/** The index includes the group, so a member's groups are found without reading the rows. */
export function addMembershipIndex(): readonly string[] {
  return [
    'drop index group_members_by_member',
    'create index group_members_by_member on group_members (tenant_id, member_id, group_id)',
  ]
}
