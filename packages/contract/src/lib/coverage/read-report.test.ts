import { describe, expect, it } from 'vitest'
import { report, violated } from './fixture.cases.ts'
import { formatReport } from './format-report.ts'
import { readReport } from './read-report.ts'

describe('readReport', () => {
  it.each([report, violated])('a report written as JSON is returned: %#', (one) => {
    expect(readReport(JSON.parse(JSON.stringify(one)))).toEqual({ value: one })
  })

  it('members added for the json format are left out', () => {
    expect(readReport(JSON.parse(formatReport(violated, { format: 'json' })))).toEqual({
      value: violated,
    })
  })

  it('the count of partly examined exchanges is kept', () => {
    const operations = report.operations.map((one) => ({ ...one, cut: 2 }))
    const value = { ...report, operations }
    expect(readReport(value)).toEqual({ value })
    expect(readReport({ ...value, operations: [{ ...operations[0], cut: 'a' }] })).toEqual({
      fault: {
        message: 'not a report of a recorder: operations must be a list of operations',
      },
    })
  })

  it('a violation may lack an operation, a pointer and a test', () => {
    const { pointer: _, test: __, ...rest } = violated.violations[0] ?? {}
    const value = { ...violated, violations: [{ ...rest, operationId: null }] }
    expect(readReport(value)).toEqual({ value })
  })

  it('a first-version report is read, and the members count as unknown', () => {
    const { problems: _, members: __, ...earlier } = report
    expect(readReport({ ...earlier, format: 'plumbline-contract/1' })).toEqual({ value: report })
  })

  const [operation] = report.operations
  it.each([
    ['it must be an object', 'null', null],
    ['it must be an object', 'a list', [report]],
    [
      'format must be plumbline-contract/2',
      'a report of another version',
      { ...report, format: 'plumbline-contract/0' },
    ],
    [
      'exchanges and violationCount must be numbers',
      'a count that is not a number',
      { ...report, exchanges: '3' },
    ],
    [
      'exchanges and violationCount must be numbers',
      'a negative count',
      { ...report, violationCount: -1 },
    ],
    [
      'operations must be a list of operations',
      'operations that are not a list',
      { ...report, operations: {} },
    ],
    [
      'operations must be a list of operations',
      'an operation without a path',
      { ...report, operations: [{ ...operation, path: null }] },
    ],
    [
      'operations must be a list of operations',
      'an item of an unknown kind',
      { ...report, operations: [{ ...operation, items: [{ kind: 'body', name: 'a', count: 1 }] }] },
    ],
    [
      'operations must be a list of operations',
      'an item without a count',
      { ...report, operations: [{ ...operation, items: [{ kind: 'status', name: '200' }] }] },
    ],
    ['problems must be a list of items', 'no default problems', { ...report, problems: null }],
    [
      'members must have a list of the operations that are cut',
      'members without the operations that are cut',
      { ...report, members: { total: 0, covered: 0 } },
    ],
    [
      'violations must be a list of violations',
      'a violation without a url',
      { ...report, violations: [{ ...violated.violations[0], url: 1 }] },
    ],
    [
      'violations must be a list of violations',
      'a violation whose operation is not a string',
      { ...report, violations: [{ ...violated.violations[0], operationId: 1 }] },
    ],
    [
      'violations must be a list of violations',
      'a test without a file',
      { ...report, violations: [{ ...violated.violations[0], test: { name: 'a' } }] },
    ],
  ])('a report is rejected because %s: %s', (why, _, value) => {
    expect(readReport(value).fault?.message).toBe(`not a report of a recorder: ${why}`)
  })
})
