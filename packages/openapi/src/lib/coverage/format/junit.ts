import type { CheckedItem } from '../check-coverage.ts'
import {
  describeCut,
  describeItem,
  describeViolation,
  groupsOf,
  type ItemGroup,
  type ReportView,
} from '../view.ts'

/**
 * Writes a report as JUnit XML: a suite for each operation with a case for each item, then a suite with a
 * case for each violation and each failure. An item that is not covered is skipped, because the thresholds
 * decide whether the report passes.
 */
export function writeJunit(view: ReportView): string {
  const suites = [
    ...groupsOf(view).map(writeGroup),
    writeSuite('violations', view.report.violations.map(describeViolation).map(writeViolation)),
    writeSuite('rules', [
      ...view.failures.map(writeFailure),
      ...describeCut(view.report).map(writeCut),
    ]),
  ].join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract">
${suites}</testsuites>
`
}

interface Case {
  readonly xml: string
  readonly outcome: 'passed' | 'skipped' | 'failed'
}

function writeSuite(name: string, cases: readonly Case[]): string {
  if (cases.length === 0) return ''
  const count = (wanted: Case['outcome']) =>
    cases.filter(({ outcome }) => outcome === wanted).length
  const counts = `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
  return `  <testsuite name="${escapeXml(name)}" ${counts}>
${cases.map(({ xml }) => xml).join('')}  </testsuite>
`
}

function writeGroup({ title, items }: ItemGroup): string {
  return writeSuite(
    title,
    items.map((item) => writeItem(title, item)),
  )
}

function writeItem(classname: string, item: CheckedItem): Case {
  const attributes = { classname, name: describeItem(item) }
  if (item.state === 'covered') return { xml: writeCase(attributes, ''), outcome: 'passed' }
  const message = escapeXml(item.reason ?? 'not covered')
  return { xml: writeCase(attributes, `<skipped message="${message}"/>`), outcome: 'skipped' }
}

function writeViolation({ exchange, fault, test }: ReturnType<typeof describeViolation>): Case {
  const inner = `<failure message="${escapeXml(fault)}">${escapeXml(test ?? '')}</failure>`
  return { xml: writeCase({ classname: 'violations', name: exchange }, inner), outcome: 'failed' }
}

function writeFailure(failure: string): Case {
  const inner = `<failure message="${escapeXml(failure)}"/>`
  return { xml: writeCase({ classname: 'rules', name: failure }, inner), outcome: 'failed' }
}

function writeCut(sentence: string): Case {
  const inner = `<skipped message="${escapeXml(sentence)}"/>`
  return { xml: writeCase({ classname: 'rules', name: sentence }, inner), outcome: 'skipped' }
}

function writeCase(attributes: { classname: string; name: string }, inner: string): string {
  const { classname, name } = attributes
  const open = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"`
  return inner === '' ? `${open}/>\n` : `${open}>${inner}</testcase>\n`
}

/** XML 1.0 §2.2 does not allow every character, even as a reference. */
function escapeXml(text: string): string {
  return text
    .replace(INVALID, '\uFFFD')
    .replace(/[&<>"\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`)
}

// Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]
const INVALID = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
