import { expect, it } from 'vitest'
import { USER_DEFINITION } from '../../schema/core-schemas.ts'
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
    'SQLite, an index of an expression',
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
    'PostgreSQL, an index of an expression',
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
    'an error that a query library wraps',
    { message: 'Failed query', cause: { code: '23505', message: 'x', detail: 'Key (email)=(a)' } },
    taken,
  ],
  [
    'a name that is longer',
    { code: '23505', constraint: 'users_email_alias', message: 'x' },
    [409, 'nickName is already taken'],
  ],
  [
    'a whole name before a longer one that is a part of another',
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
    { message: 'NOT NULL constraint failed: users.first_name' },
    [400, 'name.givenName is required'],
  ],
  [
    'a missing value in PostgreSQL',
    { code: '23502', column: 'first_name', message: 'null value' },
    [400, 'name.givenName is required'],
  ],
  [
    'a long value in MySQL',
    { errno: 1406, message: "Data too long for column 'first_name' at row 1" },
    [400, 'name.givenName is too long'],
  ],
  [
    'a text that PostgreSQL does not accept, and that is the name of a column',
    { code: '22P02', message: 'invalid input syntax for type uuid: "first_name"' },
    [400, 'a value is not a value that the database accepts'],
  ],
])('a violation of a constraint is the error of the client: %s', (_, error, [status, message]) => {
  const found = violationOf(Object.assign(new Error(error.message), error), map)
  expect(found).toMatchObject({ status, message })
  expect(found?.cause).toBeDefined()
})

it.each([
  ['another error', new Error('connection lost')],
  ['a value that is not an error', 'UNIQUE constraint failed: users.email'],
  ['an error of a statement', Object.assign(new Error('syntax error'), { code: '42601' })],
])('%s is not translated', (_, error) => {
  expect(violationOf(error, map)).toBeNull()
})

it('an error that is its own cause is not translated', () => {
  const error: { message: string; cause?: unknown } = { message: 'x' }
  error.cause = error
  expect(violationOf(error, map)).toBeNull()
})

const REFERS = 'refers to a resource that does not exist, or that is in use'
const ACCEPTS = 'is not a value that the database accepts'
// PostgreSQL 15, appendix A, and the error numbers of MySQL 8 and MariaDB 11.
it.each<[status: number, scimType: string, why: string, codes: readonly (string | number)[]]>([
  [409, 'uniqueness', 'is already taken', ['23505', 1062, 1586]],
  [400, 'invalidValue', 'is required', ['23502', 1048, 1364]],
  [400, 'invalidValue', 'is too long', ['22001', 1406]],
  [400, 'invalidValue', REFERS, ['23503', 1451, 1452]],
  [400, 'invalidValue', ACCEPTS, ['23514', '22003', '22P02', '22007', '22008']],
  [400, 'invalidValue', ACCEPTS, [3819, 4025, 1264, 1265, 1292, 1366]],
])('%i %s, "%s", has the codes %j', (status, scimType, why, codes) => {
  for (const code of codes) {
    const error = typeof code === 'number' ? { errno: code } : { code }
    const found = violationOf(Object.assign(new Error('x'), error, { column: 'email' }), map)
    expect(found).toMatchObject({ status, scimType, message: `userName ${why}` })
  }
})

it.each([
  ['UNIQUE constraint failed: users.email', 'userName is already taken'],
  ['NOT NULL constraint failed: users.email', 'userName is required'],
  ['string or blob too big', 'a value is too long'],
  ['FOREIGN KEY constraint failed', `a value ${REFERS}`],
  ['CHECK constraint failed: email', `userName ${ACCEPTS}`],
  ['cannot store TEXT value in INTEGER column users.email', `userName ${ACCEPTS}`],
])('the message of SQLite %j is translated', (message, detail) => {
  expect(violationOf(new Error(message), map)?.message).toBe(detail)
  expect(violationOf(new Error(`x ${message}`), map)).toBeNull()
})

it('the table of a value names its attribute', () => {
  const emails = { table: 'mails', on: { person: 'id' }, columns: { value: 'mail' } }
  const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
  const attributes = { userName: 'email', emails }
  const withTable = prepareMap({ definitions, id: 'id', attributes }, null)
  const error = Object.assign(new Error('x'), { code: '23505', constraint: 'mails_key' })
  expect(violationOf(error, withTable)?.message).toBe('emails is already taken')
})
