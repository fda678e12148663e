import {
  type ContractReport,
  type CoverageItem,
  type OperationReport,
  REPORT_FORMAT,
  type RecordedViolation,
} from '../conformance/report.ts'
import { isJsonObject, type JsonObject } from '../json/object.ts'
import type { Outcome } from '../outcome.ts'
import { KINDS } from './check-coverage.ts'

/**
 * Checks that a value is a report, such as the content of a file that another process wrote. The result has
 * only the members of a report: the format `json` of `formatReport` adds others.
 */
export function readReport(value: unknown): Outcome<ContractReport, { readonly message: string }> {
  const reject = (why: string) => ({ fault: { message: `not a report of a recorder: ${why}` } })
  if (!isJsonObject(value)) return reject('it must be an object')
  const { format, exchanges, operations, violations, violationCount } = value
  if (format !== REPORT_FORMAT) return reject(`format must be ${REPORT_FORMAT}`)
  if (!isCount(exchanges) || !isCount(violationCount)) {
    return reject('exchanges and violationCount must be numbers')
  }
  if (!isListOf(operations, isOperation)) {
    return reject('operations must be a list of operations')
  }
  if (!isListOf(violations, isViolation)) {
    return reject('violations must be a list of violations')
  }
  const copied = operations.map(copyOperation)
  return { value: { format, exchanges, operations: copied, violations, violationCount } }
}

function copyOperation(operation: OperationReport): OperationReport {
  const { operationId, method, path, exchanges, items } = operation
  const copied = items.map(({ kind, name, count }) => ({ kind, name, count }))
  return { operationId, method, path, exchanges, items: copied }
}

function isOperation(value: JsonObject): value is JsonObject & OperationReport {
  const { operationId, method, path, exchanges, items } = value
  return areStrings([operationId, method, path]) && isCount(exchanges) && isListOf(items, isItem)
}

function isItem(value: JsonObject): value is JsonObject & CoverageItem {
  const { kind, name, count } = value
  return KINDS.some((known) => known === kind) && areStrings([name]) && isCount(count)
}

function isViolation(value: JsonObject): value is JsonObject & RecordedViolation {
  const { kind, operationId, message, pointer = '', method, url, status, test } = value
  return (
    areStrings([kind, operationId ?? '', message, pointer, method, url]) &&
    isCount(status) &&
    (test === undefined || (isJsonObject(test) && areStrings([test.name, test.file])))
  )
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
