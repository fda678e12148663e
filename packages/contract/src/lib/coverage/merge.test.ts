import { describe, expect, it } from 'vitest'
import { MAX_VIOLATIONS } from '../report.ts'
import { report, reportWith, violated, violation } from './fixture.cases.ts'
import { mergeReports } from './merge.ts'

describe('mergeReports', () => {
  it('an empty list merges to an empty report', () => {
    expect(mergeReports([])).toEqual({ ...report, exchanges: 0, operations: [] })
  })

  it('a list of one merges to an equal report', () => {
    expect(mergeReports([violated])).toEqual(violated)
  })

  it('exchange, operation and item counts are added up', () => {
    const merged = mergeReports([report, report, report])
    expect(merged.exchanges).toBe(9)
    expect(merged.operations.map(({ exchanges }) => exchanges)).toEqual([6, 3])
    expect(merged.operations[0]?.items.map(({ count }) => count)).toEqual([6, 0, 3, 0])
  })

  it('items found in only one report are kept', () => {
    const [ok, gone] = [
      { kind: 'status', name: '200', count: 1 },
      { kind: 'status', name: '410', count: 2 },
    ] as const
    const merged = mergeReports([reportWith([ok]), reportWith([gone, ok])])
    expect(merged.operations[0]?.items).toEqual([{ ...ok, count: 2 }, gone])
  })

  it('partly examined exchanges are added up, and their operations are named', () => {
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

  it('operations with one name and different routes stay separate', () => {
    const other = report.operations.map((one) => ({ ...one, path: `/v2${one.path}` }))
    const merged = mergeReports([report, { ...report, operations: other }])
    expect(merged.operations.map(({ path }) => path)).toEqual([
      '/books',
      '/books',
      '/v2/books',
      '/v2/books',
    ])
  })

  it('violations are listed in order, and those beyond the limit are counted', () => {
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

  it('the input reports are unchanged', () => {
    const before = structuredClone([report, violated])
    mergeReports([report, violated])
    expect([report, violated]).toEqual(before)
  })

  it('grouping reports differently merges to the same result', () => {
    const other = reportWith([{ kind: 'status', name: '200', count: 4 }])
    expect(mergeReports([mergeReports([report, violated]), other])).toEqual(
      mergeReports([report, mergeReports([violated, other])]),
    )
  })
})
