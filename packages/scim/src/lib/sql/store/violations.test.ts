import { expect, it } from 'vitest'
import { USER_DEFINITION } from '../../schema/core-schemas.ts'
import { sql } from '../fragment.ts'
import { prepareMap } from './map.ts'
import { violationOf } from './violations.ts'

const map = prepareMap(
  {
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    id: 'id',
    attributes: { userName: 'email', 'name.givenName': 'first_name', nickName: 'email_alias' },
  },
  null,
)

const tables = { map, options: { table: 'users' } }
const empty = sql`insert into "users" ("id", "email", "first_name") values (${'i'}, ${null}, ${null})`
const insert = sql`insert into "users" ("id", "email", "first_name", "email_alias") values (${'i'}, ${'a@x'}, ${'A'}, ${null})`

// The errors as node:sqlite, better-sqlite3, pg, PGlite and mysql2 throw them.
const taken = [409, 'userName is already taken']
it.each([
  [
    'SQLite',
    {
      code: 'ERR_SQLITE_ERROR',
      errcode: 2067,
      message: 'UNIQUE constraint failed: users.org_id, users.email',
    },
    taken,
  ],
  [
    'SQLite, an expression index',
    {
      code: 'SQLITE_CONSTRAINT_UNIQUE',
      message: "UNIQUE constraint failed: index 'users_email_key'",
    },
    taken,
  ],
  [
    'PostgreSQL',
    {
      code: '23505',
      constraint: 'unique_1',
      detail: 'Key (org_id, email)=(1, first_name) already exists.',
      message: 'duplicate key value violates unique constraint "unique_1"',
    },
    taken,
  ],
  [
    'PostgreSQL, an expression index',
    {
      code: '23505',
      constraint: 'u',
      detail: 'Key (lower(email))=(first_name) already exists.',
      message: 'duplicate',
    },
    taken,
  ],
  [
    'MySQL',
    {
      code: 'ER_DUP_ENTRY',
      errno: 1062,
      message: "Duplicate entry '1-for key first_name' for key 'users.users_email'",
    },
    taken,
  ],
  [
    'an error wrapped by a query library',
    { message: 'Failed query', cause: { code: '23505', message: 'x', detail: 'Key (email)=(a)' } },
    taken,
  ],
  [
    'a name that is longer',
    { code: '23505', constraint: 'users_email_alias', message: 'x' },
    [409, 'nickName is already taken'],
  ],
  [
    'a whole name before a longer one that contains it',
    { code: '23505', constraint: 'users_email_alias', detail: 'Key (email)=(a)', message: 'x' },
    taken,
  ],
  [
    'a name that is not known',
    { errno: 1062, message: "Duplicate entry 'email' for key 'users.x'" },
    [409, 'a value is already taken'],
  ],
  [
    'a missing value in SQLite',
    { message: 'NOT NULL constraint failed: users.email_alias' },
    [400, 'nickName is required'],
  ],
  [
    'a missing value in PostgreSQL',
    { code: '23502', column: 'email_alias', message: 'null value' },
    [400, 'nickName is required'],
  ],
  [
    'a long value in MySQL',
    { errno: 1406, message: "Data too long for column 'first_name' at row 1" },
    [400, 'name.givenName is too long'],
  ],
  [
    'a text PostgreSQL does not accept, equal to a column name',
    { code: '22P02', message: 'invalid input syntax for type uuid: "first_name"' },
    [400, 'a value is not accepted by the database'],
  ],
  [
    'a text PostgreSQL does not accept, with the parameter position',
    {
      code: '22P02',
      message: 'invalid input value for enum mood: "x"',
      where: "unnamed portal parameter $3 = '...'",
    },
    [400, 'name.givenName is not accepted by the database'],
  ],
  [
    'a postgres.js error, whose fields have other names',
    { code: '23502', column_name: 'email_alias', table_name: 'users', message: 'null value' },
    [400, 'nickName is required'],
  ],
  [
    'a Prisma error',
    {
      code: 'P2010',
      meta: { code: '23505', message: 'Key (email)=(a@x) already exists.' },
      message: 'Raw query failed.',
    },
    taken,
  ],
  [
    'a Prisma driver adapter error',
    {
      code: 'P2010',
      message: 'Raw query failed.',
      meta: {
        driverAdapterError: {
          message: 'UniqueConstraintViolation',
          cause: {
            originalCode: '1062',
            originalMessage: "Duplicate entry 'a@x' for key 'users.users_email'",
          },
        },
      },
    },
    taken,
  ],
  [
    'a check on a shard, whose error Citus forwards without the fields',
    {
      code: '23514',
      message:
        'new row for relation "users_102008" violates check constraint "users_first_name_check_102008"',
    },
    [400, 'name.givenName is not accepted by the database'],
  ],
  [
    'a check on several columns, which PostgreSQL names after the table',
    { code: '23514', table: 'users', constraint: 'users_check1', message: 'x' },
    [400, 'a value is not accepted by the database'],
  ],
  [
    'an expression with several columns',
    { message: 'CHECK constraint failed: email <> email_alias' },
    [400, 'a value is not accepted by the database'],
  ],
  [
    'an exclusion constraint',
    {
      code: '23P01',
      constraint: 'x',
      message: 'conflicting key value violates exclusion constraint "x"',
      detail: 'Key (email)=(a) conflicts with existing key (email)=(a).',
    },
    taken,
  ],
  [
    'a MySQL check, whose name says nothing',
    { errno: 3819, message: "Check constraint 'users_chk_1' is violated." },
    [400, 'a value is not accepted by the database'],
  ],
])('a violated constraint is a client error: %s', (_, error, [status, message]) => {
  const found = violationOf(Object.assign(new Error(error.message), error), tables, insert)
  expect(found).toMatchObject({ status, message })
  expect(found?.cause).toBeDefined()
})

