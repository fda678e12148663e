import { expect, it } from 'vitest'
import { flagFault, patternFault } from './patterns.ts'

it.each(['', 'u', 'v', 'g', 'd', 'gd'])(
  'a pattern with the flags %j matches the same strings without them (JSON Schema Core §6.4)',
  (flags) => {
    expect(flagFault('^a', flags)).toBeNull()
  },
)

it.each(['i', 'm', 's', 'y', 'gi'])(
  'a pattern with the flags %j cannot be represented (JSON Schema Core §6.4)',
  (flags) => {
    expect(flagFault('^a', flags)).toStrictEqual({
      part: `the flags of /^a/${flags}`,
      remedy: 'write the pattern without flags, such as [Aa] for a letter of either case',
    })
  },
)

it.each<[what: string, schema: object, pattern: string | null]>([
  ['no keyword', {}, null],
  ['a pattern', { pattern: '^\\p{L}$' }, null],
  ['a pattern that only compiles without the flag u', { pattern: '\\-' }, '\\-'],
  ['a pattern that is not a string', { pattern: 5 }, null],
  ['keys that are patterns', { patternProperties: { '^a': {}, '(': {} } }, '('],
  ['patternProperties that are not an object', { patternProperties: ['('] }, null],
  ['a pattern before the keys', { pattern: '[', patternProperties: { '(': {} } }, '['],
])('%s: the first pattern that does not compile is found', (_, schema, pattern) => {
  const found = patternFault({ ...schema })
  expect(found?.pattern ?? null).toBe(pattern)
  // Engines begin the message with the pattern, which the caller quotes.
  expect(found?.reason ?? '').not.toContain('regular expression')
})
