import { describe, expect, it } from 'vitest'
import type { NamedColumn } from '../../predicate/columns.ts'
import { DIALECTS } from '../dialect.ts'
import { decodeColumn, encodeColumn } from './codec.ts'

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
  ...{ kind: 'dateTime', name, format },
})

const NOON = '2026-01-31T12:00:00.000Z'
const MILLISECONDS = Date.parse(NOON)

it.each([
  ['PostgreSQL, a bigint as a string', '9007199254740993'],
  ['a driver with big integers', 9223372036854775807n],
  ['a driver that has rounded it', 9007199254740992],
])('an integer that JSON cannot express is an error of the program: %s', (_, stored) => {
  // RFC 8259 §6
  expect(() => decodeColumn(integer, stored)).toThrow('the column c has an integer outside of')
  expect(decodeColumn(exact, stored)).toBe(String(stored))
})

describe('a value of a driver', () => {
  it.each<[NamedColumn, unknown, unknown]>([
    ...[true, 1, 1n, '1', 't', 'true', bytes(1)].map((stored): [NamedColumn, unknown, unknown] => [
      boolean,
      stored,
      true,
    ]),
    ...[false, 0, 0n, '0', 'f', 'false', bytes(0)].map(
      (stored): [NamedColumn, unknown, unknown] => [boolean, stored, false],
    ),
    [integer, 5, 5],
    [integer, 5n, 5],
    [integer, '5', 5],
    [integer, '-9007199254740991', -9007199254740991],
    [decimal, '1.50', 1.5],
    [exact, 'a', 'a'],
    [exact, text('ä'), 'ä'],
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
    [dateTime('text'), 'yesterday', undefined],
    [dateTime('milliseconds'), 'yesterday', undefined],
    ...[boolean, integer, exact, key, dateTime('text')].flatMap((column) => [
      [column, null, undefined] as [NamedColumn, unknown, unknown],
      [column, undefined, undefined] as [NamedColumn, unknown, unknown],
    ]),
  ])('of %o, %o, is %o', (column, stored, value) => {
    expect(decodeColumn(column, stored)).toBe(value)
  })
})

describe('a value of an attribute', () => {
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
  ])('in %o, %o, is stored as %o', (column, value, stored) => {
    expect(encodeColumn(column, value, 'title', DIALECTS.postgres)).toEqual(stored)
  })

  it.each([
    [exact, 'a\0b', 'title must not contain a null character'],
    [folded, '\ud800', 'title must not contain a lone surrogate'],
    [key, 'x', 'title does not exist'],
  ])('in %j, %j, is rejected', (column, value, message) => {
    expect(() => encodeColumn(column, value, 'title', DIALECTS.sqlite)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue', message }),
    )
  })
})
