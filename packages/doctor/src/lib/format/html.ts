import { html, type Markup, writePage } from '@plumbline/report'
import type { ProviderName } from '../check.ts'
import type { ComparedOutcome, Comparison } from '../compare.ts'
import type { Exchange } from '../http/exchange.ts'
import { parseJson } from '../json.ts'
import type { Outcome, Report } from '../report.ts'
import {
  causesOf,
  countOf,
  describeBlocked,
  describeRun,
  describeTotals,
  describeVerdict,
  notRun,
  rankFindings,
  type SectionSummary,
  summarize,
  verdictOf,
} from '../summary.ts'

/** Writes a report as one page. */
export function writeHtml(report: Report, compared: Comparison | null): string {
  const { target, outcomes } = report
  const [worst, others] = rankFindings(outcomes)
  const sections = summarize(outcomes)
  const main = html`<h1>SCIM examination</h1>
<p class="${verdictOf(outcomes)}"><strong>${describeVerdict(report)}</strong></p>
<p><code>${target}</code></p>
<p class="dim">${describeRun(report)}</p>
${writeBlocked(outcomes)}
<p>${describeTotals(outcomes)}</p>
${writeNotes(report)}
${compared === null ? '' : writeComparison(compared)}
${writeFindings('The worst findings', worst)}
${writeFindings('Other findings', others)}
<section>
<h2>Sections</h2>
${writeSections(sections)}
</section>
<section>
<h2>Checks</h2>
${sections.map(writeChecks)}</section>
${writeTexts(report)}`
  return writePage(`SCIM examination of ${target}`, STYLES, main)
}

function writeFindings(title: string, findings: readonly Outcome[]): Markup {
  if (findings.length === 0) return html``
  return html`<section>
<h2>${title}</h2>
${findings.map(writeFinding)}</section>`
}

function writeBlocked(outcomes: readonly Outcome[]): Markup {
  const sentence = describeBlocked(outcomes)
  if (sentence === null) return html``
  return html`<p class="incomplete">${sentence}</p>
<ul>${causesOf(outcomes).map(({ reason, count }) => html`<li>${count}: ${reason}</li>`)}</ul>`
}

function writeNotes({ left, stopped, marker }: Report): Markup {
  const stop =
    stopped === null ? html`` : html`<p class="bad">The examination ended early: ${stopped}</p>`
  if (left.length === 0) return stop
  return html`${stop}
<p class="bad">These resources of the examination could not be deleted. Their names contain <code>${marker}</code>.</p>
<ul>${left.map((url) => html`<li><code>${url}</code></li>`)}</ul>`
}

function writeTexts({ texts = [] }: Report): readonly Markup[] {
  return texts.map(
    ({ title, date, notExamined }) => html`<section>
<h2>${title}, ${date}</h2>
<p>No request can examine these requirements:</p>
<ul>${notExamined.map(({ section, rule, reason }) => html`<li>§${section} ${rule}. ${reason}</li>`)}</ul></section>`,
  )
}

function writeComparison({ failing, fixed, skipped, added, gone }: Comparison): Markup {
  const list = (name: string, outcomes: readonly ComparedOutcome[]): Markup =>
    outcomes.length === 0
      ? html``
      : html`<h3>${name}</h3>
<ul>${outcomes.map(({ id, title, status }) => html`<li>${title} <code>${id}</code> <span class="${status}">${status}</span></li>`)}</ul>
`
  const total = [failing, fixed, skipped, added, gone].flat().length
  return html`<section>
<h2>Changes since the earlier report</h2>
${total === 0 ? html`<p>None</p>` : ''}${list('Newly failing', failing)}${list('Fixed', fixed)}${list('Failed before, did not run now', skipped)}${list('New checks', added)}${list('Checks that did not run', gone)}</section>`
}

