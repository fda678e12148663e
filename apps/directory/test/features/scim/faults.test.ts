import { ScimError } from '@plumbline/scim'
import { expect, it } from 'vitest'
import { toScimError } from '../../../src/features/scim/faults.ts'
import { ScanTimeoutError, StoreUnavailableError } from '../../../src/kernel/store/store.ts'

const sqlite = (errcode: number, message = 'of SQLite') =>
  Object.assign(new Error(message), { errcode })
const postgres = (code: string, constraint?: string) =>
  Object.assign(new Error('of PostgreSQL'), { code, constraint })
const uniqueFault = (columns: string) => sqlite(2067, `UNIQUE constraint failed: ${columns}`)
const KEYS = 'users.tenant_id, users.user_name_key'

it.each<[what: string, error: unknown, status: number, message: string, scimType?: string | null]>([
  ['a slow scan', new ScanTimeoutError(15_000), 503, 'the search took longer than 15 seconds'],
  [
    'a store without a connection',
    new StoreUnavailableError('all connections are in use'),
    503,
    'the directory cannot reach its database',
  ],
  [
    'a rejected connection',
    postgres('ECONNREFUSED'),
    503,
    'the directory cannot reach its database',
  ],
  ['a busy database', sqlite(5), 503, 'the database is busy'],
  ['a full disk', sqlite(13), 503, 'the disk of the database is full'],
  [
    'a null character',
    postgres('22021'),
    400,
    'a value contains U+0000, which is not supported',
    'invalidValue',
  ],
  ['a taken name', uniqueFault(KEYS), 409, 'userName is already taken', 'uniqueness'],
  [
    'a taken name, wrapped by the query library',
    new Error('failed', { cause: uniqueFault(KEYS) }),
    409,
    'userName is already taken',
    'uniqueness',
  ],
  [
    'a taken name on PostgreSQL',
    postgres('23505', 'users_by_user_name'),
    409,
    'userName is already taken',
    'uniqueness',
  ],
])(
  '%s is a response to the client (RFC 7644 §3.12)',
  (_, error, status, message, scimType = null) => {
    const found = toScimError(error)
    expect(found).toBeInstanceOf(ScimError)
    expect([found?.status, found?.message, found?.scimType]).toEqual([status, message, scimType])
  },
)

it.each([
  // A client cannot choose the keys of these tables.
  ['the primary key of users', uniqueFault('users.tenant_id, users.id')],
  ['an unknown key', postgres('23505', 'users_pkey')],
  ['a key without a name', postgres('23505')],
  ['a bug', new TypeError('x is not a function')],
  ['a value that is not an error', 'text'],
])('%s is an internal error', (_, error) => {
  expect(toScimError(error)).toBeNull()
})
