import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ViolationKind } from '../src/lib/check/violation.ts'
import type { ResponseErrorCode } from '../src/lib/client/response-error.ts'
import { BUILD_FAULTS } from '../src/lib/document/faults.ts'
import type { InputErrorCode } from '../src/lib/request/input-error.ts'
import { TEXT_FAULTS } from '../src/lib/text/errors.ts'

/** The compiler rejects a list without one of the codes, or with another one. */
const INPUT_CODES = {
  invalid: true,
  malformed: true,
  'unsupported-media-type': true,
} satisfies Record<InputErrorCode, true>

const VIOLATIONS = {
  'undocumented-operation': true,
  'undocumented-status': true,
  'undocumented-media-type': true,
  'undocumented-problem-type': true,
  'missing-header': true,
  'body-mismatch': true,
  'event-mismatch': true,
} satisfies Record<ViolationKind, true>

const RESPONSE_CODES = {
  'undeclared-status': true,
  'undeclared-media-type': true,
  'undeclared-problem': true,
  malformed: true,
  incomplete: true,
  'too-long': true,
  'event-mismatch': true,
  'not-a-stream': true,
} satisfies Record<ResponseErrorCode, true>

/** The codes in the first column of the table with this heading, on a page of the site. */
function codesOfTable(page: string, heading: string): readonly string[] {
  const file = new URL(`../../../docs/pages/troubleshooting/${page}.md`, import.meta.url)
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.indexOf(`| ${heading} | what happened | what to do |`)
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  const codes = rows.slice(0, end).map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? row)
  return start < 0 ? [] : [...new Set(codes)].sort()
}

describe('an error page', () => {
  it.each<[page: string, heading: string, codes: object]>([
    ['openapi-requests', 'code', INPUT_CODES],
    ['openapi-clients', 'code of `ResponseError`', RESPONSE_CODES],
    ['openapi-build', 'code of a build fault', BUILD_FAULTS],
    ['openapi-text', 'code of `parse` and `stringify`', TEXT_FAULTS],
    ['openapi-tests', 'kind of violation', VIOLATIONS],
  ])('the codes on the page %s are exactly those in the package: %s', (page, heading, codes) => {
    expect(codesOfTable(page, heading)).toStrictEqual(Object.keys(codes).sort())
  })
})