function writeSections(sections: readonly SectionSummary[]): Markup {
  const rows = sections.map(({ section, name, outcomes }) => {
    const failed = countOf(outcomes, 'failed') + countOf(outcomes, 'broken')
    return html`<tr><th scope="row">${section}<br><span class="dim">${name}</span></th><td class="number">${countOf(outcomes, 'passed')}</td><td class="number ${failed > 0 ? 'bad' : ''}">${failed}</td><td class="number dim">${countOf(outcomes, 'skipped')}</td><td class="number dim">${notRun(outcomes).length}</td></tr>
`
  })
  return html`<table>
<thead><tr><th scope="col">section</th><th scope="col" class="number">passed</th><th scope="col" class="number">failed</th><th scope="col" class="number">skipped</th><th scope="col" class="number">not run</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}

function writeFinding(outcome: Outcome): Markup {
  const { id, section, level, title, advice, affects = {}, finding, reason, exchanges } = outcome
  const shown = exchanges.slice(-MOST_EXCHANGES)
  const providers = PROVIDERS.flatMap(({ name, label }) => {
    const consequence = affects[name]
    return consequence === undefined ? [] : [html`<dt>${label}</dt><dd>${consequence}</dd>`]
  })
  return html`<article class="${level.toLowerCase()}" id="${id}">
<h3>${title}</h3>
<p><strong>${level}</strong> ${section} <code>${id}</code></p>
<dl>
${finding === null ? html`<dt>Internal error of the check</dt><dd><pre tabindex="0">${reason ?? ''}</pre></dd>` : html`<dt>Expected</dt><dd>${finding.expected}</dd><dt>Found</dt><dd><code>${finding.found}</code></dd>`}
<dt>What to do</dt><dd>${advice}</dd>
${providers}
</dl>
${exchanges.length > shown.length ? html`<p class="dim">${exchanges.length - shown.length} earlier requests are not shown.</p>` : ''}
${shown.map((exchange, at) => writeExchange(exchange, at === shown.length - 1))}</article>
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

/** The headers and the body of a message as text. */
function writeMessage(headers: Readonly<Record<string, string>>, body: string | null): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body === null ? '' : writeBody(body)].join('\n').trim()
}

function writeBody(text: string): string {
  const json = parseJson(text)
  const body = json === undefined ? text : JSON.stringify(json, null, 2)
  if (body.length <= MOST_CHARACTERS) return body
  return `${body.slice(0, MOST_CHARACTERS)}…\n(${body.length - MOST_CHARACTERS} more characters)`
}

function writeChecks({ section, name, outcomes }: SectionSummary): Markup {
  return html`<details>
<summary>${section} ${name} <span class="dim">${outcomes.length}</span></summary>
<ul>
${outcomes.map(writeCheck)}</ul>
</details>
`
}

function writeCheck({ id, level, title, status, reason }: Outcome): Markup {
  const isReasoned = status !== 'broken' && reason !== null
  const note = isReasoned ? html`<br><span class="dim">${reason}</span>` : ''
  return html`<li>${title} <span class="dim">${level} <code>${id}</code></span> <span class="${status}">${status}</span>${note}</li>
`
}

const PROVIDERS: readonly { readonly name: ProviderName; readonly label: string }[] = [
  { name: 'entra', label: 'Microsoft Entra ID' },
  { name: 'okta', label: 'Okta' },
]
const MOST_EXCHANGES = 20
const MOST_CHARACTERS = 4_000
const STYLES = html`
td.number, th.number { text-align: right; white-space: nowrap; }
pre { background: var(--box); border: 1px solid var(--rule); border-radius: 6px; padding: 0.6rem; margin: 0.3rem 0; white-space: pre-wrap; max-height: 24rem; overflow: auto; }
article { border: 1px solid var(--rule); border-left: 4px solid var(--rule); border-radius: 6px; padding: 0.8rem; margin: 0.8rem 0; }
article.must, article.defined { border-left-color: var(--bad); }
article.should { border-left-color: var(--warn); }
dl { margin: 0.5rem 0; } dt { color: var(--dim); font-size: 0.85rem; } dd { margin: 0 0 0.4rem; }
.passed { color: var(--good); }
.failed, .broken { color: var(--bad); }
.incomplete, .blocked { color: var(--warn); }
.skipped { color: var(--dim); }
`
