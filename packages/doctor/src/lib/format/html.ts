import { type BadgeKind, badge, html, type Markup, writePage } from '@plumbline/report'
import { addressOf } from '../address.ts'
import { unexaminedIn } from '../areas.ts'
import type { Level, ProviderName } from '../check.ts'
import type { ComparedOutcome, Comparison } from '../compare.ts'
import type { Exchange } from '../http/exchange.ts'
import { parseJson } from '../json.ts'
import type { Outcome, Report } from '../report.ts'
import {
  type Cause,
  causesOf,
  countOf,
  describeCause,
  describeRun,
  describeTotals,
  notRun,
  rankFindings,
  type SectionSummary,
  severityOf,
  summarize,
} from '../summary.ts'
import { describeVerdict, verdictOf } from '../verdict.ts'

/** Writes a report as one page: the verdict, the findings, what was not examined, and the numbers at last. */
export function writeHtml(report: Report, compared: Comparison | null): string {
  const { target, outcomes } = report
  const [worst, others] = rankFindings(outcomes)
  const sections = summarize(outcomes)
  const main = html`<header>
<h1>SCIM examination of <code>${target}</code></h1>
<p class="hint">${describeRun(report)}</p>
</header>
<div class="alert alert-${ALERTS[verdictOf(report)]}">
<p>${describeVerdict(report)}</p>
<p>${describeTotals(outcomes)}</p>
</div>
${writeUnexamined(outcomes)}
${writeLeft(report)}
${compared === null ? '' : writeComparison(compared)}
${writeSection('The worst findings', worst.map(writeFinding))}
${writeSection('Other findings', others.map(writeFinding))}
${writeSection('Checks that could not run', causesOf(notRun(outcomes)).map(writeCause))}
${writeSection('Checks that were skipped', causesOf(skipped(outcomes)).map(writeCause))}
${writeTexts(report)}
${writeSection('Checks that passed', writePassed(sections))}
${writeSection('Sections', [writeSections(sections)])}`
  return writePage(`SCIM examination of ${target}`, main)
}

function writeSection(title: string, parts: readonly Markup[]): Markup {
  if (parts.length === 0) return html``
  return html`<section>
<h2>${title}</h2>
${parts}</section>`
}

function writeLeft({ left, marker }: Report): Markup {
  if (left.length === 0) return html``
  return html`<div class="alert alert-warning">
<p>${left.length} ${left.length === 1 ? 'resource' : 'resources'} of the examination could not be deleted.</p>
<details>
<summary>The names contain <code>${marker}</code>.</summary>
<ul>${left.map((url) => html`<li><code>${url}</code></li>`)}</ul>
</details>
</div>`
}

function writeUnexamined(outcomes: readonly Outcome[]): Markup {
  const parts = unexaminedIn(outcomes).map(
    ({
      name,
      reason,
    }) => html`<li>${name}${reason === null ? '' : html` <span class="hint">${reason}</span>`}</li>
`,
  )
  return writeSection(
    'Not examined',
    parts.length === 0
      ? []
      : [
          html`<ul>
${parts}</ul>`,
        ],
  )
}

function writeTexts({ texts = [] }: Report): readonly Markup[] {
  return texts.map(({ title, date, notExamined }) =>
    writeSection(`${title}, ${date}`, [
      html`<p>No request can examine these requirements:</p>
<ul>${notExamined.map(({ section, rule, reason }) => html`<li>§${section} ${rule}. ${reason}</li>`)}</ul>`,
    ]),
  )
}

function writeComparison({ failing, fixed, skipped, added, gone }: Comparison): Markup {
  const list = (name: string, outcomes: readonly ComparedOutcome[]): readonly Markup[] =>
    outcomes.length === 0
      ? []
      : [
          html`<h3>${name}</h3>
<ul>${outcomes.map(({ id, title, status }) => html`<li>${title} <code>${id}</code> ${badge(STATUSES[status], status)}</li>`)}</ul>
`,
        ]
  const lists = [
    ...list('Newly failing', failing),
    ...list('Fixed', fixed),
    ...list('Failed before, did not run now', skipped),
    ...list('New checks', added),
    ...list('Checks that did not run', gone),
  ]
  const parts = lists.length === 0 ? [html`<p>None</p>`] : lists
  return writeSection('Changes since the earlier report', parts)
}