it.each([
  ['another error', new Error('connection lost')],
  ['a value that is not an error', 'UNIQUE constraint failed: users.email'],
  ['a statement error', Object.assign(new Error('syntax error'), { code: '42601' })],
])('%s is not translated', (_, error) => {
  expect(violationOf(error, tables, insert)).toBeNull()
})

it('an error that is its own cause is not translated', () => {
  const error: { message: string; cause?: unknown } = { message: 'x' }
  error.cause = error
  expect(violationOf(error, tables, insert)).toBeNull()
})

const REFERS = 'refers to a resource that does not exist'
const ACCEPTED = 'is not accepted by the database'
// PostgreSQL 15, appendix A, and the error numbers of MySQL 8 and MariaDB 11.
it.each<[status: number, scimType: string, why: string, codes: readonly (string | number)[]]>([
  [409, 'uniqueness', 'is already taken', ['23505', '23P01', 1062, 1586]],
  [400, 'invalidValue', 'is required', ['23502', 1048, 1364]],
  [400, 'invalidValue', 'is too long', ['22001', 1406]],
  [400, 'invalidValue', REFERS, ['23503', 1451, 1452]],
  [400, 'invalidValue', ACCEPTED, ['23514', '22003', '22P02', '22007', '22008']],
  [400, 'invalidValue', ACCEPTED, [3819, 4025, 1264, 1265, 1292, 1366]],
])('%i %s, "%s", has the codes %j', (status, scimType, why, codes) => {
  for (const code of codes) {
    const error = typeof code === 'number' ? { errno: code } : { code }
    const thrown = Object.assign(new Error('x'), error, { column: 'email' })
    const found = violationOf(thrown, tables, why === 'is required' ? empty : insert)
    expect(found).toMatchObject({ status, scimType, message: `userName ${why}` })
    expect(String(found?.cause)).toBe('Error: users.email (userName): x')
  }
})

