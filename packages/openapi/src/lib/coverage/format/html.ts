import { html, type Markup, writePage } from '@plumbline/report'
import type { RecordedViolation } from '../../conformance/report.ts'
import {
  type CheckedItem,
  type CheckedOperation,
  formatPercentage,
  KIND_NAMES,
  KINDS,
  percentageOf,
  totalOf,
} from '../check-coverage.ts'
import {
  countOf,
  describeCut,
  describeItem,
  describeOthers,
  formatTotal,
  type ReportView,
} from '../view.ts'

/** Writes a report as one page. */
export function writeHtml(view: ReportView): string {
  const { operations, problems, report } = view
  const main = html`<h1>Contract coverage</h1>
<p>${countOf(report.exchanges, 'exchange')}, ${countOf(operations.length, 'operation')}</p>
${writeResult(view)}
${writeTotals(view)}${describeCut(report).map(
  (sentence) => html`
<p>${sentence}</p>`,
)}
${writeViolations(view)}${problems.length === 0 ? '' : writeProblems(problems)}
<section>
<h2>Operations</h2>
${operations.map(writeOperation)}
</section>`
  return writePage('Contract coverage', STYLES, main)
}

function writeResult({ failures }: ReportView): Markup {
  if (failures.length === 0) return html`<p class="covered">Passed</p>`
  return html`<ul class="failures">${failures.map((failure) => html`<li>${failure}</li>`)}</ul>`
}

function writeTotals({ totals }: ReportView): Markup {
  const rows = KINDS.map((kind) => {
    const { total, covered, ignored } = totals[kind]
    const share = total === 0 ? '-' : formatPercentage(percentageOf(totals[kind]))
    return html`<tr><th scope="row">${KIND_NAMES[kind]}</th><td>${covered}</td><td>${total}</td><td>${share}</td><td>${ignored}</td></tr>
`
  })
  return html`<table>
<thead><tr><th scope="col">kind</th><th scope="col">covered</th><th scope="col">of</th><th scope="col">share</th><th scope="col">ignored</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}

function writeViolations({ report }: ReportView): Markup {
  const { violations, violationCount } = report
  if (violationCount === 0) return html``
  const others = describeOthers(report)
  return html`<section>
<h2>Violations</h2>
<table>
<thead><tr><th scope="col">exchange</th><th scope="col">status</th><th scope="col">violation</th><th scope="col">test</th></tr></thead>
<tbody>
${violations.map(writeViolation)}</tbody>
</table>
${others === null ? '' : html`<p>${others}</p>`}
</section>`
}

function writeViolation(violation: RecordedViolation): Markup {
  const { operationId, method, url, status, kind, pointer, message, test } = violation
  return html`<tr><td>${operationId ?? 'no operation'}<br><code>${method} ${url}</code></td><td>${status}</td><td><strong>${kind}</strong>${pointer ? html` at <code>${pointer}</code>` : ''}<br>${message}</td><td>${test ? html`${test.name}<br><code>${test.file}</code>` : ''}</td></tr>
`
}

function writeProblems(problems: readonly CheckedItem[]): Markup {
  return html`<section>
<h2>Default problems</h2>
<ul>
${problems.map(writeItem)}</ul>
</section>`
}

function writeOperation({ operationId, method, path, exchanges, items }: CheckedOperation): Markup {
  const total = totalOf(items)
  const state = total.covered === total.total ? 'covered' : 'uncovered'
  return html`<details${state === 'uncovered' ? html` open` : ''}>
<summary><strong>${operationId}</strong> <code>${method} ${path}</code> <span class="${state}">${formatTotal(total)}</span></summary>
<p>${countOf(exchanges, 'exchange')}</p>
<ul>
${items.map(writeItem)}</ul>
</details>
`
}

function writeItem(item: CheckedItem): Markup {
  const { state, count, reason } = item
  const note = state === 'covered' ? countOf(count, 'exchange') : (reason ?? 'not covered')
  return html`<li class="${state}">${describeItem(item)} <small>${note}</small></li>
`
}

const STYLES = html`
details { border-bottom: 1px solid var(--rule); padding: 0.3rem 0; }
.covered { color: var(--good); }
.uncovered, .failures { color: var(--bad); }
`
