import type { ContractReport, CoverageItem, RecordedPeriod, RecordedViolation } from '../report.ts'

/** Differences between production and tests, and parts of the contract not used in production. */
export interface LiveComparison {
  /** Violations in production, the most frequent first. */
  readonly violated: readonly RecordedViolation[]
  /** Items that occurred in production, but in no test. */
  readonly untested: readonly LiveItem[]
  /** Operations and items that did not occur in the last days, or ever: they may be removed. */
  readonly unseen: readonly LiveItem[]
  /** The period the production reports cover; null if unknown. */
  readonly period: RecordedPeriod | null
}

/** An operation or an item in it. */
export interface LiveItem {
  /** The operation; null for a default problem. */
  readonly operationId: string | null
  /** The kind; `operation` for the operation itself, whose items are not listed then. */
  readonly kind: CoverageItem['kind'] | 'operation'
  readonly name: string
  /** The number of exchanges in production. */
  readonly count: number
  /** When the last exchange happened, in milliseconds since 1970; null without one. */
  readonly seen: number | null
}

/**
 * Compares the merged reports from production with those from tests. Operations and items not seen for `days` days are
 * only listed if the reports cover at least this period. It ends with the last report.
 */
export function compareLive(
  live: ContractReport,
  tests: ContractReport,
  days: number,
): LiveComparison {
  const { period = null } = live
  const tested = new Set(
    ownersOf(tests).flatMap(({ operationId, items }) =>
      items.flatMap((item) => (item.count > 0 ? [keyOf(operationId, item)] : [])),
    ),
  )
  const untested = ownersOf(live).flatMap(({ operationId, items }) =>
    items
      .filter((item) => item.count > 0 && !tested.has(keyOf(operationId, item)))
      .map((item) => toLive(operationId, item)),
  )
  const since = period === null ? null : period.to - days * DAY
  const unseen =
    period === null || since === null || period.from > since ? [] : listUnseen(live, since)
  const violated = live.violations.toSorted((a, b) => (b.count ?? 1) - (a.count ?? 1))
  return { violated, untested, unseen, period }
}

/** The operations and the document itself, each with its items. */
function ownersOf({ operations, problems }: ContractReport) {
  return [...operations, { operationId: null, items: problems }]
}

function listUnseen({ operations }: ContractReport, since: number): readonly LiveItem[] {
  const isUnseen = ({ seen }: { readonly seen?: number }) => (seen ?? 0) < since
  return operations.flatMap((operation) => {
    const { operationId, exchanges, seen = null, items } = operation
    // A problem that did not occur must not be removed.
    const removable = items.filter(({ kind }) => kind !== 'problem')
    return isUnseen(operation)
      ? [{ operationId, kind: 'operation' as const, name: operationId, count: exchanges, seen }]
      : removable.filter(isUnseen).map((item) => toLive(operationId, item))
  })
}

function toLive(operationId: string | null, item: CoverageItem): LiveItem {
  const { kind, name, count, seen = null } = item
  return { operationId, kind, name, count, seen }
}

function keyOf(operationId: string | null, { kind, name }: CoverageItem): string {
  return JSON.stringify([operationId, kind, name])
}

const DAY = 24 * 60 * 60 * 1_000
