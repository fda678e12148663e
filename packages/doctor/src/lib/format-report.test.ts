import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { addressOf } from './address.ts'
import { compareReports, parseReport } from './compare.ts'
import { formatReport } from './format-report.ts'
import { HOSTILE, REPORT } from './report.cases.ts'
import { describeTotals, summarize } from './summary.ts'

/** The lines of a page as a reader sees them. */
function linesOf(page: string): readonly string[] {
  const main = /<main>([\s\S]*)<\/main>/.exec(page)?.[1] ?? page
  const text = main.replaceAll(/<[^>]*>/g, '')
  return text.split('\n').filter((line) => line.trim() !== '')
}

describe('formatReport', () => {
  it('formatReport writes JSON with a version, which parseReport reads', () => {
    const json: unknown = JSON.parse(formatReport(REPORT))
    expect(json).toMatchObject({ format: 'plumbline-doctor', version: 1, marker: 'plumbline-1' })
    expect(unwrap(parseReport(json)).outcomes).toHaveLength(REPORT.outcomes.length)
  })

  it("a report has the address explaining a finding, but none for an application's check", () => {
    const [passed, failed] = REPORT.outcomes
    if (passed === undefined || failed === undefined) throw new Error('the report has outcomes')
    const outcomes = [
      passed,
      { ...failed, id: 'create.user' },
      { ...failed, id: 'create.user', level: 'SHOULD' as const },
      { ...failed, id: 'ours.user' },
    ]
    const address = addressOf({ id: 'create.user' })
    const json = JSON.parse(formatReport({ ...REPORT, outcomes }))
    expect(json.outcomes.map((one: object) => ('address' in one ? one.address : 'none'))).toEqual([
      'none',
      address,
      address,
      null,
    ])
    const xml = formatReport({ ...REPORT, outcomes }, { format: 'junit' })
    expect([...xml.matchAll(/>([^<]+)<\/(?:failure|skipped)>/g)].map(([, text]) => text)).toEqual([
      `Answer 201.&#10;${address}`,
      `Answer 201.&#10;${address}`,
      'Answer 201.',
    ])
  })

  it('server texts in HTML do not start an element or leave an attribute', () => {
    const page = formatReport(REPORT, { format: 'html' })
    for (const hostile of HOSTILE.filter((one) => one.includes('<'))) {
      expect(page).not.toContain(hostile)
    }
    const elements = new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name))
    expect(elements).not.toContain('script')
    for (const name of ['svg', 'img', 'b']) expect(elements).not.toContain(name)
    for (const [link] of page.matchAll(/<a\b[^>]*>/g)) {
      expect(link).toMatch(/^<a href="https:[/][/]plumbline[.]example[/][\w./#-]+">$/)
    }
    expect(page.match(/<style>/g)).toHaveLength(1)
    expect(page.match(/<meta http-equiv/g)).toHaveLength(1)
    expect(page).not.toContain('\u0000')
  })

  it('HTML shows the finding, the consequence, the request and the response', () => {
    const page = formatReport(REPORT, { format: 'html' })
    const article = /<article class="card" id="create\.required">[\s\S]*?<\/article>/.exec(
      page,
    )?.[0]
    for (const part of [
      '<dt>Expected</dt><dd>POST /Users to answer 201</dd>',
      '<dt>What to do</dt><dd>Answer 201.</dd>',
      '<dt>Microsoft Entra ID</dt><dd>Provisioning fails.</dd>',
      '<dt>Okta</dt><dd>Users are not created.</dd>',
      'authorization: ***',
      '&#34;userName&#34;: &#34;ada@example.com&#34;',
      'content-type: ',
      '/troubleshooting/checks/create.html#createrequired"><code>create.required</code></a>',
    ]) {
      expect(article).toContain(part)
    }
    expect(page).toContain('could not be deleted')
    expect(page).toContain('The examination ended early')
  })

  it('HTML goes from the verdict to the numbers, in text without leftover markup', () => {
    const page = formatReport(REPORT, { format: 'html' })
    const text = linesOf(page)
    expect(text.slice(0, 2)).toStrictEqual([
      'SCIM examination of https://scim.example/scim/v2',
      'Examined at 2026-11-24 09:00 UTC by @plumbline/doctor 2026.11.21 with profile entra.',
    ])
    expect(text[2]).toMatch(/^The examination ended early: /)
    expect(text).toContain(describeTotals(REPORT.outcomes))
    expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toStrictEqual([
      'The worst findings',
      'Checks that could not run',
      'Checks that were skipped',
      'Checks that passed',
      'Sections',
    ])
    expect(text.filter((line) => line.includes('">'))).toStrictEqual([])
    expect(page.match(/could not be deleted/g)).toHaveLength(1)
  })

  it('HTML shows five findings first, then the others, each once', () => {
    const [, failed] = REPORT.outcomes
    if (failed === undefined) throw new Error('the report has a finding')
    const outcomes = Array.from({ length: 7 }, (_, at) => ({ ...failed, id: `topic.${at}` }))
    const page = formatReport({ ...REPORT, outcomes }, { format: 'html' })
    const [worst = '', others = ''] = page.split('<h2>Other findings</h2>')
    expect([worst, others].map((part) => part.match(/<article /g)?.length)).toStrictEqual([5, 2])
  })

  it('HTML shows the checks below each reason, starting with the most frequent one', () => {
    const [passed] = REPORT.outcomes
    if (passed === undefined) throw new Error('the report has a passed check')
    const reasons = ['No groups.', 'No bulk.', 'No groups.']
    const outcomes = reasons.map((reason, at) => ({
      ...passed,
      id: `topic.${at}`,
      status: 'skipped' as const,
      reason,
    }))
    const page = formatReport({ ...REPORT, outcomes }, { format: 'html' })
    const lines = linesOf(page.slice(page.indexOf('<h2>Checks that were skipped')))
    expect(lines.slice(0, 6)).toStrictEqual([
      'Checks that were skipped',
      '2 checks: No groups.',
      'A user is created MUST topic.0',
      'A user is created MUST topic.2',
      '1 check: No bulk.',
      'A user is created MUST topic.1',
    ])
  })

  it('zeros in the HTML table are blank', () => {
    const page = formatReport(REPORT, { format: 'html' })
    const row = /<tr><th scope="row">RFC 7644 §3\.11.*<\/tr>/.exec(page)?.[0] ?? ''
    const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)
    expect(cells).toStrictEqual(['', '', '1', '2'])
  })

  it.each([
    ['green if all checks that apply passed', 'success', ['passed', 'skipped'], null],
    ['yellow if a check could not run', 'warning', ['passed', 'blocked'], null],
    ['yellow if the examination ended early', 'warning', ['passed'], 'interrupted'],
    ['yellow if no check passed', 'warning', ['skipped'], null],
    ['red if a check failed', 'error', ['failed', 'blocked'], null],
    ['red if a check has an internal error', 'error', ['passed', 'broken'], null],
  ] as const)('HTML shows a verdict that is %s', (_, color, statuses, stopped) => {
    const [passed] = REPORT.outcomes
    if (passed === undefined) throw new Error('the report has a passed check')
    const outcomes = statuses.map((status) => ({ ...passed, status, reason: 'No groups.' }))
    const page = formatReport({ ...REPORT, left: [], outcomes, stopped }, { format: 'html' })
    expect(page.match(/class="alert alert-\w+"/g)).toStrictEqual([`class="alert alert-${color}"`])
  })

  it.each([
    [['SHOULD'], 'warning', '1', '1 warning'],
    [['MAY', 'practice'], 'warning', '2', '2 warnings'],
    [['SHOULD', 'defined'], 'error', '2', '1 warning'],
    [['MUST'], 'error', '1', null],
  ] as const)('HTML shows failed checks with %j as %s', (levels, color, count, warnings) => {
    const [passed] = REPORT.outcomes
    if (passed === undefined) throw new Error('the report has a passed check')
    const failed = levels.map((level) => ({ ...passed, level, status: 'failed' as const }))
    const report = { ...REPORT, left: [], outcomes: [passed, ...failed], stopped: null }
    const page = formatReport(report, { format: 'html' })
    expect(page).toContain(`<div class="alert alert-${color}">`)
    expect(page).toContain(`<td class="number ${color}">${count}</td>`)
    const [sentence = ''] = /(?:No rule|The server breaks)[^<]*/.exec(page) ?? []
    expect(sentence.endsWith(warnings === null ? 'of the standard.' : `, with ${warnings}.`)).toBe(
      true,
    )
  })

  it('HTML stays small if a server sends large bodies in many exchanges', () => {
    const [first] = REPORT.outcomes[1]?.exchanges ?? []
    if (first === undefined) throw new Error('the report has an exchange')
    const large = { ...first, responseBody: '<'.repeat(16_384), requestBody: null }
    const exchanges = Array.from({ length: 500 }, () => large)
    const outcomes = REPORT.outcomes.map((outcome) => ({ ...outcome, exchanges }))
    const page = formatReport({ ...REPORT, outcomes }, { format: 'html' })
    expect(page).toContain('480 earlier requests are not shown.')
    expect(page).toContain('(12384 more characters)')
    expect(page.length).toBeLessThan(3_000_000)
  })

  it('JUnit has a failure for a failed MUST only, and no characters XML forbids', () => {
    const xml = formatReport(REPORT, { format: 'junit' })
    expect(xml).toContain(
      '<testsuite name="RFC 7644 §3.3 Create" tests="2" failures="1" errors="0" skipped="0">',
    )
    expect(xml.match(/<failure /g)).toHaveLength(1)
    expect(xml.match(/<error /g)).toHaveLength(3)
    expect(xml.match(/<skipped /g)).toHaveLength(2)
    expect(xml).toContain('message="SHOULD: expected POST /Users to answer 201, found ')
    expect(xml).not.toContain('<script>')
    expect(xml).not.toContain('\u0000')
    expect(xml).not.toContain('\ud800')
  })
})

