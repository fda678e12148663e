import { describe, expect, it } from 'vitest'
import { report, reportWith, violated, violation } from './fixture.cases.ts'
import { formatReport, type ReportFormat } from './format-report.ts'

const rules = {
  thresholds: { status: 100 },
  ignore: [{ kind: 'problem', reason: 'Tested by hand.' }],
} as const

const { test: _, pointer: __, ...bare } = violation
/** A report with a violation whose operation is not known, and two that are not listed. */
const unlisted = {
  ...violated,
  violations: [{ ...bare, message: 'a  b', operationId: null }],
  violationCount: 3,
}

describe('a text report', () => {
  it('the text report is a table like code coverage', () => {
    expect(formatReport(report)).toBe(`\
operation      | statuses | problems | media types | parameters | members | not covered
---------------|----------|----------|-------------|------------|---------|------------
all operations |      2/3 |      0/2 |         1/2 |        1/2 |       - |
listBooks      |      1/1 |      0/1 |           - |        1/2 |       - | invalid, query:size
createBook     |      1/2 |      0/1 |         1/2 |          - |       - | 303, invalid, multipart/form-data

`)
  })

  it('the text report ends with ignored items, violations with their tests, and failures', () => {
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

  it('the text report counts unlisted violations', () => {
    expect(formatReport({ ...violated, violationCount: 3 })).toContain(
      '  2 more violations are not listed.\n',
    )
  })

  it('the text report shows a violation without an operation and a test', () => {
    const text = formatReport({ ...violated, violations: [{ ...bare, operationId: null }] })
    expect(text).toContain('\n  no operation: GET http://localhost/books/b1, status 200\n')
    expect(text).not.toMatch(/^ {4}in /m)
  })

  it('control characters are escaped, because they could change a terminal', () => {
    const message = '\u001b[2Jgone\nFAILED\u2028'
    const text = formatReport({ ...violated, violations: [{ ...violation, message }] })
    expect(text).toContain('\\u001b[2Jgone\\u000aFAILED\\u2028')
    expect(text).not.toContain('\u001b')
  })
})

describe('a report with members', () => {
  const members = reportWith([
    { kind: 'members', name: '200 /note', count: 1 },
    { kind: 'members', name: '200 /<i> null', count: 0 },
  ])
  const counted = {
    ...members,
    problems: [{ kind: 'problem', name: 'internal', count: 0 } as const],
    members: { total: 2, covered: 1, cut: ['readBook'] },
  }

  it('the table has a members column, a row for default problems and the bound', () => {
    expect(formatReport(counted)).toBe(`\
operation        | statuses | problems | media types | parameters | members | not covered
-----------------|----------|----------|-------------|------------|---------|------------
all operations   |        - |      0/1 |           - |          - |     1/2 |
default problems |        - |      0/1 |           - |          - |       - | internal
readBook         |        - |        - |           - |          - |     1/2 | 200 /<i> null
readBook has more members than the 500 that count.

`)
  })

  it('the report names an operation whose exchanges were only partly examined', () => {
    const operations = members.operations.map((one) => ({ ...one, cut: 2 }))
    expect(formatReport({ ...counted, operations })).toContain(
      'readBook: 2 exchanges were too large or too deep to count all members.\n',
    )
  })

  it('members only partly counted never show 100 % coverage', () => {
    const all = {
      ...counted,
      operations: reportWith([members.operations[0]?.items[0]].flatMap((one) => one ?? []))
        .operations,
    }
    expect(formatReport(all, { format: 'html' })).toContain('<td class="number">99.9 %</td>')
    expect(formatReport(all, { format: 'github' })).toContain('1/1 (99.9 %)')
  })

  it.each<[ReportFormat, readonly string[]]>([
    [
      'html',
      [
        '<p>readBook has more members than the 500 that count.</p>',
        '<h2>Default problems</h2>',
        '<li class="error">members 200 /&#60;i&#62; null <span class="hint">not covered</span></li>',
        '<tr><th scope="row">members</th><td class="number">1</td><td class="number">2</td><td class="number">50 %</td><td class="number"></td></tr>',
      ],
    ],
    ['json', ['"cut": [\n      "readBook"\n    ]', '"name": "internal"', '"kind": "members"']],
    [
      'junit',
      [
        '<testsuite name="default problems" tests="1" failures="0" errors="0" skipped="1">',
        '<testcase classname="readBook" name="members 200 /note"/>',
        '<skipped message="readBook has more members than the 500 that count."/>',
      ],
    ],
    [
      'github',
      [
        '| default problems | - | 0/1 | - | - | - | internal |',
        '| readBook | - | - | - | - | 1/2 | 200 /&#60;i&#62; null |',
        'readBook has more members than the 500 that count.',
      ],
    ],
  ])('%s shows the same facts', (format, parts) => {
    const written = formatReport(counted, { format })
    for (const part of parts) expect(written).toContain(part)
  })

  it('a table line lists at most 20 names', () => {
    const items = Array.from({ length: 25 }, (_, at) => ({
      kind: 'members',
      name: `200 /${at}`,
      count: 0,
    })) as Parameters<typeof reportWith>[0]
    for (const format of ['text', 'github'] as const) {
      expect(formatReport(reportWith(items), { format })).toMatch(/200 \/19, … 5 more/)
    }
  })

  it('only a members threshold fails the report, and members can be ignored', () => {
    const rules = { format: 'text', ignore: [{ name: '200 /<i> null', reason: 'None.' }] } as const
    expect(formatReport(members, { thresholds: 100 })).not.toContain('FAILED')
    expect(formatReport(members, { thresholds: { members: 90 } })).toContain(
      'FAILED members: 50 % covered, expected 90 %',
    )
    expect(formatReport(members, { ...rules, thresholds: { members: 90 } })).not.toContain('FAILED')
    const stale = [{ name: '200 /note', reason: 'None.' }]
    expect(formatReport(members, { ignore: stale })).toContain('does not match an uncovered item')
  })
})

describe('a JSON report', () => {
  it('the JSON report has the item states, the totals and the failures', () => {
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

describe('a JUnit XML report', () => {
  const xml = formatReport(violated, { ...rules, format: 'junit' })

  it('the JUnit report has a suite per operation, the violations and the broken rules', () => {
    expect(xml).toBe(`\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract">
  <testsuite name="listBooks" tests="4" failures="0" errors="0" skipped="2">
    <testcase classname="listBooks" name="status 200"/>
    <testcase classname="listBooks" name="problem invalid"><skipped message="Tested by hand."/></testcase>
    <testcase classname="listBooks" name="parameter query:page"/>
    <testcase classname="listBooks" name="parameter query:size"><skipped message="not covered"/></testcase>
  </testsuite>
  <testsuite name="createBook" tests="5" failures="0" errors="0" skipped="3">
    <testcase classname="createBook" name="status 201"/>
    <testcase classname="createBook" name="status 303"><skipped message="not covered"/></testcase>
    <testcase classname="createBook" name="problem invalid"><skipped message="Tested by hand."/></testcase>
    <testcase classname="createBook" name="media type application/json"/>
    <testcase classname="createBook" name="media type multipart/form-data"><skipped message="not covered"/></testcase>
  </testsuite>
  <testsuite name="violations" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="violations" name="readBook: GET http://localhost/books/b1, status 200"><failure message="body-mismatch at /title: expected string, received number">test/books.test.ts &#62; books &#62; are read</failure></testcase>
  </testsuite>
  <testsuite name="rules" tests="2" failures="2" errors="0" skipped="0">
    <testcase classname="rules" name="1 violation"><failure message="1 violation"/></testcase>
    <testcase classname="rules" name="statuses: 66.6 % covered, expected 100 %"><failure message="statuses: 66.6 % covered, expected 100 %"/></testcase>
  </testsuite>
</testsuites>
`)
  })

  it('a passing JUnit report does not contain failed cases', () => {
    expect(formatReport(report, { format: 'junit' })).not.toContain('<failure')
  })
})

describe('a GitHub report', () => {
  it('the GitHub report has a result, a table, the violations and the ignored items', () => {
    expect(formatReport(violated, { ...rules, format: 'github' })).toBe(`\
## Contract coverage

- **Failed**: 1 violation
- **Failed**: statuses: 66.6 % covered, expected 100 %

| operation | statuses | problems | media types | parameters | members | not covered |
| --- | --: | --: | --: | --: | --: | --- |
| **all operations** | 2/3 (66.6 %) | - | 1/2 (50 %) | 1/2 (50 %) | - |  |
| listBooks | 1/1 | - | - | 1/2 | - | query:size |
| createBook | 1/2 | - | 1/2 | - | - | 303, multipart/form\\-data |

### Violations

- readBook: GET http://localhost/books/b1, status 200<br>body\\-mismatch at /title: expected string, received number<br>test/books.test.ts &#62; books &#62; are read

### Ignored

- listBooks invalid: Tested by hand.
- createBook invalid: Tested by hand.
`)
  })

  it('a passing GitHub report does not contain empty sections', () => {
    expect(formatReport(report, { format: 'github' })).toBe(`\
## Contract coverage

**Passed**

| operation | statuses | problems | media types | parameters | members | not covered |
| --- | --: | --: | --: | --: | --: | --- |
| **all operations** | 2/3 (66.6 %) | 0/2 (0 %) | 1/2 (50 %) | 1/2 (50 %) | - |  |
| listBooks | 1/1 | 0/1 | - | 1/2 | - | invalid, query:size |
| createBook | 1/2 | 0/1 | 1/2 | - | - | 303, invalid, multipart/form\\-data |
`)
  })

  it('the GitHub report counts unlisted violations', () => {
    const message = 'a\r\n\tb'
    const violations = unlisted.violations.map((one) => ({ ...one, message }))
    const text = formatReport({ ...unlisted, violations }, { format: 'github' })
    expect(text.slice(text.indexOf('### '))).toBe(`\
### Violations

- no operation: GET http://localhost/books/b1, status 200<br>body\\-mismatch: a b
- 2 more violations are not listed.
`)
  })
})

describe('an HTML report', () => {
  const page = formatReport(violated, { ...rules, format: 'html' })

  it('the HTML report shows the totals, the violations and the items', () => {
    expect(page.slice(page.indexOf('<main>'))).toBe(`\
<main>
<header>
<h1>Contract coverage</h1>
<p class="hint">3 exchanges, 2 operations</p>
</header>
<div class="alert alert-error"><p>1 violation</p><p>statuses: 66.6 % covered, expected 100 %</p></div>
<table class="table">
<thead><tr><th scope="col">kind</th><th scope="col" class="number">covered</th><th scope="col" class="number">of</th><th scope="col" class="number">share</th><th scope="col" class="number">ignored</th></tr></thead>
<tbody>
<tr><th scope="row">statuses</th><td class="number">2</td><td class="number">3</td><td class="number">66.6 %</td><td class="number"></td></tr>
<tr><th scope="row">problems</th><td class="number"></td><td class="number"></td><td class="number"></td><td class="number">2</td></tr>
<tr><th scope="row">media types</th><td class="number">1</td><td class="number">2</td><td class="number">50 %</td><td class="number"></td></tr>
<tr><th scope="row">parameters</th><td class="number">1</td><td class="number">2</td><td class="number">50 %</td><td class="number"></td></tr>
<tr><th scope="row">members</th><td class="number"></td><td class="number"></td><td class="number"></td><td class="number"></td></tr>
</tbody>
</table>
<section>
<h2>Violations</h2>
<table class="table">
<thead><tr><th scope="col">exchange</th><th scope="col" class="number">status</th><th scope="col">violation</th><th scope="col">test</th></tr></thead>
<tbody>
<tr><td>readBook<br><code>GET http://localhost/books/b1</code></td><td class="number">200</td><td><strong>body-mismatch</strong> at <code>/title</code><br>expected string, received number</td><td>books &#62; are read<br><code>test/books.test.ts</code></td></tr>
</tbody>
</table>

</section>
<section>
<h2>Operations</h2>
<details open>
<summary><strong>listBooks</strong> <code>GET /books</code> <span class="badge badge-error"><span aria-hidden="true">✕</span> 2/3</span></summary>
<p class="hint">2 exchanges</p>
<ul>
<li class="success">status 200 <span class="hint">2 exchanges</span></li>
<li class="hint">problem invalid <span class="hint">Tested by hand.</span></li>
<li class="success">parameter query:page <span class="hint">1 exchange</span></li>
<li class="error">parameter query:size <span class="hint">not covered</span></li>
</ul>
</details>
<details open>
<summary><strong>createBook</strong> <code>POST /books</code> <span class="badge badge-error"><span aria-hidden="true">✕</span> 2/4</span></summary>
<p class="hint">1 exchange</p>
<ul>
<li class="success">status 201 <span class="hint">1 exchange</span></li>
<li class="error">status 303 <span class="hint">not covered</span></li>
<li class="hint">problem invalid <span class="hint">Tested by hand.</span></li>
<li class="success">media type application/json <span class="hint">1 exchange</span></li>
<li class="error">media type multipart/form-data <span class="hint">not covered</span></li>
</ul>
</details>

</section>
</main>
</body>
</html>
`)
  })

  it('the HTML report counts unlisted violations', () => {
    const written = formatReport(unlisted, { format: 'html' })
    const from = written.indexOf('<h2>Violations')
    expect(written.slice(from, written.indexOf('</section>', from))).toBe(`\
<h2>Violations</h2>
<table class="table">
<thead><tr><th scope="col">exchange</th><th scope="col" class="number">status</th><th scope="col">violation</th><th scope="col">test</th></tr></thead>
<tbody>
<tr><td>no operation<br><code>GET http://localhost/books/b1</code></td><td class="number">200</td><td><strong>body-mismatch</strong><br>a  b</td><td></td></tr>
</tbody>
</table>
<p>2 more violations are not listed.</p>
`)
  })

  it('a passing HTML report does not contain a violations table', () => {
    const written = formatReport(report, { format: 'html' })
    expect(written).toContain('<div class="alert alert-success"><p>Passed</p></div>')
    expect(written).toContain('</table>\n\n<section>\n<h2>Operations</h2>')
  })

  it('only uncovered operations are expanded', () => {
    const covered = reportWith([{ kind: 'status', name: '200', count: 1 }])
    const written = formatReport(covered, { format: 'html' })
    expect(written).toContain('<details>')
    expect(written).toContain('<span class="badge badge-success">')
    expect(page).toContain('<details open>')
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

  it('a hostile name is escaped in HTML, character by character', () => {
    const written = formatReport(everywhere, { format: 'html' })
    expect(written).toContain(
      '<strong>&#60;script&#62;alert(&#34;1 &#38; &#39;2&#39;&#34;)&#60;/script&#62;|`**@all**`</strong>',
    )
  })

  it.each<[ReportFormat, RegExp]>([
    ['html', /<script>|"1 &/],
    ['junit', /<script>|"1 &/],
    ['github', /<script>|@all|[^\\]`/],
  ])('a hostile name does not become markup in %s', (format, markup) => {
    expect(formatReport(everywhere, { format })).not.toMatch(markup)
    expect(formatReport(everywhere, { format, ignore })).not.toMatch(markup)
  })
})

it('an unknown format is rejected', () => {
  const format = 'pdf' as ReportFormat
  expect(() => formatReport(report, { format })).toThrow(
    /^formatReport: format must be one of text, html, json, junit, github, not "pdf"$/,
  )
})
