import { type JunitCase, type JunitSuite, writeJunit as write } from '@plumbline/report'
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
 * Writes a report as JUnit XML: a suite for each operation with a case for each item, then a suite with a case for each
 * violation and each failure. An uncovered item is a skipped case, because thresholds decide whether the report passes.
 */
export function writeJunit(view: ReportView): string {
  const violations = view.report.violations.map(describeViolation).map(violationCase)
  const rules = [
    ...view.failures.map((failure) => ruleCase(failure, 'failure')),
    ...describeCut(view.report).map((sentence) => ruleCase(sentence, 'skipped')),
  ]
  const suites = [
    ...groupsOf(view).map(suiteOf),
    { name: 'violations', cases: violations },
    { name: 'rules', cases: rules },
  ]
  return write({ name: 'contract', suites })
}

function suiteOf({ title, items }: ItemGroup): JunitSuite {
  return { name: title, cases: items.map((item) => itemCase(title, item)) }
}

function itemCase(classname: string, item: CheckedItem): JunitCase {
  const names = { classname, name: describeItem(item) }
  if (item.state === 'covered') return names
  return { ...names, result: { kind: 'skipped', message: item.reason ?? 'not covered' } }
}

function violationCase({ exchange, fault, test }: ReturnType<typeof describeViolation>): JunitCase {
  const result = { kind: 'failure', message: fault, text: test ?? '' } as const
  return { classname: 'violations', name: exchange, result }
}

function ruleCase(sentence: string, kind: 'failure' | 'skipped'): JunitCase {
  return { classname: 'rules', name: sentence, result: { kind, message: sentence } }
}
