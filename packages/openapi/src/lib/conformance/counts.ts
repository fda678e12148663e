import { defined } from '../json/defined.ts'
import { listDefaultProblems, listItems, problemsOf } from './items.ts'
import type { Members, MembersOf } from './members/plan.ts'
import type { Tally } from './members/slot.ts'
import {
  type ContractReport,
  type CoverageItem,
  type Item,
  MOST_VIOLATIONS,
  type OperationReport,
  REPORT_FORMAT,
  type RecordedViolation,
} from './report.ts'
import type { Contract } from './responses.ts'
import { totalMembers } from './total-members.ts'

/** The exchanges counted by a recorder. */
export interface Counts {
  /** The clock, if exchange times are kept. */
  readonly now: (() => number) | null
  exchanges: number
  /** By operationId, because the contracts are prepared again when an operation is added. */
  readonly operations: Map<string, OperationCounts>
}

interface OperationCounts {
  exchanges: number
  /** The time of the last exchange. */
  seen: number | undefined
  readonly items: Map<Item, Count>
}

interface Count {
  /** How many exchanges covered the item. */
  exchanges: number
  /** The last such exchange, by its number (from 1) within the operation. */
  last: number
  seen: number | undefined
}

/** Starts to count. */
export function createCounts(now: Counts['now'] = null): Counts {
  return { now, exchanges: 0, operations: new Map() }
}

/** Counts an exchange with an operation, and each covered item once. */
export function countExchange(
  counts: Counts,
  { operationId }: Contract,
  cover: (covered: Tally) => void,
): void {
  const known = counts.operations.get(operationId) ?? {
    exchanges: 0,
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
  cover({ add })
}

/** Counts an item covered after its exchange was counted, such as a stream's event. */
export function countItem(
  { now, operations }: Counts,
  { operationId }: Contract,
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
    const before = found.get(keyOf(item))
    found.set(keyOf(item), {
      count: exchanges + (before?.count ?? 0),
      seen: seen ?? before?.seen,
    })
  }
  return found
}

interface Counted {
  readonly count: number
  readonly seen: number | undefined
}

type CountedBy = ReadonlyMap<string, ReadonlyMap<string, Counted>>

/** Whether an exchange with an operation had a status. */
export function hasStatus({ operations }: Counts, operationId: string, status: string): boolean {
  const items = operations.get(operationId)?.items.keys() ?? []
  return [...items].some(({ kind, name }) => kind === 'status' && name === status)
}

/** An item's key within its operation. */
function keyOf({ kind, name }: Item): string {
  return `${kind} ${name}`
}

/** Writes the counts as a report. */
export function reportOf(
  counts: Counts,
  contracts: readonly Contract[],
  membersOf: MembersOf,
  violations: readonly RecordedViolation[],
): ContractReport {
  const violationCount = violations.reduce((total, { count = 1 }) => total + count, 0)
  const planned = contracts.map((contract) => [contract, membersOf(contract)] as const)
  const counted = new Map(
    [...counts.operations].map(([operationId, known]) => [operationId, countsByKey(known)]),
  )
  const operations = planned.map(([contract, members]) =>
    reportOperation(contract, members, counts, counted),
  )
  const cut = planned.flatMap(([{ operationId }, { isCut }]) => (isCut ? [operationId] : []))
  return {
    format: REPORT_FORMAT,
    exchanges: counts.exchanges,
    operations,
    problems: reportProblems(contracts, counted),
    members: totalMembers(operations, cut),
    violations: violations.slice(0, MOST_VIOLATIONS),
    violationCount,
  }
}

function reportOperation(
  contract: Contract,
  members: Members,
  { operations }: Counts,
  countedBy: CountedBy,
): OperationReport {
  const { operationId, method, path } = contract
  const known = operations.get(operationId)
  const counted = countedBy.get(operationId)
  return defined({
    operationId,
    method: method.toUpperCase(),
    path,
    exchanges: known?.exchanges ?? 0,
    seen: known?.seen,
    items: [...listItems(contract), ...members.items].map((item) => {
      const { count = 0, seen } = counted?.get(keyOf(item)) ?? {}
      return defined({ ...item, count, seen })
    }),
  })
}

/** Reports the default problems. Each one sums up the exchanges from all operations that have it only by default. */
function reportProblems(
  contracts: readonly Contract[],
  countedBy: CountedBy,
): readonly CoverageItem[] {
  return listDefaultProblems(contracts).map((item) => {
    const owners = contracts.filter((contract) =>
      problemsOf(contract).some(({ name, isDefault }) => isDefault && name === item.name),
    )
    const all = owners.flatMap(
      ({ operationId }) => countedBy.get(operationId)?.get(keyOf(item)) ?? [],
    )
    const count = all.reduce((total, one) => total + one.count, 0)
    const times = all.flatMap(({ seen }) => seen ?? [])
    return defined({ ...item, count, seen: times.length > 0 ? Math.max(...times) : undefined })
  })
}
