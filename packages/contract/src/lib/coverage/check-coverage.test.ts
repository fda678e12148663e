import { describe, expect, it } from 'vitest'
import { checkCoverage, formatPercentage, percentageOf } from './check-coverage.ts'
import { report, reportWith, violated } from './fixture.cases.ts'
import type { IgnoredCoverage } from './ignored.ts'

const reason = 'Tested by hand.'
const statesOf = (ignore: readonly IgnoredCoverage[]) =>
  checkCoverage(report, { ignore }).operations.flatMap(({ operationId, items }) =>
    items.flatMap(({ name, state }) => (state === 'ignored' ? [`${operationId} ${name}`] : [])),
  )

describe('a report without rules', () => {
  it('the report passes, whatever is covered', () => {
    expect(checkCoverage(report).failures).toEqual([])
  })

  it('the report counts covered items by kind', () => {
    expect(checkCoverage(report).totals).toEqual({
      status: { total: 3, covered: 2, ignored: 0 },
      problem: { total: 2, covered: 0, ignored: 0 },
      mediaType: { total: 2, covered: 1, ignored: 0 },
      parameter: { total: 2, covered: 1, ignored: 0 },
      members: { total: 0, covered: 0, ignored: 0 },
    })
  })

  it('the report fails for a violation, listed or not', () => {
    expect(checkCoverage(violated).failures).toEqual(['1 violation'])
    expect(checkCoverage({ ...report, violationCount: 2 }).failures).toEqual(['2 violations'])
  })
})

describe("a partial run's report", () => {
  const rules = { partial: true, thresholds: 100, ignore: [{ name: '404', reason }] }

  it('a partial run passes with missing coverage and unused entries', () => {
    expect(checkCoverage(report, rules).failures).toEqual([])
  })

  it('a partial run fails for a violation', () => {
    expect(checkCoverage(violated, rules).failures).toEqual(['1 violation'])
  })

  it('a partial run still rejects an entry without a reason', () => {
    const ignore = [{ name: '404', reason: '' }]
    expect(() => checkCoverage(report, { ...rules, ignore })).toThrow(TypeError)
  })
})

describe('thresholds', () => {
  it.each([
    [66, []],
    [67, ['statuses: 66.6 % covered, expected 67 %']],
    [{}, []],
    [{ status: 66.7 }, ['statuses: 66.6 % covered, expected 66.7 %']],
    [
      { mediaType: 51, parameter: 50, problem: 1 },
      ['problems: 0 % covered, expected 1 %', 'media types: 50 % covered, expected 51 %'],
    ],
  ])("%j is compared with each kind's share", (given, failures) => {
    const thresholds = typeof given === 'number' ? { status: given } : given
    expect(checkCoverage(report, { thresholds }).failures).toEqual(failures)
  })

  it('one number applies to every kind', () => {
    expect(checkCoverage(report, { thresholds: 100 }).failures).toHaveLength(4)
  })

  it('a kind without items reaches any threshold', () => {
    expect(checkCoverage(reportWith([]), { thresholds: 100 }).failures).toEqual([])
  })

  it.each([-1, 101, Number.NaN])('the threshold %s is rejected', (thresholds) => {
    expect(() => checkCoverage(report, { thresholds })).toThrow(/status must be 0 to 100/)
  })

  it('an unknown kind is rejected, because it would not be checked', () => {
    const thresholds: Record<string, number> = { statuses: 100 }
    expect(() => checkCoverage(report, { thresholds })).toThrow(/statuses is not one of status/)
  })
})

describe('an ignore entry', () => {
  it.each<[string, Omit<IgnoredCoverage, 'reason'>, string[]]>([
    ['an operation', { operationId: 'listBooks' }, ['listBooks invalid', 'listBooks query:size']],
    ['a kind', { kind: 'problem' }, ['listBooks invalid', 'createBook invalid']],
    ['a name', { name: '303' }, ['createBook 303']],
    [
      'all three',
      { operationId: 'createBook', kind: 'problem', name: 'invalid' },
      ['createBook invalid'],
    ],
  ])('an entry matches the uncovered items of %s', (_, filter, ignored) => {
    expect(statesOf([{ ...filter, reason }])).toEqual(ignored)
  })

  it('ignored items do not count in the share', () => {
    const ignore = [{ operationId: 'createBook', kind: 'status', name: '303', reason }] as const
    const { totals, failures } = checkCoverage(report, { ignore, thresholds: { status: 100 } })
    expect(totals.status).toEqual({ total: 2, covered: 2, ignored: 1 })
    expect(failures).toEqual([])
  })

  it('the reason of an entry is added to the ignored items', () => {
    const { operations } = checkCoverage(report, { ignore: [{ name: '303', reason }] })
    expect(operations[1]?.items[1]).toMatchObject({ state: 'ignored', reason })
  })

  it.each([
    ['nothing', { name: '404' }],
    ['only covered items', { operationId: 'createBook', name: '201' }],
    ['an item of another operation', { operationId: 'listBooks', name: '303' }],
  ])('an entry that matches %s fails the report', (_, filter) => {
    const { failures } = checkCoverage(report, { ignore: [{ ...filter, reason }] })
    expect(failures).toEqual([`ignore: ${JSON.stringify(filter)} does not match an uncovered item`])
  })

  it.each([
    ['an absent reason', { name: '303' }],
    ['an empty reason', { name: '303', reason: '' }],
    ['a reason of spaces', { name: '303', reason: '  ' }],
  ])('an entry with %s is rejected', (_, entry) => {
    const ignore = [{ name: '404', reason }, entry] as IgnoredCoverage[]
    expect(() => checkCoverage(report, { ignore })).toThrow(/ignore\[1\] does not have a reason/)
  })

  it('an entry without a filter is rejected, because it would match every item', () => {
    expect(() => checkCoverage(report, { ignore: [{ reason }] })).toThrow(
      /must have an operationId/,
    )
  })
})

describe('a percentage', () => {
  it.each([
    [{ total: 3, covered: 1 }, '33.3 %'],
    [{ total: 3, covered: 3 }, '100 %'],
    [{ total: 0, covered: 0 }, '100 %'],
    // 99.97 is not reached by a threshold of 100, so it is not shown as 100.
    [{ total: 3_000, covered: 2_999 }, '99.9 %'],
  ])('%j is %s', (total, text) => {
    expect(formatPercentage(percentageOf({ ...total, ignored: 0 }))).toBe(text)
  })
})
