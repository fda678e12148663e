import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { compareReports, parseReport } from './compare.ts'
import { formatReport } from './format-report.ts'
import { HOSTILE, REPORT } from './report.cases.ts'
import { describeTotals, summarize } from './summary.ts'

describe('formatReport', () => {
  it('writes JSON that parseReport reads, with a version', () => {
    const json: unknown = JSON.parse(formatReport(REPORT))
    expect(json).toMatchObject({ format: 'plumbline-doctor', version: 1, marker: 'plumbline-1' })
    expect(unwrap(parseReport(json)).outcomes).toHaveLength(REPORT.outcomes.length)
  })

  it('writes HTML in which the texts of a server do not start an element or leave an attribute', () => {
    const page = formatReport(REPORT, { format: 'html' })
    for (const hostile of HOSTILE.filter((one) => one.includes('<'))) {
      expect(page).not.toContain(hostile)
    }
    const elements = new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name))
    expect(elements).not.toContain('script')
    for (const name of ['svg', 'img', 'b', 'a']) expect(elements).not.toContain(name)
    expect(page.match(/<style>/g)).toHaveLength(1)
    expect(page.match(/<meta http-equiv/g)).toHaveLength(1)
    expect(page).not.toContain('\u0000')
  })

  it('writes HTML with the finding, its consequence, the request and the response', () => {
    const page = formatReport(REPORT, { format: 'html' })
    const article = /<article class="must" id="create\.required">[\s\S]*?<\/article>/.exec(
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
    ]) {
      expect(article).toContain(part)
    }
    expect(page).toContain('could not be deleted')
    expect(page).toContain('The examination ended early')
  })

  it('writes HTML that starts with what could not run, in text without remains of markup', () => {
    const page = formatReport(REPORT, { format: 'html' })
    const main = /<main>([\s\S]*)<\/main>/.exec(page)?.[1] ?? ''
    const text = main
      .replaceAll(/<[^>]*>/g, '')
      .split('\n')
      .filter((line) => line !== '')
    expect(text[0]).toBe('SCIM examination')
    const verdict = text.findIndex((line) => line.includes('2 of 8 checks did not run'))
    const address = text.indexOf('https://scim.example/scim/v2')
    expect([verdict > 0, address > verdict]).toStrictEqual([true, true])
    expect(text[address + 1]).toBe(
      'Examined at 2026-11-24T09:00:00.000Z by @plumbline/doctor 2026.11.21 with profile entra.',
    )
    expect(text[address + 2]).toBe('2 of 8 checks could not run:')
    expect(text[address + 3]).toMatch(/^2: &#60;script&#62;/)
    expect(text.filter((line) => line.includes('">'))).toStrictEqual([])
    expect(page.match(/could not be deleted/g)).toHaveLength(1)
  })

  it('writes HTML that stays small if a server sends large bodies in many exchanges', () => {
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

  it('writes JUnit with a failure for a failed MUST only, and without characters that XML forbids', () => {
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

  it('separates newly failing, fixed, skipped, new and missing checks', () => {
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
  ])('rejects %s', (_, json) => {
    const result = parseReport(json)
    expect(isFailure(result) && result.error).toBeInstanceOf(TypeError)
  })
})

describe('a summary', () => {
  it('has the sections in their order, with the name of the nearest known section', () => {
    const rows = summarize(REPORT.outcomes).map(({ section, name }) => [section, name])
    expect(rows).toStrictEqual([
      ['RFC 7644 §3.3', 'Create'],
      ['RFC 7644 §3.4.2.3', 'Sort'],
      ['RFC 7644 §3.7.4', 'Bulk'],
      ['RFC 7644 §3.11', '/Me'],
      ['Entra ID', ''],
    ])
  })

  it('counts by level', () => {
    expect(describeTotals(REPORT.outcomes)).toBe(
      '2 passed, 2 failed (1 MUST, 1 SHOULD), 1 skipped, 2 could not run, 1 with an internal error',
    )
  })
})
