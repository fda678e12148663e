import { describe, expect, it } from 'vitest'
import { REPORT } from './report.cases.ts'
import { describeVerdict } from './verdict.ts'
import { waive } from './waive.ts'

const [passed, failed] = REPORT.outcomes
const waiver = { id: 'create.required', reason: 'ticket 7', until: '2026-12-31' }

describe('a waiver', () => {
  it('a waiver skips a failed check until its last day ends, and keeps the finding', () => {
    if (failed === undefined) throw new Error('the report has a failed check')
    const outcome = waive(failed, [waiver], new Date('2026-12-31T23:59:59Z'))
    expect(outcome).toMatchObject({
      status: 'skipped',
      reason: 'Waived until 2026-12-31: ticket 7',
      waiver,
      finding: failed.finding,
    })
    const report = { ...REPORT, outcomes: [outcome], stopped: null }
    expect(describeVerdict(report)).toBe(
      '0 of 1 check passed. No rule of the standard was found broken; 1 known finding is waived.',
    )
  })

  it('a waiver does not skip a check after its last day, and says so', () => {
    if (failed === undefined) throw new Error('the report has a failed check')
    const outcome = waive(failed, [waiver], new Date('2027-01-01T00:00:00Z'))
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: 'The waiver expired on 2026-12-31: ticket 7',
    })
  })

  it('a waiver does not change other checks or passed checks', () => {
    if (passed === undefined) throw new Error('the report has a passed check')
    expect(waive(passed, [{ ...waiver, id: passed.id }], new Date())).toBe(passed)
    expect(waive(passed, undefined, new Date())).toBe(passed)
  })
})
