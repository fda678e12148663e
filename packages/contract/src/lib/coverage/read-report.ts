import { defined, isJsonObject, type JsonObject, type Outcome, own } from '@plumbline/base'
import {
  type ContractReport,
  type CoverageItem,
  type OperationReport,
  REPORT_FORMAT,
  type RecordedPeriod,
  type RecordedViolation,
} from '../report.ts'
import { totalMembers } from '../total-members.ts'
import { KINDS } from './check-coverage.ts'

/**
 * Validates a report, such as a file another process wrote. The result has only a report's members: `formatReport` adds
 * others in the format `json`.
 */
export function readReport(value: unknown): Outcome<ContractReport, { readonly message: string }> {
  const reject = (why: string) => ({ fault: { message: `not a report of a recorder: ${why}` } })
  if (!isJsonObject(value)) return reject('it must be an object')
  const { format, exchanges, operations, violations, violationCount } = value
  const isEarlier = format === 'plumbline-contract/1'
  if (!isEarlier && format !== REPORT_FORMAT) return reject(`format must be ${REPORT_FORMAT}`)
  if (!isCount(exchanges) || !isCount(violationCount)) {
    return reject('exchanges and violationCount must be numbers')
  }
  if (!isListOf(operations, isOperation)) {
    return reject('operations must be a list of operations')
  }
  if (!isListOf(violations, isViolation)) {
    return reject('violations must be a list of violations')
  }
  const { problems, members } = isEarlier ? WITHOUT_MEMBERS : value
  if (!isListOf(problems, isItem)) return reject('problems must be a list of items')
  const cut = own(members, 'cut')
  if (!Array.isArray(cut) || !areStrings(cut)) {
    return reject('members must have a list of the operations that are cut')
  }
  const period = own(value, 'period')
  if (period !== undefined && !isPeriod(period)) return reject('period must have two times')
  const counts = { period, exchanges, violations, violationCount }
  const copied = operations.map(copyOperation)
  const total = totalMembers(copied, cut)
  const parts = { operations: copied, problems: problems.map(copyItem), members: total }
  return { value: { format: REPORT_FORMAT, ...defined(counts), ...parts } }
}

function copyOperation(operation: OperationReport): OperationReport {
  const { operationId, method, path, exchanges, cut, seen, items } = operation
  return defined({ operationId, method, path, exchanges, cut, seen, items: items.map(copyItem) })
}

function copyItem({ kind, name, count, seen }: CoverageItem): CoverageItem {
  return defined({ kind, name, count, seen })
}

function isOperation(value: JsonObject): value is JsonObject & OperationReport {
  const { operationId, method, path, exchanges, cut = 0, seen = 0, items } = value
  return (
    areStrings([operationId, method, path]) &&
    [exchanges, cut, seen].every(isCount) &&
    isListOf(items, isItem)
  )
}

function isItem(value: JsonObject): value is JsonObject & CoverageItem {
  const { kind, name, count, seen = 0 } = value
  return KINDS.some((known) => known === kind) && areStrings([name]) && [count, seen].every(isCount)
}

function isViolation(value: JsonObject): value is JsonObject & RecordedViolation {
  const { kind, operationId, message, pointer = '', method, url, status, test, count = 1 } = value
  return (
    areStrings([kind, operationId ?? '', message, pointer, method, url]) &&
    [status, count].every(isCount) &&
    (test === undefined || (isJsonObject(test) && areStrings([test.name, test.file])))
  )
}

function isPeriod(value: unknown): value is RecordedPeriod {
  return isCount(own(value, 'from')) && isCount(own(value, 'to'))
}

function isListOf<Element extends JsonObject>(
  value: unknown,
  isElement: (element: JsonObject) => element is Element,
): value is readonly Element[] {
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && isElement(one))
}

function areStrings(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The parts missing in the first version. */
const WITHOUT_MEMBERS = { problems: [], members: { cut: [] } }
