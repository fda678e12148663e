import { formatPercentage, KIND_NAMES, KINDS, percentageOf, totalOf } from '../check-coverage.ts'
import {
  describeCut,
  describeOthers,
  describeViolation,
  formatTotal,
  groupsOf,
  listUncovered,
  type ReportView,
} from '../view.ts'

/** Writes a report as GitHub Flavored Markdown: the result, a table, the violations and the ignored items. */
export function writeGithub(view: ReportView): string {
  const { failures } = view
  const result =
    failures.length === 0
      ? ['**Passed**']
      : failures.map((failure) => `- **Failed**: ${escapeMarkdown(failure)}`)
  const parts = [
    '## Contract coverage',
    result.join('\n'),
    writeTable(view),
    ...describeCut(view.report).map(escapeMarkdown),
    ...writeViolations(view),
    ...writeIgnored(view),
  ]
  return `${parts.join('\n\n')}\n`
}

function writeTable(view: ReportView): string {
  const { totals } = view
  const head = ['operation', ...KINDS.map((kind) => KIND_NAMES[kind]), 'not covered']
  const all = [
    '**all operations**',
    ...KINDS.map((kind) => {
      const share = formatPercentage(percentageOf(totals[kind]))
      return totals[kind].total === 0 ? '-' : `${formatTotal(totals[kind])} (${share})`
    }),
    '',
  ]
  const rows = groupsOf(view).map(({ title, items }) => [
    escapeMarkdown(title),
    ...KINDS.map((kind) => formatTotal(totalOf(items.filter((item) => item.kind === kind)))),
    listUncovered(items).map(escapeMarkdown).join(', '),
  ])
  const rule = ['---', ...KINDS.map(() => '--:'), '---']
  return [head, rule, all, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function writeViolations({ report }: ReportView): readonly string[] {
  if (report.violationCount === 0) return []
  const rows = report.violations.map(describeViolation).map(({ exchange, fault, test }) => {
    const parts = [exchange, fault, ...(test === null ? [] : [test])].map(escapeMarkdown)
    return `- ${parts.join('<br>')}`
  })
  const others = describeOthers(report)
  return ['### Violations', [...rows, ...(others === null ? [] : [`- ${others}`])].join('\n')]
}

function writeIgnored(view: ReportView): readonly string[] {
  const rows = groupsOf(view).flatMap(({ title, items }) =>
    items.flatMap(({ name, reason }) =>
      reason ? [`- ${escapeMarkdown(`${title} ${name}: ${reason}`)}`] : [],
    ),
  )
  return rows.length > 0 ? ['### Ignored', rows.join('\n')] : []
}

/** Escapes characters that could start markup, HTML or a mention. GFM §6.1 allows a backslash before punctuation. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[&<>@]|[\\`*_{}[\]()|~!#-]/g, (one) =>
      '&<>@'.includes(one) ? `&#${one.charCodeAt(0)};` : `\\${one}`,
    )
}
