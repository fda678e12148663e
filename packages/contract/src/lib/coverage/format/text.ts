import { type CheckedItem, KIND_NAMES, KINDS, totalOf } from '../check-coverage.ts'
import {
  describeCut,
  describeOthers,
  describeViolation,
  escapeControls,
  formatTotal,
  groupsOf,
  listUncovered,
  type ReportView,
} from '../view.ts'

/** Writes a report as a table like a code coverage report, with the violations and failures below it. */
export function writeText(view: ReportView): string {
  const lines = [
    ...writeTable(view),
    ...describeCut(view.report),
    ...writeIgnored(view),
    ...writeViolations(view),
    ...view.failures.map((failure) => `FAILED ${failure}`),
  ]
  return `${lines.map(escapeControls).join('\n')}\n`
}

function writeTable(view: ReportView): readonly string[] {
  const row = (name: string, items: readonly CheckedItem[]) => [
    name,
    ...KINDS.map((kind) => formatTotal(totalOf(items.filter((item) => item.kind === kind)))),
    listUncovered(items).join(', '),
  ]
  const head = ['operation', ...KINDS.map((kind) => KIND_NAMES[kind]), 'not covered']
  const all = ['all operations', ...KINDS.map((kind) => formatTotal(view.totals[kind])), '']
  const rows = [head, all, ...groupsOf(view).map(({ title, items }) => row(title, items))]
  const widths = head
    .slice(0, -1)
    .map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const [first = '', ...others] = rows.map((cells) => writeRow(cells, widths))
  const rule = [...widths, 'not covered'.length].map((width) => '-'.repeat(width)).join('-|-')
  return [first, rule, ...others]
}

/** Writes a table row: the first column is aligned left, numbers are aligned right, the last one is not padded. */
function writeRow(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
  )
  return padded.join(' | ').trimEnd()
}

function writeIgnored(view: ReportView): readonly string[] {
  const ignored = groupsOf(view).flatMap(({ title, items }) =>
    items.flatMap(({ name, reason }) => (reason ? [`  ${title} ${name}: ${reason}`] : [])),
  )
  return ignored.length > 0 ? ['', 'Ignored:', ...ignored] : []
}

function writeViolations({ report }: ReportView): readonly string[] {
  const { violations, violationCount } = report
  if (violationCount === 0) return ['']
  const others = describeOthers(report)
  return [
    '',
    'Violations:',
    ...violations
      .map(describeViolation)
      .flatMap(({ exchange, fault, test }) => [
        `  ${exchange}`,
        `    ${fault}`,
        ...(test === null ? [] : [`    in ${test}`]),
      ]),
    ...(others === null ? [] : [`  ${others}`]),
    '',
  ]
}
