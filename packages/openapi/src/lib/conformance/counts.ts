import { coveredItems, type Exchange, type Item, listItems } from './items.ts'
import {
  type ContractReport,
  MOST_VIOLATIONS,
  type OperationReport,
  REPORT_FORMAT,
  type RecordedViolation,
} from './report.ts'
import type { Contract } from './responses.ts'

/** The exchanges that a recorder has counted. */
export interface Counts {
  exchanges: number
  /** By operationId, because the contracts are prepared again when an operation is added. */
  readonly operations: Map<string, OperationCounts>
}

interface OperationCounts {
  exchanges: number
  /** The number of exchanges by the key of an item. */
  readonly items: Map<string, number>
}

/** Starts to count. */
export function createCounts(): Counts {
  return { exchanges: 0, operations: new Map() }
}

/** Counts an exchange with an operation. */
export function countExchange(counts: Counts, contract: Contract, exchange: Exchange): void {
  const { operationId } = contract
  const known = counts.operations.get(operationId) ?? { exchanges: 0, items: new Map() }
  known.exchanges += 1
  for (const item of coveredItems(contract, exchange)) {
    const key = keyOf(item)
    known.items.set(key, (known.items.get(key) ?? 0) + 1)
  }
  counts.operations.set(operationId, known)
}

/** The key of an item within its operation. */
export function keyOf({ kind, name }: Item): string {
  return `${kind} ${name}`
}

/** The counts as a report. */
export function reportOf(
  counts: Counts,
  contracts: readonly Contract[],
  violations: readonly RecordedViolation[],
): ContractReport {
  return {
    format: REPORT_FORMAT,
    exchanges: counts.exchanges,
    operations: contracts.map((contract) => reportOperation(contract, counts)),
    violations: violations.slice(0, MOST_VIOLATIONS),
    violationCount: violations.length,
  }
}

function reportOperation(contract: Contract, { operations }: Counts): OperationReport {
  const { operationId, method, path } = contract
  const known = operations.get(operationId)
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    exchanges: known?.exchanges ?? 0,
    items: listItems(contract).map((item) => ({
      ...item,
      count: known?.items.get(keyOf(item)) ?? 0,
    })),
  }
}
