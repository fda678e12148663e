import { badge, html, type Markup, writePage } from '@plumbline/report'
import type { RecordedViolation } from '../../report.ts'
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
  const main = html`<header>
<h1>Contract coverage</h1>
<p class="hint">${countOf(report.exchanges, 'exchange')}, ${countOf(operations.length, 'operation')}</p>
</header>
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
  return writePage('Contract coverage', main)
}

function writeResult({ failures }: ReportView): Markup {
  if (failures.length === 0) return html`<div class="alert alert-success"><p>Passed</p></div>`
  return html`<div class="alert alert-error">${failures.map((failure) => html`<p>${failure}</p>`)}</div>`
}

/** Writes the totals as a table. A kind without items is blank. */
function writeTotals({ totals }: ReportView): Markup {
  const rows = KINDS.map((kind) => {
    const { total, covered, ignored } = totals[kind]
    const share = formatPercentage(percentageOf(totals[kind]))
    const counts = total === 0 ? ['', '', ''] : [covered, total, share]
    return html`<tr><th scope="row">${KIND_NAMES[kind]}</th>${[...counts, ignored || ''].map((value) => html`<td class="number">${value}</td>`)}</tr>
`
  })
  return html`<table class="table">
<thead><tr><th scope="col">kind</th><th scope="col" class="number">covered</th><th scope="col" class="number">of</th><th scope="col" class="number">share</th><th scope="col" class="number">ignored</th></tr></thead>
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
<table class="table">
<thead><tr><th scope="col">exchange</th><th scope="col" class="number">status</th><th scope="col">violation</th><th scope="col">test</th></tr></thead>
<tbody>
${violations.map(writeViolation)}</tbody>
</table>
${others === null ? '' : html`<p>${others}</p>`}
</section>`
}

function writeViolation(violation: RecordedViolation): Markup {
  const { operationId, method, url, status, kind, pointer, message, test } = violation
  return html`<tr><td>${operationId ?? 'no operation'}<br><code>${method} ${url}</code></td><td class="number">${status}</td><td><strong>${kind}</strong>${pointer ? html` at <code>${pointer}</code>` : ''}<br>${message}</td><td>${test ? html`${test.name}<br><code>${test.file}</code>` : ''}</td></tr>
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
  const isCovered = total.covered === total.total
  return html`<details${isCovered ? '' : html` open`}>
<summary><strong>${operationId}</strong> <code>${method} ${path}</code> ${badge(isCovered ? 'success' : 'error', formatTotal(total))}</summary>
<p class="hint">${countOf(exchanges, 'exchange')}</p>
<ul>
${items.map(writeItem)}</ul>
</details>
`
}

function writeItem(item: CheckedItem): Markup {
  const { state, count, reason } = item
  const note = state === 'covered' ? countOf(count, 'exchange') : (reason ?? 'not covered')
  return html`<li class="${COLORS[state]}">${describeItem(item)} <span class="hint">${note}</span></li>
`
}

const COLORS = { covered: 'success', uncovered: 'error', ignored: 'hint' } as const
