import { notify } from '@plumbline/base'
import type { Violation } from '@plumbline/openapi/testing'
import { planMembers } from '../members/plan.ts'
import { countChecked, type ReadExchange, type Received } from '../record/count-response.ts'
import { buildReport, createCounts } from '../record/counts.ts'
import {
  type ContractReport,
  MAX_VIOLATIONS,
  type RecordedPeriod,
  type RecordedViolation,
} from '../report.ts'
import type { Source } from '../source.ts'
import { withoutValues } from './anonymous.ts'

/** The counts since the last report, and the report being built. */
export interface LiveTally {
  /** Counts a checked exchange, until the time for the check is over. */
  add(checked: LiveExchange, isOver: () => boolean): void
  /** Whether a report is being built. */
  isReporting(): boolean
  /**
   * Begins a report if `least` (ms) have passed since the last one; defaults to the interval. Builds it until the time
   * is over, and passes it on when it is complete: the next call continues.
   */
  report(isOver: () => boolean, least?: number): void
}

/** A checked exchange. */
export interface LiveExchange {
  readonly read: ReadExchange
  readonly violations: readonly Violation[]
  readonly received: Received
  readonly response: Response
}

interface LiveReporting {
  readonly interval?: number | undefined
  readonly onReport: (report: ContractReport) => unknown
}

/** Starts to count. */
export function createTally(
  source: Source,
  { interval = MINUTE, onReport }: LiveReporting,
): LiveTally {
  let counts = createCounts(Date.now)
  let violations = new Map<string, RecordedViolation & { readonly count: number }>()
  let from = Date.now()
  let reporting: { building: ReturnType<typeof buildReport>; period: RecordedPeriod } | null = null
  /** Begins a report with the counts so far, if it is time for one. */
  const begin = (least: number): typeof reporting => {
    const period = { from, to: Date.now() }
    if (counts.exchanges === 0 || period.to - from < least) return null
    const found = [...violations.values()]
    const membersOf = planMembers(source)
    const operations = source.operations()
    const building = buildReport(counts, { listed: operations, membersOf, violations: found })
    counts = createCounts(Date.now)
    violations = new Map()
    from = period.to
    return { building, period }
  }
  return {
    add: ({ read, violations: found, received: { request }, response }, isOver) => {
      const { operation } = read
      countChecked(counts, read, isOver)
      for (const one of found) {
        const violation = withoutValues(source, one, { operation, request, response })
        const key = JSON.stringify(violation)
        const { count = 0 } = violations.get(key) ?? {}
        if (count === 0 && violations.size >= MAX_VIOLATIONS) continue
        violations.set(key, { ...violation, count: count + 1 })
        if (isOver()) break
      }
    },
    isReporting: () => reporting !== null,
    report: (isOver, least = interval) => {
      for (;;) {
        reporting ??= begin(least)
        if (reporting === null) return
        const { building, period } = reporting
        const { done, value } = building.next()
        if (done) {
          reporting = null
          notify('onReport', () => onReport({ ...value, period }))
        }
        if (isOver()) return
      }
    },
  }
}

const MINUTE = 60_000
