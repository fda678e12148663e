import { type CheckedItem, KIND_NAMES, KINDS, totalOf } from '../check-coverage.ts'
import { describeOthers, describeViolation, formatTotal, type ReportView } from '../view.ts'

/** Writes a report as a table like that of code coverage, with the violations and failures below it. */
export function writeText(view: ReportView): string {
  const lines = [
    ...writeTable(view),
    ...writeIgnored(view),
    ...writeViolations(view),
    ...view.failures.map((failure) => `FAILED ${failure}`),
  ]
  return `${lines.map(escapeControls).join('\n')}\n`
}

function writeTable({ operations, totals }: ReportView): readonly string[] {
  const row = (name: string, items: readonly CheckedItem[]) => [
    name,
    ...KINDS.map((kind) => formatTotal(totalOf(items.filter((item) => item.kind === kind)))),
    items.flatMap(({ name, state }) => (state === 'uncovered' ? [name] : [])).join(', '),
  ]
  const head = ['operation', ...KINDS.map((kind) => KIND_NAMES[kind]), 'not covered']
  const all = ['all operations', ...KINDS.map((kind) => formatTotal(totals[kind])), '']
  const rows = [head, all, ...operations.map(({ operationId, items }) => row(operationId, items))]
  const widths = head
    .slice(0, -1)
    .map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const [first = '', ...others] = rows.map((cells) => writeRow(cells, widths))
  const rule = [...widths, 'not covered'.length].map((width) => '-'.repeat(width)).join('-|-')
  return [first, rule, ...others]
}

/** The first column is aligned to the left, the numbers to the right, and the last one is not padded. */
function writeRow(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
  )
  return padded.join(' | ').trimEnd()
}

function writeIgnored({ operations }: ReportView): readonly string[] {
  const ignored = operations.flatMap(({ operationId, items }) =>
    items.flatMap(({ name, reason }) => (reason ? [`  ${operationId} ${name}: ${reason}`] : [])),
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

/** A message may quote a response, whose control characters could change a terminal. */
function escapeControls(line: string): string {
  return line.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const CONTROLS = /[\p{Cc}\u2028\u2029]/gu
