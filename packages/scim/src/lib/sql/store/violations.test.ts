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
