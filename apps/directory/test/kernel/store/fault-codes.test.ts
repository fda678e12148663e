import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../src/kernel/store/driver-errors.ts'
import { faultOf, isTransient, takenAttribute } from '../../../src/kernel/store/faults.ts'
import { ScanTimeoutError, StoreUnavailableError } from '../../../src/kernel/store/store.ts'

const sqlite = (errcode: number) => Object.assign(new Error('of SQLite'), { errcode })
const postgres = (code: string) => Object.assign(new Error('of PostgreSQL'), { code })

// https://sqlite.org/rescode.html
const RESULT_CODES: Readonly<Record<string, readonly number[]>> = {
  unique: [2067, 1555],
  busy: [5, 6, 15, 261, 262, 517],
  full: [13],
  unavailable: [7, 8, 10, 14, 266, 776],
  other: [1, 275, 787],
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html, and errors of the network
const CODES: Readonly<Record<string, readonly string[]>> = {
  unique: ['23505'],
  text: ['22021'],
  busy: ['57014', '40001', '40P01', '26000', '42P05', '55P03'],
  full: ['53100'],
  unavailable: [
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '25006',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'ECONNABORTED',
    'EHOSTDOWN',
    'ENETDOWN',
    // Other codes of their classes.
    '08P01',
    '08999',
    '28000',
    '28P01',
    '53200',
    '53400',
    '55000',
    '55006',
    '57P04',
    '57P05',
    '58000',
    '58030',
    '25P03',
    '25P04',
    '3D000',
    '40003',
  ],
  other: ['23503', '42703', 'XX000', '08', 'ERR_58', ''],
}

/** Messages, without a code of their own, of the driver of PostgreSQL and of Citus for a lost connection. */
const MESSAGES = [
  'Connection terminated unexpectedly',
  'connection ended',
  'connection timeout',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'failure on connection marked as essential: 10.0.0.2:5432',
  'could not commit transaction for shard 102126 on at least one active node',
]

describe("a fault's kind", () => {
  it.each<readonly [what: string, error: unknown, fault: string]>([
    ...Object.entries(RESULT_CODES).flatMap(([fault, codes]) =>
      codes.map((code) => [`errcode ${code}`, sqlite(code), fault] as const),
    ),
    ...Object.entries(CODES).flatMap(([fault, codes]) =>
      codes.map((code) => [`code ${code}`, postgres(code), fault] as const),
    ),
    ...MESSAGES.map((message) => [message, new Error(message), 'unavailable'] as const),
    ['an errcode that is not a number', Object.assign(new Error(), { errcode: '5' }), 'other'],
    ['an error of the program', new TypeError('a bug'), 'other'],
    ['a value that is not an error', { errcode: 5 }, 'other'],
    ['nothing', undefined, 'other'],
    ['a cause', new Error('outer', { cause: sqlite(5) }), 'busy'],
    [
      'the cause of a cause',
      new Error('a', { cause: new Error('b', { cause: sqlite(13) }) }),
      'full',
    ],
    ['the first of several', Object.assign(sqlite(5), { cause: sqlite(13) }), 'busy'],
  ])("a fault's kind is found for %s", (_, error, fault) => {
    expect(faultOf(error)).toBe(fault)
    // After these, the same request may succeed.
    expect(isTransient(error)).toBe(['busy', 'full', 'unavailable'].includes(fault))
  })

  it('an error with itself as the cause is classified without an endless loop', () => {
    const error = new Error('circular')
    error.cause = error
    expect(faultOf(error)).toBe('other')
  })

  it.each([
    [7, 'busy'],
    [8, 'other'],
  ])('an error inside %d others has the kind %s: at most eight are read', (count, fault) => {
    let error: Error = sqlite(5)
    for (let outer = 0; outer < count; outer += 1) error = new Error('outer', { cause: error })
    expect(faultOf(error)).toBe(fault)
  })

  it('a fault is transient if the store is unavailable', () => {
    expect(isTransient(new StoreUnavailableError('busy'))).toBe(true)
    expect(isTransient(new ScanTimeoutError(1))).toBe(true)
  })
})

describe('the attribute whose value is taken', () => {
  const UNIQUE = { code: '23505' }
  const attributes = new Map([
    ['users.tenant_id, users.user_name_key', 'userName'],
    ['users_by_user_name', 'userName'],
  ])
  const attributeOf = (message: string, more: object = {}) =>
    takenAttribute(Object.assign(new Error(message), more), attributes)

  it.each([
    ['UNIQUE constraint failed: users.tenant_id, users.user_name_key', {}, 'userName'],
    ['UNIQUE constraint failed: users.tenant_id, users.id', {}, null],
    ['UNIQUE constraint failed: users.tenant_id, users.user_name_key, users.id', {}, null],
    ['UNIQUE constraint failed: users.tenant_id, users.user_name_key?', {}, null],
    ['NOT NULL constraint failed: users.user_name_key', {}, null],
    ['duplicate key', { constraint: 'users_by_user_name' }, 'userName'],
    ['duplicate key', { constraint: 'users_pkey' }, null],
    ['duplicate key', { constraint: 5 }, null],
    // The forms of Citus, which forwards the message of a worker, with the number of the shard, and not the field.
    [
      'duplicate key value violates unique constraint "users_by_user_name_102042"',
      UNIQUE,
      'userName',
    ],
    ['duplicate key value violates unique constraint "users_by_user_name"', UNIQUE, 'userName'],
    [
      'doppelter Schlüsselwert verletzt Unique-Constraint »users_by_user_name_102042«',
      UNIQUE,
      'userName',
    ],
    ['duplicate key value violates unique constraint "users_pkey_102042"', UNIQUE, null],
    ['duplicate key value violates unique constraint "users_by_user_name_102042"', {}, null],
    [
      'duplicate key value violates unique constraint "users_by_user_name_102042"',
      { ...UNIQUE, constraint: 'users_pkey' },
      null,
    ],
    [
      'outer',
      { cause: Object.assign(new Error(), { constraint: 'users_by_user_name' }) },
      'userName',
    ],
  ])('the taken attribute is found in the error %j %o', (message, more, attribute) => {
    expect(attributeOf(message, more)).toBe(attribute)
  })
})

it("an error's code is the SQLite number, or another driver's string", () => {
  expect(codeOf(sqlite(5))).toBe(5)
  expect(codeOf(postgres('23505'))).toBe('23505')
  expect(codeOf(Object.assign(postgres('ERR_SQLITE_ERROR'), { errcode: 5 }))).toBe(5)
  expect(codeOf(Object.assign(new Error(), { code: 5 }))).toBe('')
  expect(codeOf(new Error())).toBe('')
})
