import { describe, expect, it } from 'vitest'
import { report, reportWith, violated, violation } from './fixture.cases.ts'
import { formatReport, type ReportFormat } from './format-report.ts'

const rules = {
  thresholds: { status: 100 },
  ignore: [{ kind: 'problem', reason: 'Tested by hand.' }],
} as const

describe('a report as text', () => {
  it('is a table like that of code coverage', () => {
    expect(formatReport(report)).toBe(`\
operation      | statuses | problems | media types | parameters | not covered
---------------|----------|----------|-------------|------------|------------
all operations |      2/3 |      0/2 |         1/2 |        1/2 |
listBooks      |      1/1 |      0/1 |           - |        1/2 | invalid, query:size
createBook     |      1/2 |      0/1 |         1/2 |          - | 303, invalid, multipart/form-data

`)
  })

  it('ends with the ignored items, the violations with their tests, and the failures', () => {
    const text = formatReport(violated, rules)
    expect(text.slice(text.indexOf('\n\n'))).toBe(`

Ignored:
  listBooks invalid: Tested by hand.
  createBook invalid: Tested by hand.

Violations:
  readBook: GET http://localhost/books/b1, status 200
    body-mismatch at /title: expected string, received number
    in test/books.test.ts > books > are read

FAILED 1 violation
FAILED statuses: 66.6 % covered, expected 100 %
`)
  })

  it('counts the violations that are not listed', () => {
    expect(formatReport({ ...violated, violationCount: 3 })).toContain(
      '  2 more violations are not listed.\n',
    )
  })

  it('shows a violation without an operation and a test', () => {
    const { test: _, pointer: __, ...bare } = violation
    const text = formatReport({ ...violated, violations: [{ ...bare, operationId: null }] })
    expect(text).toContain('\n  no operation: GET http://localhost/books/b1, status 200\n')
    expect(text).not.toContain('in test')
  })

  it('escapes control characters, which could change a terminal', () => {
    const message = '\u001b[2Jgone\nFAILED\u2028'
    const text = formatReport({ ...violated, violations: [{ ...violation, message }] })
    expect(text).toContain('\\u001b[2Jgone\\u000aFAILED\\u2028')
    expect(text).not.toContain('\u001b')
  })
})

describe('a report as JSON', () => {
  it('has the states of the items, the totals and the failures', () => {
    const json = JSON.parse(formatReport(violated, { ...rules, format: 'json' }))
    expect(json).toMatchObject({ ...violated, operations: [{ operationId: 'listBooks' }, {}] })
    expect(json.operations[1].items[1]).toEqual({
      kind: 'status',
      name: '303',
      count: 0,
      state: 'uncovered',
    })
    expect(json.totals.problem).toEqual({ total: 0, covered: 0, ignored: 2 })
    expect(json.failures).toHaveLength(2)
  })
})

describe('a report as JUnit XML', () => {
  const xml = formatReport(violated, { ...rules, format: 'junit' })

  it('has a suite for each operation, with a case for each item', () => {
    expect(xml).toContain('<testsuite name="listBooks" tests="4" failures="0" skipped="2">')
    expect(xml).toContain('<testcase classname="listBooks" name="status 200"/>')
    expect(xml).toContain(
      '<testcase classname="listBooks" name="problem invalid"><skipped message="Tested by hand."/></testcase>',
    )
    expect(xml).toContain(
      '<testcase classname="createBook" name="status 303"><skipped message="not covered"/></testcase>',
    )
  })

  it('has a failed case for each violation and each rule that is not kept', () => {
    expect(xml).toContain('<testsuite name="violations" tests="1" failures="1" skipped="0">')
    expect(xml).toContain('<testsuite name="rules" tests="2" failures="2" skipped="0">')
    expect(xml).toContain('>test/books.test.ts &#62; books &#62; are read</failure>')
  })

  it('does not have failed cases if the report passes', () => {
    expect(formatReport(report, { format: 'junit' })).not.toContain('<failure')
  })

  it('replaces the characters that XML does not allow (XML 1.0 §2.2)', () => {
    const message = '\u0000 \ud800 \uffff \t\n "'
    const written = formatReport(
      { ...violated, violations: [{ ...violation, message }] },
      { format: 'junit' },
    )
    expect(written).toContain('\ufffd \ufffd \ufffd &#9;&#10; &#34;')
  })
})

