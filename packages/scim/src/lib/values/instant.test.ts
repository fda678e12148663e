import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareInstants, type Instant, parseInstant } from './instant.ts'

function read(text: string): Instant {
  const instant = parseInstant(text)
  if (instant === null) throw new Error(`no instant: ${text}`)
  return instant
}

describe('a dateTime (RFC 7643 §2.3.5)', () => {
  it.each([
    ['2010-01-23T04:56:22Z', '2010-01-23T04:56:22.000Z'],
    ['2010-01-23T04:56:22', '2010-01-23T04:56:22.000Z'],
    ['2010-01-23t04:56:22z', '2010-01-23T04:56:22.000Z'],
    ['2010-01-23T04:56:22.5Z', '2010-01-23T04:56:22.500Z'],
    ['2010-01-23T04:56:22.123456789Z', '2010-01-23T04:56:22.123Z'],
    ['2010-01-23T04:56:22+02:00', '2010-01-23T02:56:22.000Z'],
    ['2010-01-23T04:56:22.25-14:00', '2010-01-23T18:56:22.250Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    // XML Schema Part 2 §3.2.7.1: hour 24 is the first instant of the following day.
    ['2026-12-31T24:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T24:00:00.0000Z', '2027-01-01T00:00:00.000Z'],
    ['2024-02-29T24:00:00+01:00', '2024-02-29T23:00:00.000Z'],
    ['2026-03-01T24:00:00', '2026-03-02T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('the dateTime %s is read as %s', (text, utc) => {
    expect(new Date(read(text).milliseconds).toISOString()).toBe(utc)
  })

  it.each([
    '',
    '2010',
    '2010-01-23',
    '2010-01-23T04:56Z',
    '2010-01-23 04:56:22Z',
    '2010-01-23T04:56:22.Z',
    '2010-01-23T04:56:22+2:00',
    '2010-01-23T04:56:22+15:00',
    '2010-01-23T04:56:22+02:60',
    '2010-13-01T00:00:00Z',
    '2010-00-01T00:00:00Z',
    '2010-01-32T00:00:00Z',
    '2010-02-29T00:00:00Z',
    '2023-02-30T00:00:00Z',
    '2023-04-31T00:00:00Z',
    '2010-01-23T25:00:00Z',
    '2010-01-23T24:00:01Z',
    '2010-01-23T24:00:00.0001Z',
    '2026-02-29T24:00:00Z',
    '9999-12-31T24:00:00Z',
    '2010-01-23T00:60:00Z',
    '2010-01-23T00:00:60Z',
    '-0001-01-01T00:00:00Z',
    '12010-01-01T00:00:00Z',
    // RFC 3339 §1: years before 0000 and after 9999 cannot be written.
    '0000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    ' 2010-01-23T04:56:22Z',
    '2010-01-23T04:56:22Z\n',
    'Thu, 01 Jan 1970 00:00:00 GMT',
  ])('%j is not a dateTime', (text) => {
    expect(parseInstant(text)).toBeNull()
  })

  it('a one-megabyte fraction is parsed quickly', () => {
    const digits = '1'.repeat(1_000_000)
    expect(read(`2010-01-23T04:56:22.${digits}Z`).finer).toHaveLength(999_997)
    expect(parseInstant(`2010-01-23T04:56:22.${digits}x`)).toBeNull()
    expect(read(`2010-01-23T04:56:22.${'0'.repeat(1_000_000)}Z`).finer).toBe('')
    expect(read(`2010-01-23T04:56:22.${'0'.repeat(200_000)}1Z`).finer).toHaveLength(199_998)
  })
})

describe('instants are ordered', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00+02:00'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.1000Z'],
    ['2026-01-01T00:00:00.00010Z', '2026-01-01T00:00:00.0001Z'],
  ])('the instant %s is equal to %s', (a, b) => {
    expect(compareInstants(read(a), read(b))).toBe(0)
  })

  it.each([
    ['2025-12-31T23:59:59.9999Z', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.0001Z'],
    ['2026-01-01T00:00:00.0001Z', '2026-01-01T00:00:00.00011Z'],
    ['2026-01-01T00:00:00.00011Z', '2026-01-01T00:00:00.0002Z'],
    ['2026-01-01T02:00:00+02:01', '2026-01-01T00:00:00Z'],
    ['1969-12-31T23:59:59.9995Z', '1969-12-31T23:59:59.9996Z'],
  ])('%s is before %s', (a, b) => {
    expect(compareInstants(read(a), read(b))).toBeLessThan(0)
    expect(compareInstants(read(b), read(a))).toBeGreaterThan(0)
  })

  it('instants are ordered like their dates', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(date, date, (a, b) => {
        const order = compareInstants(read(a.toISOString()), read(b.toISOString()))
        expect(Math.sign(order)).toBe(Math.sign(a.getTime() - b.getTime()))
      }),
    )
  })
})
