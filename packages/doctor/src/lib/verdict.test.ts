import { describe, expect, it } from 'vitest'
import { unexaminedIn } from './areas.ts'
import { REPORT } from './report.cases.ts'
import type { Outcome, Report } from './report.ts'
import { describeVerdict, verdictOf } from './verdict.ts'

type Given = Partial<Outcome> & Pick<Outcome, 'id' | 'status'>

const [PASSED] = REPORT.outcomes

/** A report with outcomes of these ids. */
function reportOf(...outcomes: readonly Given[]): Report {
  if (PASSED === undefined) throw new Error('the report has a passed check')
  const all = outcomes.map((one) => ({ ...PASSED, reason: null, ...one }))
  return { ...REPORT, outcomes: all, stopped: null, left: [] }
}

const passed = (id: string): Given => ({ id, status: 'passed' })
const skipped = (id: string, reason: string): Given => ({ id, status: 'skipped', reason })
const needs = (id: string, other: string): Given => ({
  id,
  status: 'blocked',
  reason: `It needs ${other}, which failed.`,
})

const NO_TEXT = 'The schema of User does not declare a string that a client may change.'
const READ_ONLY = 'The examination is read-only.'

describe('the verdict', () => {
  it.each<[string, readonly Given[], string]>([
    [
      'that all passed',
      [passed('create.user'), passed('replace.active')],
      '2 of 2 checks passed. No rule of the standard was found broken.',
    ],
    [
      'which parts of the protocol were not examined, and why',
      [
        passed('create.user'),
        skipped('replace.user', NO_TEXT),
        skipped('replace.stored', NO_TEXT),
        skipped('patch-replace.attribute', NO_TEXT),
        passed('replace.active'),
      ],
      '2 of 5 checks passed. Not examined: PUT of users, PATCH of users, because the schema of User does not declare a string that a client may change. No rule of the standard was found broken.',
    ],
    [
      'that a provider could not deactivate a user',
      [passed('create.user'), skipped('okta.deactivate-by-put', 'The server lacks it.')],
      '1 of 2 checks passed. Not examined: deactivation by Okta, because the server lacks it. No rule of the standard was found broken.',
    ],
    [
      'topics without an applicable check, without a reason',
      [passed('create.user'), skipped('me.same', 'GET /Me answers 501.'), skipped('bulk.put', 'x')],
      '1 of 3 checks passed. Not examined: /Me, bulk requests. No rule of the standard was found broken.',
    ],
    [
      'the check that others need',
      [passed('create.user'), needs('bulk.put', 'bulk.create'), needs('bulk.patch', 'bulk.create')],
      '1 of 3 checks passed. 2 of 3 checks did not run: 2 checks need bulk.create, which failed. No rule of the standard was found broken.',
    ],
    [
      'nothing twice about a read-only examination',
      [passed('read.user'), skipped('replace.active', READ_ONLY), skipped('bulk.put', READ_ONLY)],
      '1 of 3 checks passed. Not examined: deactivation by PUT, because the examination is read-only. No rule of the standard was found broken.',
    ],
  ])('the verdict says %s', (_, outcomes, sentence) => {
    expect(describeVerdict(reportOf(...outcomes))).toBe(sentence)
  })

  it.each([
    'replace.user',
    'replace.stored',
    'replace.active',
    'patch-replace.attribute',
    'patch-replace.active',
    'entra.disable',
    'okta.deactivate',
    'okta.deactivate-by-put',
  ])('the verdict is not good if %s was chosen and did not run', (id) => {
    expect(verdictOf(reportOf(passed('create.user'), passed(id)))).toBe('good')
    expect(verdictOf(reportOf(passed('create.user'), skipped(id, NO_TEXT)))).toBe('incomplete')
  })

  it('the verdict is good if only an optional topic was not examined, or a check was not chosen', () => {
    const report = reportOf(passed('create.user'), skipped('me.same', 'GET /Me answers 501.'))
    expect(verdictOf(report)).toBe('good')
    expect(verdictOf(reportOf(passed('create.user')))).toBe('good')
  })

  it('the verdict counts a waived finding as examined', () => {
    const waiver = { id: 'replace.active', reason: 'ticket 7', until: '2026-12-31' }
    const waived = { ...skipped('replace.active', 'Waived until 2026-12-31: ticket 7'), waiver }
    expect(unexaminedIn(reportOf(passed('create.user'), waived).outcomes)).toEqual([])
  })
})
