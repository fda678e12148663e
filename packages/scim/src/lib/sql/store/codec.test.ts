import { describe, expect, it } from 'vitest'
import type { NamedColumn } from '../../predicate/columns.ts'
import { DIALECTS } from '../dialect.ts'
import { encodeColumn } from './codec.ts'
import { decodeColumn } from './decode.ts'

const name = 'c'
const bytes = (...units: readonly number[]) => Uint8Array.from(units)
const text = (value: string) => new TextEncoder().encode(value)

const boolean: NamedColumn = { kind: 'boolean', name }
const integer: NamedColumn = { kind: 'integer', name }
const decimal: NamedColumn = { kind: 'decimal', name }
const exact: NamedColumn = { kind: 'exact', name, type: null }
const ilike: NamedColumn = { kind: 'ilike', name, type: null }
const folded: NamedColumn = { kind: 'folded', name }
const key: NamedColumn = { kind: 'key', name, type: 'integer' }
const dateTime = (format: 'milliseconds' | 'seconds' | 'text' | 'timestamp'): NamedColumn => ({
  kind: 'dateTime',
  name,
  format,
})

const NOON = '2026-01-31T12:00:00.000Z'
const MILLISECONDS = Date.parse(NOON)

it.each([
  ['PostgreSQL, a bigint as a string', '9007199254740993'],
  ['a driver with big integers', 9223372036854775807n],
])('an integer that JSON cannot express is a program error: %s', (_, stored) => {
  // RFC 8259 §6
  expect(() => decodeColumn(integer, stored, 'users')).toThrow(
    'users.c contains an integer outside of ±(2^53-1): map it to an attribute of the type string',
  )
  expect(decodeColumn(exact, stored, 'users')).toBe(String(stored))
})

it.each([exact, ilike, key, integer])(
  'an integer the driver has rounded is an error: %o',
  (column) => {
    for (const stored of [9007199254740992, -9007199254740992, 1e300]) {
      expect(() => decodeColumn(column, stored, 'users')).toThrow(
        'users.c contains an integer outside of ±(2^53-1), which the driver has rounded: configure it to return bigints or strings, such as supportBigNumbers: true and bigNumberStrings: true in mysql2',
      )
    }
  },
)

it.each<[NamedColumn, string, readonly unknown[]]>([
  [
    boolean,
    'a value that is neither true nor false: map it with encode and decode',
    ['Y', 'N', 'on', '', 'yes', 2, -1, 2n, bytes(2), bytes(0, 1), text('no')],
  ],
  [boolean, 'an object instead of a string', [{}]],
  [
    integer,
    'a value that is not an integer: map it with encode and decode',
    ['', ' ', 'x', '1.5', 1.5, true, Number.NaN, Number.POSITIVE_INFINITY, '1e3', bytes(5)],
  ],
  [
    decimal,
    'a value that is not a decimal number: map it with encode and decode',
    ['', ' ', 'x', true, Number.NaN, Number.POSITIVE_INFINITY, 'Infinity'],
  ],
  [
    dateTime('timestamp'),
    "a value that is not a date and time: map it with type: 'dateTime' and its format, or with encode and decode",
    ['yesterday', '', '2026-02-30 12:00:00', MILLISECONDS, Number.POSITIVE_INFINITY, true],
  ],
  [
    dateTime('text'),
    'a value that is not a date and time as text',
    ['yesterday', '', '2026-01-31'],
  ],
  [
    dateTime('milliseconds'),
    'a value that is not a number of milliseconds',
    ['yesterday', '', NOON],
  ],
  [dateTime('seconds'), 'a value that is not a number of seconds', ['yesterday', '', 1e300]],
  [exact, 'an object instead of a string: map it with encode and decode', [{ a: 1 }]],
  [exact, 'a list instead of a string', [['a']]],
  [exact, 'a date instead of a string', [new Date(MILLISECONDS)]],
  [key, 'bytes that are not text in UTF-8', [bytes(255, 254), bytes(128)]],
])('for %o, a value in another form is an error: %s', (column, message, all) => {
  for (const stored of all) {
    const decode = () => decodeColumn(column, stored, 'users')
    expect(decode).toThrow(TypeError)
    expect(decode).toThrow(`users.c contains ${message}`)
  }
})

