import fc from 'fast-check'

/** Any character. For its unit `binary`, fast-check builds a table with all of them, which takes a second. */
export const character = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
