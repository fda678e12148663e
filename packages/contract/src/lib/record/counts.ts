import { createWork, defined, isExaminedWhole, memoize, type Work } from '@plumbline/base'
import { listDefaultProblems, listItems, problemsOf } from '../members/items.ts'
import type { Members, MembersOf } from '../members/plan.ts'
import type { Tally } from '../members/slot.ts'
import {
  type ContractReport,
  type CoverageItem,
  type Item,
  MAX_VIOLATIONS,
  type OperationReport,
  REPORT_FORMAT,
  type RecordedViolation,
} from '../report.ts'
import type { SourceOperation } from '../source.ts'
import { totalMembers } from '../total-members.ts'

/** The exchanges a recorder has counted. */
export interface Counts {
  /** The clock, if exchange times are kept. */
  readonly now: (() => number) | null
  exchanges: number
  /** By operationId, because operations are prepared again when an operation is added. */
  readonly operations: Map<string, OperationCounts>
}

interface OperationCounts {
  exchanges: number
  /** How many exchanges were not examined whole. */
  cut: number
  /** The time of the last exchange. */
  seen: number | undefined
  readonly items: Map<Item, Count>
}

interface Count {
  /** How many exchanges covered the item. */
  exchanges: number
  /** The last such exchange: the number (from 1) within the operation. */
  last: number
  seen: number | undefined
}

/** Starts to count. */
export function createCounts(now: Counts['now'] = null): Counts {
  return { now, exchanges: 0, operations: new Map() }
}

/** Counts an exchange with an operation, and each covered item once. `isCut` says that a part was not read. */
export function countExchange(
  counts: Counts,
  { operationId }: SourceOperation,
  cover: (covered: Tally) => void,
  { isCut = false, work = createWork() }: { readonly isCut?: boolean; readonly work?: Work } = {},
): void {
  const known = counts.operations.get(operationId) ?? {
    exchanges: 0,
    cut: 0,
    seen: undefined,
    items: new Map(),
  }
  counts.operations.set(operationId, known)
  known.exchanges += 1
  known.seen = counts.now?.()
  const { exchanges: last, seen, items } = known
  const add = (item: Item): void => {
    const count = items.get(item)
    if (count === undefined) items.set(item, { exchanges: 1, last, seen })
    else if (count.last !== last) {
      count.exchanges += 1
      count.last = last
      count.seen = seen
    }
  }
  const isWhole = isExaminedWhole(() => cover({ add, work }))
  if (isCut || !isWhole) known.cut += 1
}

/** Notes that an exchange was not examined whole, after it was counted. */
export function countCut({ operations }: Counts, { operationId }: SourceOperation): void {
  const known = operations.get(operationId)
  if (known) known.cut += 1
}

/** Counts an item covered after the exchange was counted, such as a stream's event. */
export function countItem(
  { now, operations }: Counts,
  { operationId }: SourceOperation,
  item: Item,
): void {
  const items = operations.get(operationId)?.items
  const { exchanges, last } = items?.get(item) ?? { exchanges: 0, last: 0 }
  items?.set(item, { exchanges: exchanges + 1, last, seen: now?.() })
}

/** An operation's counts by item key. After it was prepared again, several items have one key. */
function countsByKey({ items }: OperationCounts): ReadonlyMap<string, Counted> {
  const found = new Map<string, Counted>()
  for (const [item, { exchanges, seen }] of items) {
    const counted = seen === undefined ? { count: exchanges } : { count: exchanges, seen }
    found.set(keyOf(item), joinCounted(counted, found.get(keyOf(item))))
  }
  return found
}

interface Counted {
  readonly count: number
  readonly seen?: number
}

function joinCounted(a: Counted, b: Counted | undefined): Counted {
  if (b === undefined) return a
  const times = [a.seen ?? [], b.seen ?? []].flat()
  return { count: a.count + b.count, ...(times.length > 0 ? { seen: Math.max(...times) } : {}) }
}

/** Whether an exchange with an operation had a status. */
export function hasStatus({ operations }: Counts, operationId: string, status: string): boolean {
  const items = operations.get(operationId)?.items.keys() ?? []
  return [...items].some(({ kind, name }) => kind === 'status' && name === status)
}

/** An item's key within the operation. */
function keyOf({ kind, name }: Item): string {
  return `${kind} ${name}`
}

/** The parts of a report that do not depend on how it is built. */
interface Reporting {
  readonly listed: readonly SourceOperation[]
  readonly membersOf: MembersOf
  readonly violations: readonly RecordedViolation[]
}

/** Writes the counts as a report. */
export function reportOf(counts: Counts, reporting: Reporting): ContractReport {
  const building = buildReport(counts, reporting)
  for (;;) {
    const { done, value } = building.next()
    if (done) return value
  }
}

/** Builds a report operation by operation, so that the work can be spread. */
export function* buildReport(
  counts: Counts,
  { listed, membersOf, violations }: Reporting,
): Generator<undefined, ContractReport> {
  const violationCount = violations.reduce((total, { count = 1 }) => total + count, 0)
  const operations: OperationReport[] = []
  const cut: string[] = []
  for (const one of listed) {
    const members = membersOf(one)
    const operation = reportOperation(one, members, counts)
    operations.push(operation)
    if (members.isCut || operation.cut !== undefined) cut.push(one.operationId)
    yield
  }
  return {
    format: REPORT_FORMAT,
    exchanges: counts.exchanges,
    operations,
    problems: reportProblems(listed, counts),
    members: totalMembers(operations, cut),
    violations: violations.slice(0, MAX_VIOLATIONS),
    violationCount,
  }
}

function reportOperation(
  operation: SourceOperation,
  members: Members,
  { operations }: Counts,
): OperationReport {
  const unused = unusedOf(members)(operation)
  const known = operations.get(operation.operationId)
  if (known === undefined) return unused
  const { exchanges, cut, seen } = known
  const counted = countsByKey(known)
  return defined({
    ...unused,
    exchanges,
    seen,
    items: unused.items.map((item) => ({ ...item, ...counted.get(keyOf(item)) })),
    cut: cut === 0 ? undefined : cut,
  })
}

/** An operation's report without exchanges. Most operations of a large document are not called between two reports. */
const unusedOf: (members: Members) => (operation: SourceOperation) => OperationReport = memoize(
  (members) =>
    memoize((operation) => ({
      operationId: operation.operationId,
      method: operation.method.toUpperCase(),
      path: operation.path,
      exchanges: 0,
      items: [...listItems(operation), ...members.items].map((item) => ({ ...item, count: 0 })),
    })),
)

/** Reports the default problems. Each one sums up the exchanges from all operations that have it only as a default. */
function reportProblems(
  listed: readonly SourceOperation[],
  { operations }: Counts,
): readonly CoverageItem[] {
  const totals = new Map<string, Counted>()
  for (const operation of listed) {
    const known = operations.get(operation.operationId)
    if (known === undefined) continue
    const counted = countsByKey(known)
    for (const { name, isDefault } of problemsOf(operation)) {
      const one = isDefault ? counted.get(keyOf({ kind: 'problem', name })) : undefined
      if (one !== undefined) totals.set(name, joinCounted(one, totals.get(name)))
    }
  }
  return listDefaultProblems(listed).map((item) => ({
    ...item,
    count: 0,
    ...totals.get(item.name),
  }))
}
