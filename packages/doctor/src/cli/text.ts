import type { Colors } from 'picocolors/types.js'
import { addressOf } from '../lib/address.ts'
import type { Check } from '../lib/check.ts'
import type { ComparedOutcome, Comparison } from '../lib/compare.ts'
import type { Replay, ReplayedStep } from '../lib/replay/replay.ts'
import type { Outcome, Report } from '../lib/report.ts'
import {
  causesOf,
  countOf,
  describeBlocked,
  describeCause,
  describeRun,
  describeTotals,
  notRun,
  rankFindings,
  severityOf,
  summarize,
} from '../lib/summary.ts'
import { describeVerdict, verdictOf } from '../lib/verdict.ts'

/** Writes a report for a terminal: the verdict, what could not run, the findings, the sections, the totals. */
export function writeText(report: Report, compared: Comparison | null, colors: Colors): string {
  const { outcomes, target } = report
  const { red, yellow, green } = colors
  const paint = { bad: red, warnings: yellow, incomplete: yellow, good: green }[verdictOf(report)]
  const totals = `${target}: ${describeTotals(outcomes)}`
  const [worst, others] = rankFindings(outcomes)
  const verdict = escapeControls(describeVerdict(report))
  const lines = [
    colors.bold(paint(verdict)),
    colors.dim(describeRun(report)),
    '',
    ...writeBlocked(outcomes, colors),
    ...writeFindings('The worst findings', worst, colors),
    ...writeFindings('Other findings', others, colors),
    ...(compared === null ? [] : writeComparison(compared, colors)),
    ...writeSections(outcomes, colors),
    '',
    ...(report.texts ?? []).map(
      ({ title, date, notExamined }) =>
        `${title} (${date}): no request can examine ${notExamined.length} of its requirements, which the HTML report lists`,
    ),
    colors.bold(paint(totals)),
  ]
  return `${lines.join('\n')}\n`
}

/** Lists checks. */
export function writeList(checks: readonly Check[]): string {
  const widths = [Math.max(...checks.map(({ id }) => id.length)), 'practice'.length]
  const lines = checks.map(({ id, level, section, title }) =>
    [id.padEnd(widths[0] ?? 0), level.padEnd(widths[1] ?? 0), `${section}: ${title}`].join('  '),
  )
  return `${lines.join('\n')}\n`
}

/** Writes the answers in a replay that differ, and how many there are. */
export function writeReplay({ source, steps }: Replay, colors: Colors): string {
  const count = (wanted: ReplayedStep['status']) =>
    steps.filter(({ status }) => status === wanted).length
  const lines = steps.flatMap(({ name, status, differences, exchange }, at) => {
    if (status === 'same') return []
    const paint = status === 'different' ? colors.red : colors.yellow
    const sent = exchange === null ? '' : ` (${exchange.method} ${new URL(exchange.url).pathname})`
    return [
      `${paint(status)} ${colors.bold(escapeControls(`${at + 1}. ${name}${sent}`))}`,
      ...differences.map((one) => `  ${escapeControls(one)}`),
    ]
  })
  const counts = `${count('same')} same, ${count('different')} different, ${count('skipped')} skipped`
  return `${[escapeControls(source), ...lines, counts].join('\n')}\n`
}

/** A response may contain control characters, which could change a terminal. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function writeBlocked(outcomes: readonly Outcome[], colors: Colors): readonly string[] {
  const sentence = describeBlocked(outcomes)
  if (sentence === null) return []
  const causes = causesOf(notRun(outcomes)).map((one) => `  ${escapeControls(describeCause(one))}`)
  return [colors.bold(colors.yellow(sentence)), ...causes, '']
}

function writeFindings(
  title: string,
  findings: readonly Outcome[],
  colors: Colors,
): readonly string[] {
  if (findings.length === 0) return []
  return [colors.bold(`${title}:`), ...findings.flatMap((one) => writeFinding(one, colors))]
}

function writeFinding(outcome: Outcome, colors: Colors): readonly string[] {
  const { id, section, level, title, advice, affects = {}, finding, reason } = outcome
  const paint = severityOf([outcome]) === 'error' ? colors.red : colors.yellow
  const facts =
    finding === null
      ? [['internal error', reason?.split('\n')[0] ?? '']]
      : [
          ['expected', finding.expected],
          ['found', finding.found],
        ]
  const consequences = [
    ['Entra ID', affects.entra],
    ['Okta', affects.okta],
  ]
  const rows = [...facts, ['advice', advice], ...consequences, ['see', addressOf(outcome)]]
  return [
    `${paint(level)} ${colors.bold(title)}`,
    `  ${colors.dim(`${section}, ${id}`)}`,
    ...rows.flatMap(([name, text]) =>
      text ? [`  ${colors.dim(`${name}:`)} ${escapeControls(text)}`] : [],
    ),
    '',
  ]
}

function writeSections(outcomes: readonly Outcome[], colors: Colors): readonly string[] {
  const sections = summarize(outcomes)
  const width = Math.max(...sections.map(({ section, name }) => `${section} ${name}`.length))
  const row = (name: string, counts: readonly string[]): string =>
    [name.padEnd(width), ...counts.map((count) => count.padStart(7))].join('  ')
  return [
    colors.dim(row('section', ['passed', 'failed', 'skipped', 'not run'])),
    ...sections.map(({ section, name, outcomes: list }) => {
      const failed = countOf(list, 'failed') + countOf(list, 'broken')
      const rest = [countOf(list, 'skipped'), notRun(list).length]
      const counts = [countOf(list, 'passed'), failed, ...rest].map(String)
      const line = row(`${section} ${name}`, counts)
      const severity = severityOf(list)
      if (severity === null) return line
      return severity === 'error' ? colors.red(line) : colors.yellow(line)
    }),
  ]
}

function writeComparison(compared: Comparison, colors: Colors): readonly string[] {
  const list = (name: string, outcomes: readonly ComparedOutcome[]): readonly string[] =>
    outcomes.length === 0
      ? []
      : [
          colors.bold(`${name}:`),
          ...outcomes.map(({ id, status }) => `  ${escapeControls(`${id} ${status}`)}`),
        ]
  const lines = [
    ...list('newly failing', compared.failing),
    ...list('fixed', compared.fixed),
    ...list('failed before, did not run now', compared.skipped),
    ...list('new checks', compared.added),
    ...list('checks that did not run', compared.gone),
  ]
  return [...(lines.length === 0 ? ['no changes since the earlier report'] : lines), '']
}

const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
