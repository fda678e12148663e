import { type JunitCase, type JunitSuite, writeJunit as write } from '@plumbline/report'
import { addressOf } from '../address.ts'
import { isBinding } from '../check.ts'
import type { Outcome, Report } from '../report.ts'
import { isFinding, type SectionSummary, summarize } from '../summary.ts'
import { describeVerdict } from '../verdict.ts'

/**
 * Writes a report as JUnit XML: a suite for each section with a case for each check. Only a failed MUST or defined
 * behavior is a failure, as for the exit code. If a check could not run, it is an error. A finding at another level is
 * skipped, with the finding as its message. A finding has the address where the site explains its check.
 */
export function writeJunit(report: Report): string {
  const suites = summarize(report.outcomes).map(suiteOf)
  return write({ name: 'plumbline-doctor', comment: describeVerdict(report), suites })
}

function suiteOf({ section, name, outcomes }: SectionSummary): JunitSuite {
  return { name: `${section} ${name}`.trim(), cases: outcomes.map(caseOf) }
}

function caseOf(outcome: Outcome): JunitCase {
  const { id, section, title, exchanges } = outcome
  const seconds = exchanges.reduce((sum, { duration }) => sum + duration, 0) / 1_000
  const names = { classname: section, name: `${id}: ${title}`, seconds }
  const kind = kindOf(outcome)
  if (kind === 'passed') return names
  return { ...names, result: { kind, message: messageOf(outcome), text: textOf(outcome) } }
}

function textOf(outcome: Outcome): string {
  const { status, advice } = outcome
  if (status === 'skipped') return ''
  const address = isFinding(outcome) ? addressOf(outcome) : null
  return address === null ? advice : `${advice}\n${address}`
}

function kindOf({ status, level }: Outcome): 'passed' | 'failure' | 'error' | 'skipped' {
  if (status === 'failed') return isBinding(level) ? 'failure' : 'skipped'
  if (status === 'passed' || status === 'skipped') return status
  return 'error'
}

function messageOf({ level, finding, reason }: Outcome): string {
  if (finding === null) return reason ?? ''
  return `${level}: expected ${finding.expected}, found ${finding.found}`
}