describe('a report for GitHub', () => {
  it('is a result, a table, the violations and the ignored items', () => {
    expect(formatReport(violated, { ...rules, format: 'github' })).toBe(`\
## Contract coverage

- **Failed**: 1 violation
- **Failed**: statuses: 66.6 % covered, expected 100 %

| operation | statuses | problems | media types | parameters | not covered |
| --- | --: | --: | --: | --: | --- |
| **all operations** | 2/3 (66.6 %) | - | 1/2 (50 %) | 1/2 (50 %) |  |
| listBooks | 1/1 | - | - | 1/2 | query:size |
| createBook | 1/2 | - | 1/2 | - | 303, multipart/form\\-data |

### Violations

- readBook: GET http://localhost/books/b1, status 200<br>body\\-mismatch at /title: expected string, received number<br>test/books.test.ts &#62; books &#62; are read

### Ignored

- listBooks invalid: Tested by hand.
- createBook invalid: Tested by hand.
`)
  })

  it('says that a report passes', () => {
    expect(formatReport(report, { format: 'github' })).toContain('\n\n**Passed**\n\n')
  })
})

describe('a report as HTML', () => {
  const page = formatReport(violated, { ...rules, format: 'html' })

  it('shows the totals, the violations and the items', () => {
    expect(page).toContain(
      '<th scope="row">statuses</th><td>2</td><td>3</td><td>66.6 %</td><td>0</td>',
    )
    expect(page).toContain('<strong>body-mismatch</strong> at <code>/title</code>')
    expect(page).toContain('<li class="uncovered">status 303 <small>not covered</small></li>')
    expect(page).toContain(
      '<li class="ignored">problem invalid <small>Tested by hand.</small></li>',
    )
    expect(page).toContain('<li>1 violation</li>')
  })

  it('opens only the operations that are not covered', () => {
    const covered = reportWith([{ kind: 'status', name: '200', count: 1 }])
    expect(formatReport(covered, { format: 'html' })).toContain('<details>')
    expect(page).toContain('<details open>')
  })

  it('does not load or run anything, and has colors for light and dark', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(/)
    expect(page).toContain('color-scheme: light dark')
  })
})

describe('a hostile name', () => {
  const hostile = `<script>alert("1 & '2'")</script>|\`**@all**\``
  const operation = { operationId: hostile, method: hostile, path: hostile, exchanges: 1 }
  const everywhere = {
    ...violated,
    operations: [{ ...operation, items: [{ kind: 'status', name: hostile, count: 0 } as const] }],
    violations: [
      {
        ...violation,
        operationId: hostile,
        message: hostile,
        pointer: hostile,
        method: hostile,
        url: hostile,
        test: { name: hostile, file: hostile },
      },
    ],
  }
  const ignore = [{ name: hostile, reason: hostile }]

  it.each<[ReportFormat, RegExp]>([
    ['html', /<script>|"1 &/],
    ['junit', /<script>|"1 &/],
    ['github', /<script>|@all|[^\\]`/],
  ])('does not become markup in %s', (format, markup) => {
    expect(formatReport(everywhere, { format })).not.toMatch(markup)
    expect(formatReport(everywhere, { format, ignore })).not.toMatch(markup)
  })
})

it('rejects an unknown format', () => {
  const format = 'pdf' as ReportFormat
  expect(() => formatReport(report, { format })).toThrow(
    /^format must be one of text, html, json, junit, github, not pdf$/,
  )
})
