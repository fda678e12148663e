import { describe, expect, it } from 'vitest'
import { storable, storableFolded } from '../../../src/kernel/store/column-text.ts'

const invalid = (detail: string) =>
  expect.objectContaining({ status: 400, scimType: 'invalidValue', message: detail })
const tooLong = invalid('title must not be longer than 2000 bytes')

/** The value that a function throws, or undefined. */
function thrownBy(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

describe('a string that every database can store and index', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['2,000 bytes of one byte each', 'a'.repeat(2_000)],
    ['2,000 bytes of two bytes each', 'é'.repeat(1_000)],
    ['1,998 bytes of three bytes each', '€'.repeat(666)],
    ['2,000 bytes of four bytes each', '😀'.repeat(500)],
  ])('the string is stored unchanged: %s', (_, text) => {
    expect(storable('title', text)).toBe(text)
  })

  it.each([
    ['2,001 bytes of one byte each', 'a'.repeat(2_001)],
    ['2,002 bytes of two bytes each', 'é'.repeat(1_001)],
    ['2,001 bytes of three bytes each', '€'.repeat(667)],
    ['2,004 bytes of four bytes each', '😀'.repeat(501)],
  ])('the string is not %s', (_, text) => {
    expect(thrownBy(() => storable('title', text))).toEqual(tooLong)
    expect(thrownBy(() => storableFolded('title', text))).toEqual(tooLong)
  })

  it('the string does not contain U+0000, which PostgreSQL rejects', () => {
    const zero = invalid('title must not contain U+0000')
    expect(thrownBy(() => storable('title', 'a\0b'))).toEqual(zero)
    expect(thrownBy(() => storableFolded('title', '\0'))).toEqual(zero)
  })

  it('the string is null for an unassigned value', () => {
    for (const value of [undefined, null, 5, {}]) {
      expect([storable('title', value), storableFolded('title', value)]).toEqual([null, null])
    }
  })

  it('the string is in lower case if filters ignore the letter case', () => {
    expect(storableFolded('title', 'AÉΣ')).toBe('aéς')
    expect(storable('title', 'AÉ')).toBe('AÉ')
  })
})