/** Writes a table of numbers, in which a zero is blank. */
function writeSections(sections: readonly SectionSummary[]): Markup {
  const cell = (count: number, look: string): Markup =>
    html`<td class="number ${count > 0 ? look : ''}">${count > 0 ? count : ''}</td>`
  const rows = sections.map(({ section, name, outcomes }) => {
    const failed = countOf(outcomes, 'failed') + countOf(outcomes, 'broken')
    return html`<tr><th scope="row">${section} <span class="hint">${name}</span></th>${cell(countOf(outcomes, 'passed'), '')}${cell(failed, severityOf(outcomes) ?? '')}${cell(countOf(outcomes, 'skipped'), 'hint')}${cell(notRun(outcomes).length, 'warning')}</tr>
`
  })
  return html`<table class="table">
<thead><tr><th scope="col">section</th><th scope="col" class="number">passed</th><th scope="col" class="number">failed</th><th scope="col" class="number">skipped</th><th scope="col" class="number">not run</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}

/** Writes a check's id as a link to the page with its explanation. */
function writeId(outcome: Outcome): Markup {
  const address = addressOf(outcome)
  const id = html`<code>${outcome.id}</code>`
  return address === null ? id : html`<a href="${address}">${id}</a>`
}

function writeFinding(outcome: Outcome): Markup {
  const { id, section, level, title, advice, affects = {}, finding, reason, exchanges } = outcome
  const shown = exchanges.slice(-MAX_EXCHANGES)
  const providers = PROVIDERS.flatMap(({ name, label }) => {
    const consequence = affects[name]
    return consequence === undefined ? [] : [writeFact(label, html`${consequence}`)]
  })
  const facts =
    finding === null
      ? [writeFact('Internal error', html`<pre tabindex="0">${reason ?? ''}</pre>`)]
      : [
          writeFact('Expected', html`${finding.expected}`),
          writeFact('Found', html`<code>${finding.found}</code>`),
          ...(reason === null ? [] : [writeFact('Waiver', html`${reason}`)]),
        ]
  return html`<article class="card" id="${id}">
<h3>${title}</h3>
<p>${badge(LEVELS[level], level)} <span class="hint">${section} ${writeId(outcome)}</span></p>
<dl class="facts">
${[...providers, ...facts]}<div><dt>What to do</dt><dd>${advice}</dd></div>
</dl>
<div>
${exchanges.length > shown.length ? html`<p class="hint">${exchanges.length - shown.length} earlier requests are not shown.</p>` : ''}
${shown.map((exchange, at) => writeExchange(exchange, at === shown.length - 1))}</div>
</article>
`
}

function writeFact(name: string, value: Markup): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>
`
}

function writeExchange(exchange: Exchange, isLast: boolean): Markup {
  const { method, url, status, fault, requestBody, responseBody } = exchange
  return html`<details${isLast ? html` open` : ''}>
<summary><code>${method} ${url}</code> ${status ?? fault ?? ''}</summary>
<pre tabindex="0">${writeMessage(exchange.requestHeaders, requestBody)}</pre>
<pre tabindex="0">${fault ?? writeMessage(exchange.responseHeaders, responseBody)}</pre>
</details>
`
}

/** Writes a message's headers and body as text. */
function writeMessage(headers: Readonly<Record<string, string>>, body: string | null): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body === null ? '' : writeBody(body)].join('\n').trim()
}

function writeBody(text: string): string {
  const json = parseJson(text)
  const body = json === undefined ? text : JSON.stringify(json, null, 2)
  if (body.length <= MAX_CHARACTERS) return body
  return `${body.slice(0, MAX_CHARACTERS)}…\n(${body.length - MAX_CHARACTERS} more characters)`
}

function writeCause(cause: Cause): Markup {
  return writeList(cause.outcomes, html`${describeCause(cause)}`)
}

function writePassed(sections: readonly SectionSummary[]): readonly Markup[] {
  const lists = sections.flatMap(({ section, name, outcomes }) => {
    const passed = outcomes.filter(({ status }) => status === 'passed')
    const summary = html`<strong>${passed.length}</strong> ${section} <span class="hint">${name}</span>`
    return passed.length === 0 ? [] : [writeList(passed, summary)]
  })
  if (lists.length === 0) return []
  return [
    html`<details>
<summary>By section</summary>
${lists}</details>
`,
  ]
}

/** Writes checks below a line that opens them. */
function writeList(outcomes: readonly Outcome[], summary: Markup): Markup {
  return html`<details>
<summary>${summary}</summary>
<ul>
${outcomes.map(({ id, level, title }) => html`<li>${title} <span class="hint">${level} <code>${id}</code></span></li>\n`)}</ul>
</details>
`
}

function skipped(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(({ status }) => status === 'skipped')
}

const ALERTS = {
  bad: 'error',
  warnings: 'warning',
  incomplete: 'warning',
  good: 'success',
} as const
const LEVELS: Readonly<Record<Level, BadgeKind>> = {
  MUST: 'error',
  defined: 'error',
  SHOULD: 'warning',
  MAY: 'neutral',
  practice: 'warning',
}
const STATUSES: Readonly<Record<Outcome['status'], BadgeKind>> = {
  passed: 'success',
  failed: 'error',
  broken: 'error',
  blocked: 'warning',
  unanswered: 'warning',
  skipped: 'neutral',
}
const PROVIDERS: readonly { readonly name: ProviderName; readonly label: string }[] = [
  { name: 'entra', label: 'Microsoft Entra ID' },
  { name: 'okta', label: 'Okta' },
]
const MAX_EXCHANGES = 20
const MAX_CHARACTERS = 4_000
