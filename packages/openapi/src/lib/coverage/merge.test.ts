import { describe, expect, it } from 'vitest'
import { MAX_VIOLATIONS } from '../conformance/report.ts'
import { report, reportWith, violated, violation } from './fixture.cases.ts'
import { mergeReports } from './merge.ts'

describe('mergeReports', () => {
  it('returns an empty report for an empty list', () => {
    expect(mergeReports([])).toEqual({ ...report, exchanges: 0, operations: [] })
  })

  it('returns an equal report for a list of one', () => {
    expect(mergeReports([violated])).toEqual(violated)
  })

  it('adds the counts of exchanges, operations and items', () => {
    const merged = mergeReports([report, report, report])
    expect(merged.exchanges).toBe(9)
    expect(merged.operations.map(({ exchanges }) => exchanges)).toEqual([6, 3])
    expect(merged.operations[0]?.items.map(({ count }) => count)).toEqual([6, 0, 3, 0])
  })

  it('keeps the items that only one report has', () => {
    const [ok, gone] = [
      { kind: 'status', name: '200', count: 1 },
      { kind: 'status', name: '410', count: 2 },
    ] as const
    const merged = mergeReports([reportWith([ok]), reportWith([gone, ok])])
    expect(merged.operations[0]?.items).toEqual([{ ...ok, count: 2 }, gone])
  })

  it('adds the exchanges that were not examined whole, and names their operations', () => {
    const items = [{ kind: 'members', name: '200 /a', count: 1 }] as const
    const { operations, ...rest } = reportWith(items)
    const cut = {
      ...rest,
      operations: operations.map((one) => ({ ...one, cut: 2 })),
      members: { total: 1, covered: 1, cut: ['readBook'] },
    }
    const merged = mergeReports([cut, reportWith(items), cut])
    expect(merged.operations).toMatchObject([{ exchanges: 3, cut: 4 }])
    expect(merged.members).toEqual({ total: 1, covered: 1, cut: ['readBook'] })
  })

  it('does not join operations of one name with different routes', () => {
    const other = report.operations.map((one) => ({ ...one, path: `/v2${one.path}` }))
    const merged = mergeReports([report, { ...report, operations: other }])
    expect(merged.operations.map(({ path }) => path)).toEqual([
      '/books',
      '/books',
      '/v2/books',
      '/v2/books',
    ])
  })

  it('lists the violations in order, and counts those beyond the limit', () => {
    const many = { ...violated, violations: Array.from({ length: 600 }, () => violation) }
    const last = { ...violation, message: 'the last one' }
    const merged = mergeReports([
      { ...many, violationCount: 600 },
      { ...many, violationCount: 700 },
      { ...violated, violations: [last] },
    ])
    expect(merged.violations).toHaveLength(MAX_VIOLATIONS)
    expect(merged.violations).not.toContain(last)
    expect(merged.violationCount).toBe(1_301)
  })

  it('does not change the reports', () => {
    const before = structuredClone([report, violated])
    mergeReports([report, violated])
    expect([report, violated]).toEqual(before)
  })

  it('is independent of how reports are grouped', () => {
    const other = reportWith([{ kind: 'status', name: '200', count: 4 }])
    expect(mergeReports([mergeReports([report, violated]), other])).toEqual(
      mergeReports([report, mergeReports([violated, other])]),
    )
  })
})
