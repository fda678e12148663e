import type {
  ContractReport,
  CoverageItem,
  RecordedPeriod,
  RecordedViolation,
} from '../conformance/report.ts'

/** A comparison of production with tests, and with the time. */
export interface LiveComparison {
  /** The violations that occurred in production, the most frequent first. */
  readonly violated: readonly RecordedViolation[]
  /** The items that occurred in production and in no test. */
  readonly untested: readonly LiveItem[]
  /** The operations and items that did not occur in the last days, or ever: what may be removed. */
  readonly unseen: readonly LiveItem[]
  /** The time that the reports of production are about; null if none of them has one. */
  readonly period: RecordedPeriod | null
}

/** An operation or an item of it. */
export interface LiveItem {
  /** The operation; null for a default problem. */
  readonly operationId: string | null
  /** The kind; `operation` for the operation itself, whose items are not listed then. */
  readonly kind: CoverageItem['kind'] | 'operation'
  readonly name: string
  /** The number of exchanges in production. */
  readonly count: number
  /** The time of the last exchange in milliseconds since 1970; null without one. */
  readonly seen: number | null
}

/**
 * Compares the merged reports of production with those of tests. What did not occur for some days is only listed if the
 * reports are about as many days, which end with the last report.
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

/** The operations and the document, each with its items. */
function ownersOf({ operations, problems }: ContractReport) {
  return [...operations, { operationId: null, items: problems }]
}

function listUnseen({ operations }: ContractReport, since: number): readonly LiveItem[] {
  const isUnseen = ({ seen }: { readonly seen?: number }) => (seen ?? 0) < since
  return operations.flatMap((operation) => {
    const { operationId, exchanges, seen = null, items } = operation
    // A problem is not removed because it did not occur.
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
