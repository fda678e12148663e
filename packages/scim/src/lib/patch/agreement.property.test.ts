import { unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { compileFilter } from '../filter/compile.ts'
import { parseFilter } from '../filter/parse.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'
import { definitions } from './parts.cases.ts'

// Property: a value filter selects the same values in a PATCH path as in a list filter (RFC 7644 §3.5.2).

const word = fc.constantFrom('a', 'A', 'b', 'c')
const device = fc.record(
  { value: word, tags: fc.array(word, { minLength: 1, maxLength: 3 }), note: word },
  { requiredKeys: ['value'] },
)
const comparison = fc
  .tuple(fc.constantFrom('value', 'tags', 'note'), fc.constantFrom('eq', 'ne', 'co', 'sw'), word)
  .map(([name, operator, value]) => `${name} ${operator} "${value}"`)
const term = fc.oneof(
  comparison,
  comparison.map((text) => `not (${text})`),
  fc.constantFrom('tags pr', 'note pr', 'tags eq null', 'note ne null'),
)
const filter = fc.oneof(
  term,
  fc.tuple(term, term, fc.constantFrom('and', 'or')).map(([a, b, join]) => `${a} ${join} ${b}`),
)
const time = fc.constantFrom(
  '2026-01-31T12:00:00Z',
  '2026-01-31T13:00:00+01:00',
  '2027-01-01T00:00:00Z',
)

function expectAgreement(name: string, values: readonly unknown[], text: string): void {
  const path = `${name}[${text}]`
  const matches = unwrap(compileFilter(unwrap(parseFilter(path)), { definitions }))
  const kept = values.filter((value) => !matches({ [name]: [value] }))
  const operations = unwrap(
    parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'remove', path }] }),
  )
  const options = { definitions, tolerate: ['remove-missing'] as const }
  const patched = unwrap(applyPatch({ [name]: values }, operations, options))
  expect(patched[name] ?? []).toStrictEqual(kept)
}

it('a PATCH path selects the same complex values as a list filter', () => {
  fc.assert(
    fc.property(fc.array(device, { maxLength: 4 }), filter, (devices, text) => {
      expectAgreement('devices', devices, text)
    }),
    { numRuns: 2_000 },
  )
})

it('a PATCH path selects the same simple values as a list filter', () => {
  const operator = fc.constantFrom('eq', 'ne')
  fc.assert(
    fc.property(
      fc.array(time),
      fc.array(word),
      operator,
      time,
      word,
      (times, codes, op, at, code) => {
        expectAgreement('times', times, `value ${op} "${at}"`)
        expectAgreement('codes', codes, `value ${op} "${code}"`)
      },
    ),
    { numRuns: 500 },
  )
})