it.each([
  ['UNIQUE constraint failed: users.email', 'userName is already taken'],
  ['NOT NULL constraint failed: users.email_alias', 'nickName is required'],
  ['string or blob too big', 'a value is too long'],
  ['FOREIGN KEY constraint failed', `a value ${REFERS}`],
  ['CHECK constraint failed: email', `userName ${ACCEPTED}`],
  ["CHECK constraint failed: length(email) < 9 and kind = 'x'", `userName ${ACCEPTED}`],
  ['CHECK constraint failed: ck_1', `a value ${ACCEPTED}`],
  ['cannot store TEXT value in INTEGER column users.email', `userName ${ACCEPTED}`],
])('the SQLite message %j is translated', (message, detail) => {
  expect(violationOf(new Error(message), tables, insert)?.message).toBe(detail)
  expect(violationOf(new Error(`x ${message}`), tables, insert)).toBeNull()
})

it.each<[string, object]>([
  [
    'users.plan is NOT NULL and not in the map: map it, give it a default, name it as the tenant, or set it in hooks.write',
    { code: '23502', column: 'plan', table: 'users' },
  ],
  [
    'audit.actor is NOT NULL and not in the map: map it, give it a default, name it as the tenant, or set it in hooks.write',
    { code: '23502', column: 'actor', table: 'audit' },
  ],
  [
    'users.id has the new key already: the sequence of its default is behind the rows',
    { code: '23505', table: 'users', detail: 'Key (id)=(email) already exists.' },
  ],
  [
    'users.id has the new key already: the sequence of its default is behind the rows',
    { errno: 1062, message: "Duplicate entry 'email' for key 'users.PRIMARY'" },
  ],
  [
    "users.id does not accept the UUIDs that the store creates: map id: { column: 'id', key: 'integer' } if the database assigns integers",
    { message: 'datatype mismatch' },
  ],
  [
    "users.id does not accept the UUIDs that the store creates: map id: { column: 'id', key: 'integer' } if the database assigns integers",
    { errno: 1264, message: "Out of range value for column 'id' at row 1" },
  ],
  [
    'users.org_id refers to a row that does not exist, and is not in the map',
    { code: '23503', detail: 'Key (org_id)=(email) is not present in table "orgs".' },
  ],
  [
    'users rejects the row by the check users_plan_check, whose columns are not in the map: map them, or set them in hooks.write',
    {
      code: '23514',
      table: 'users',
      constraint: 'users_plan_check',
      detail: 'Failing row contains (email)=(email).',
    },
  ],
  [
    'users.first_name was null although the store sent a value: pass the values to the database in execute',
    { message: 'NOT NULL constraint failed: users.first_name' },
  ],
  [
    'users rejects the row: value too long for type character varying(40)',
    { code: '22001', message: 'value too long for type character varying(40)' },
  ],
  // `email` is a part of the name, and not its column.
  [
    'users rejects the row by the check users_emailed_check, whose columns are not in the map: map them, or set them in hooks.write',
    { code: '23514', table: 'users', constraint: 'users_emailed_check' },
  ],
])('a program mistake is never reported as a client error: %s', (message, error) => {
  const thrown = Object.assign(new Error('x'), error)
  const found = violationOf(thrown, tables, insert)
  expect(found).toBeInstanceOf(TypeError)
  expect(found?.message).toBe(message)
})

it("an error in a hook's own statement is a client error only with a mapped column", () => {
  const throwing = (error: object) =>
    violationOf(Object.assign(new Error('x'), error), tables, null)
  expect(throwing({ code: '23505', detail: 'Key (slug)=(a)' })?.message).toBe(
    'a value is already taken',
  )
  expect(throwing({ code: '23502', column: 'plan' })).toBeNull()
  expect(throwing({ code: '23502', column: 'email' })?.message).toBe('userName is required')
  expect(throwing({ code: '23502', column: 'email', table: 'profiles' })).toBeNull()
})

it('a value table names the attribute', () => {
  const emails = { table: 'mails', on: { person: 'id' }, columns: { value: 'mail' } }
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  const attributes = { userName: 'email', emails }
  const withTable = prepareMap({ definitions, id: 'id', attributes }, null)
  const error = Object.assign(new Error('x'), { code: '23505', constraint: 'mails_key' })
  const withTables = { map: withTable, options: { table: 'users' } }
  const statement = sql`insert into "mails" ("person", "mail") values (${'i'}, ${'a@x'})`
  expect(violationOf(error, withTables, statement)?.message).toBe('emails is already taken')
})
