import { isBinding } from '../check.ts'
import type { Outcome, Report } from '../report.ts'
import { describeVerdict, type SectionSummary, summarize } from '../summary.ts'

/**
 * Writes a report as JUnit XML: a suite for each section with a case for each check. Only a failed MUST or
 * defined behavior is a failure, as for the exit code. A check that could not run is an error. A finding of another
 * level is skipped, with the finding as its message.
 */
export function writeJunit(report: Report): string {
  const { outcomes } = report
  // A comment must not contain two hyphens.
  const verdict = escapeXml(describeVerdict(report)).replace(/-(?=-)|-$/g, '- ')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${verdict} -->
<testsuites name="plumbline-doctor">
${summarize(outcomes).map(writeSuite).join('')}</testsuites>
`
}

function writeSuite({ section, name, outcomes }: SectionSummary): string {
  const count = (wanted: Kind): number => outcomes.filter((one) => kindOf(one) === wanted).length
  const counts = `tests="${outcomes.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
  return `  <testsuite name="${escapeXml(`${section} ${name}`.trim())}" ${counts}>
${outcomes.map(writeCase).join('')}  </testsuite>
`
}

type Kind = 'passed' | 'failure' | 'error' | 'skipped'

function kindOf({ status, level }: Outcome): Kind {
  if (status === 'failed') return isBinding(level) ? 'failure' : 'skipped'
  if (status === 'passed' || status === 'skipped') return status
  return 'error'
}

function writeCase(outcome: Outcome): string {
  const { id, section, title, advice } = outcome
  const seconds = outcome.exchanges.reduce((sum, { duration }) => sum + duration, 0) / 1_000
  const names = `classname="${escapeXml(section)}" name="${escapeXml(`${id}: ${title}`)}"`
  const open = `    <testcase ${names} time="${seconds.toFixed(3)}"`
  const kind = kindOf(outcome)
  if (kind === 'passed') return `${open}/>\n`
  const message = escapeXml(messageOf(outcome))
  const text = kind === 'skipped' ? '' : escapeXml(advice)
  return `${open}><${kind} message="${message}">${text}</${kind}></testcase>\n`
}

function messageOf({ level, finding, reason }: Outcome): string {
  if (finding === null) return reason ?? ''
  return `${level}: expected ${finding.expected}, found ${finding.found}`
}

/** XML 1.0 §2.2 does not allow every character, even as a reference. */
function escapeXml(text: string): string {
  return text
    .replace(INVALID, '\uFFFD')
    .replace(/[&<>"\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`)
}

// Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]
const INVALID = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
