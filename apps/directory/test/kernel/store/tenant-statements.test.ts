import { describe, expect, it } from 'vitest'
import { spreadOf } from '../../support/tenant-statements.ts'

describe('statements the tests reject', () => {
  it.each([
    'select id from users',
    'select id from users where id = ?',
    'select 1 from users u where tenant_id = ? and exists (select 1 from groups where id = u.id)',
    'select 1 from users u where tenant_id = ? and exists (select 1 from groups g where g.tenant_id = u.tenant_id)',
    'select 1 from users u join groups g on g.tenant_id = u.tenant_id where u.tenant_id = ?',
    'update "users" set "active" = $1 where "id" = $2',
    'delete from requests where id <= ?',
  ])('the tests reject the statement %s', (text) => expect(spreadOf({ text })).not.toBeNull())
})

describe('statements the tests accept', () => {
  it.each([
    'select id from users where tenant_id = ?',
    'select "id" from "users" where ("tenant_id" = $1 and "id" = $2)',
    'select 1 from users u where u.tenant_id = ? and exists (select 1 from groups g where g.tenant_id = ?)',
    'insert into users (tenant_id, id) values (?, ?)',
    'delete from recordings where tenant_id = ? and id = ?',
    'select id from tenants',
    'select value from settings where name = ?',
  ])('the tests accept the statement %s', (text) => expect(spreadOf({ text })).toBeNull())
})