describe('compareReports', () => {
  const outcome = (id: string, status: 'passed' | 'failed' | 'skipped' | 'blocked' | 'broken') => ({
    id,
    section: 'RFC 7644 §3.3',
    level: 'MUST' as const,
    title: id,
    status,
  })
  const ids = (list: readonly { readonly id: string }[]): readonly string[] =>
    list.map(({ id }) => id)

  it('compareReports separates newly failing, fixed, skipped, new and missing checks', () => {
    const before = {
      outcomes: [
        outcome('a', 'passed'),
        outcome('b', 'failed'),
        outcome('c', 'failed'),
        outcome('d', 'failed'),
        outcome('e', 'passed'),
        outcome('f', 'skipped'),
      ],
    }
    const after = {
      outcomes: [
        outcome('a', 'failed'),
        outcome('b', 'passed'),
        outcome('c', 'skipped'),
        outcome('d', 'broken'),
        outcome('f', 'broken'),
        outcome('g', 'failed'),
      ],
    }
    const { failing, fixed, skipped, added, gone } = compareReports(before, after)
    expect([failing, fixed, skipped, added, gone].map(ids)).toStrictEqual([
      ['a', 'f'],
      ['b'],
      ['c'],
      ['g'],
      ['e'],
    ])
  })
})

describe('parseReport', () => {
  const outcome = { id: 'a', section: 's', level: 'MUST', title: 't', status: 'passed' }
  const report = { format: 'plumbline-doctor', version: 1, outcomes: [outcome] }
  it.each<[string, unknown]>([
    ['another format', { ...report, format: 'other' }],
    ['another version', { ...report, version: 2 }],
    ['no outcomes', { ...report, outcomes: undefined }],
    ['an outcome that is not an object', { ...report, outcomes: ['a'] }],
    ['an outcome without an id', { ...report, outcomes: [{ ...outcome, id: 1 }] }],
    ['an unknown status', { ...report, outcomes: [{ ...outcome, status: 'x' }] }],
    ['an unknown level', { ...report, outcomes: [{ ...outcome, level: 'x' }] }],
    ['null', null],
    ['a list', []],
  ])('parseReport rejects %s', (_, json) => {
    const result = parseReport(json)
    expect(isFailure(result) && result.error).toBeInstanceOf(TypeError)
  })
})

describe('a summary', () => {
  it('a summary has the sections in order, named after the nearest known section', () => {
    const rows = summarize(REPORT.outcomes).map(({ section, name }) => [section, name])
    expect(rows).toStrictEqual([
      ['RFC 7644 §3.3', 'Create'],
      ['RFC 7644 §3.4.2.3', 'Sort'],
      ['RFC 7644 §3.7.4', 'Bulk'],
      ['RFC 7644 §3.11', '/Me'],
      ['Entra ID', ''],
    ])
  })

  it('a summary counts by level', () => {
    expect(describeTotals(REPORT.outcomes)).toBe(
      '2 passed, 2 failed (1 MUST, 1 SHOULD), 1 skipped, 2 could not run, 1 with an internal error',
    )
  })
})
