import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resultOf } from '../error.ts'
import { coerceSimple, coerceStored, type Encoding, type SimpleType } from './coerce.ts'

const read = (value: unknown, type: SimpleType, encoding: Encoding = 'base64') =>
  resultOf(() => coerceSimple(value, type, 'x', encoding))
const invalid = (message: string) => ({ error: { scimType: 'invalidValue', message } })

describe('an integer (RFC 7643 §2.3.4, RFC 8259 §6)', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['1e3', 1000],
    ['"12"', 12],
    ['"-9007199254740991"', -9007199254740991],
    ['"-0"', 0],
  ])('%s is read as the integer %d', (json, data) => {
    expect(read(JSON.parse(json), 'integer')).toStrictEqual({ status: 'success', data })
  })

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '9223372036854775807',
    '1e300',
    '"9007199254740993"',
  ])('%s is rejected, because it would be rounded', (json) => {
    const expected = invalid('x must be within ±(2^53-1)')
    expect(read(JSON.parse(json), 'integer')).toMatchObject(expected)
  })

  it.each(['1.5', '"1.0"', '"1e3"', '" 1"', '"01"', '"+1"', '"0x1"', '""', '1e400', 'true', '[1]'])(
    '%s is not an integer',
    (json) => {
      expect(read(JSON.parse(json), 'integer')).toMatchObject(invalid('x must be an integer'))
    },
  )

  it('an integer is read exactly, from a number or a string, or is rejected', () => {
    const near = fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n })
    const sign = fc.constantFrom(1n, -1n)
    const signed = fc.tuple(near, sign).map(([integer, of]) => integer * of)
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ max: 2n ** 70n }), signed), (sent) => {
        const isExact = BigInt.asIntN(54, sent) === sent && sent !== -(2n ** 53n)
        for (const value of [JSON.parse(`${sent}`), `${sent}`]) {
          const result = read(value, 'integer')
          expect(result.status).toBe(isExact ? 'success' : 'failure')
          if (result.status === 'success') expect(BigInt(Number(result.data))).toBe(sent)
        }
      }),
    )
  })

  it('a decimal is a double (RFC 7643 §2.3.3)', () => {
    expect(read(1e300, 'decimal')).toMatchObject({ data: 1e300 })
    expect(read('1', 'decimal')).toMatchObject(invalid('x must be a number'))
  })
})

describe('binary is base64 (RFC 7643 §2.3.6, RFC 4648 §4)', () => {
  it.each(['', 'QQ==', 'QQ', 'QUI=', 'QUI', 'QUJD', '+/+/', 'QR=='])(
    '%j is accepted as binary',
    (text) => {
      expect(read(text, 'binary')).toMatchObject({ data: text })
    },
  )

  it.each([
    '%HELLO%',
    'Q',
    'QUJDQ',
    'QQ=',
    'QQ===',
    '=',
    '==',
    'QUJD=',
    'QQ==QQ==',
    '-_-_',
    'QU\nJD',
    ' QUJD',
  ])('%j is rejected as binary', (text) => {
    expect(read(text, 'binary')).toMatchObject(invalid('x must be base64'))
  })

  it('binary is base64url if the definition says so (RFC 4648 §5)', () => {
    expect(read('-_-_', 'binary', 'base64url')).toMatchObject({ data: '-_-_' })
    expect(read('+/+/', 'binary', 'base64url')).toMatchObject(invalid('x must be base64url'))
  })
})

it('stored values accepted before the checks are read', () => {
  expect(coerceStored(2 ** 60, 'integer', 'x')).toBe(2 ** 60)
  expect(coerceStored('%HELLO%', 'binary', 'x')).toBe('%HELLO%')
  expect(resultOf(() => coerceStored(1.5, 'integer', 'x'))).toMatchObject(
    invalid('x must be an integer'),
  )
})