describe('a driver value', () => {
  it.each<[NamedColumn, unknown, unknown]>([
    ...[true, 1, 1n, '1', '1.0', 't', 'T', 'true', 'TRUE', bytes(1), text('1')].map(
      (stored): [NamedColumn, unknown, unknown] => [boolean, stored, true],
    ),
    ...[false, 0, 0n, '0', '0.0', 'f', 'F', 'false', 'False', bytes(0), text('0')].map(
      (stored): [NamedColumn, unknown, unknown] => [boolean, stored, false],
    ),
    [integer, 5, 5],
    [integer, 5n, 5],
    [integer, '5', 5],
    [integer, '5.00', 5],
    [integer, text('5'), 5],
    [integer, '-9007199254740991', -9007199254740991],
    [decimal, '1.50', 1.5],
    [exact, 'a', 'a'],
    [exact, text('ä'), 'ä'],
    [exact, text('\ufeffa'), '\ufeffa'],
    [exact, true, 'true'],
    [exact, 1.5, '1.5'],
    [ilike, 'A', 'A'],
    [folded, 'a', 'a'],
    [key, 7, '7'],
    [key, 7n, '7'],
    [key, text('7'), '7'],
    [dateTime('milliseconds'), MILLISECONDS, NOON],
    [dateTime('milliseconds'), String(MILLISECONDS), NOON],
    [dateTime('seconds'), MILLISECONDS / 1_000, NOON],
    [dateTime('text'), NOON, NOON],
    [dateTime('timestamp'), new Date(MILLISECONDS), NOON],
    // The strings of PostgreSQL and of SQLite.
    [dateTime('timestamp'), '2026-01-31 13:00:00+01', NOON],
    [dateTime('timestamp'), '2026-01-31 12:00:00', NOON],
    // The zero date of MySQL.
    [dateTime('timestamp'), new Date(Number.NaN), undefined],
    [dateTime('timestamp'), '0000-00-00 00:00:00', undefined],
    ...[boolean, integer, exact, key, dateTime('text')].flatMap((column) => [
      [column, null, undefined] as [NamedColumn, unknown, unknown],
      [column, undefined, undefined] as [NamedColumn, unknown, unknown],
    ]),
  ])('%o reads %o as %o', (column, stored, value) => {
    expect(decodeColumn(column, stored, 'users')).toBe(value)
  })
})

describe('an attribute value', () => {
  it.each<[NamedColumn, unknown, unknown]>([
    [boolean, true, true],
    [boolean, false, false],
    [integer, 5, 5],
    [decimal, 1.5, 1.5],
    [exact, 'Ä', 'Ä'],
    [ilike, 'Ä', 'Ä'],
    [folded, 'ÄB', 'äb'],
    [key, '7', 7n],
    [dateTime('milliseconds'), '2026-01-31T13:00:00.5+01:00', MILLISECONDS + 500],
    [dateTime('seconds'), '2026-01-31T12:00:00.999Z', MILLISECONDS / 1_000],
    [dateTime('text'), '2026-01-31T12:00:00Z', NOON],
    [dateTime('timestamp'), NOON, new Date(MILLISECONDS)],
    [exact, null, null],
    [exact, undefined, null],
    [boolean, undefined, null],
  ])('%o stores %o as %o', (column, value, stored) => {
    expect(encodeColumn(column, value, 'title', DIALECTS.postgres)).toEqual(stored)
  })

  it.each([
    [exact, 'a\0b', 'title must not contain a null character'],
    [folded, '\ud800', 'title must not contain a lone surrogate'],
    [key, 'x', 'title does not exist'],
  ])('%j rejects %j', (column, value, message) => {
    expect(() => encodeColumn(column, value, 'title', DIALECTS.sqlite)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue', message }),
    )
  })
})
