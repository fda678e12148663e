import { describe, expect, it } from 'vitest'
import { report, violated } from './fixture.cases.ts'
import { formatReport } from './format-report.ts'
import { readReport } from './read-report.ts'

describe('readReport', () => {
  it.each([report, violated])('returns a report that was written as JSON: %#', (one) => {
    expect(readReport(JSON.parse(JSON.stringify(one)))).toEqual({ value: one })
  })

  it('leaves out the members that the format json adds', () => {
    expect(readReport(JSON.parse(formatReport(violated, { format: 'json' })))).toEqual({
      value: violated,
    })
  })

  it('accepts a violation without an operation, a pointer and a test', () => {
    const { pointer: _, test: __, ...rest } = violated.violations[0] ?? {}
    const value = { ...violated, violations: [{ ...rest, operationId: null }] }
    expect(readReport(value)).toEqual({ value })
  })

  const [operation] = report.operations
  it.each([
    ['null', null],
    ['a list', [report]],
    ['a report of another version', { ...report, format: 'plumbline-contract/0' }],
    ['a count that is not a number', { ...report, exchanges: '3' }],
    ['a negative count', { ...report, violationCount: -1 }],
    ['operations that are not a list', { ...report, operations: {} }],
    ['an operation without a path', { ...report, operations: [{ ...operation, path: null }] }],
    [
      'an item of an unknown kind',
      { ...report, operations: [{ ...operation, items: [{ kind: 'body', name: 'a', count: 1 }] }] },
    ],
    [
      'an item without a count',
      { ...report, operations: [{ ...operation, items: [{ kind: 'status', name: '200' }] }] },
    ],
    [
      'a violation without a url',
      { ...report, violations: [{ ...violated.violations[0], url: 1 }] },
    ],
    [
      'a test without a file',
      { ...report, violations: [{ ...violated.violations[0], test: { name: 'a' } }] },
    ],
  ])('rejects %s', (_, value) => {
    expect(readReport(value).fault?.message).toMatch(/^not a report of a recorder: /)
  })
})
