import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonFault } from './json-fault.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with one character inserted, removed or replaced, so that it is nearly valid. */
const nearlyJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(200),
    fc.nat(2),
    fc.constantFrom(
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\\',
      '\n',
      '0',
      '-',
      'e',
      '.',
      't',
      ' ',
    ),
  )
  .map(([text, at, without, put]) => text.slice(0, at) + put + text.slice(at + without))

describe('the first offset at which text is not valid JSON', () => {
  it('an offset exists exactly if JSON.parse rejects the text', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('the text before the offset starts valid JSON, and no continuation after it is valid', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const fault = findJsonFault(text)
        if (!fault) return
        // No continuation makes the text up to and including the fault valid JSON.
        expect(findJsonFault(text.slice(0, fault.offset + 1))).not.toBeNull()
        const before = findJsonFault(text.slice(0, fault.offset))
        expect(before === null || before.offset === fault.offset).toBe(true)
      }),
    )
  })
})
