import { failure, type Result, success } from '@plumbline/result'
import { type ContractReport, REPORT_FORMAT } from '../conformance/report.ts'
import { isJsonObject, type JsonObject } from '../json/object.ts'
import { KINDS } from './check-coverage.ts'

/** Checks that a value is a report, such as the content of a file that another process wrote. */
export function readReport(value: unknown): Result<ContractReport, TypeError> {
  const fault = findFault(value)
  if (fault !== null) return failure(new TypeError(`not a report of a recorder: ${fault}`))
  // Every member that is read was checked.
  return success(value as ContractReport)
}

function findFault(value: unknown): string | null {
  if (!isJsonObject(value)) return 'it must be an object'
  const { format, exchanges, operations, violations, violationCount } = value
  if (format !== REPORT_FORMAT) return `format must be ${REPORT_FORMAT}`
  if (!isCount(exchanges) || !isCount(violationCount)) {
    return 'exchanges and violationCount must be numbers'
  }
  if (!isListOf(operations, isOperation)) return 'operations must be a list of operations'
  return isListOf(violations, isViolation) ? null : 'violations must be a list of violations'
}

function isOperation({ operationId, method, path, exchanges, items }: JsonObject): boolean {
  return areStrings([operationId, method, path]) && isCount(exchanges) && isListOf(items, isItem)
}

function isItem({ kind, name, count }: JsonObject): boolean {
  return KINDS.some((known) => known === kind) && areStrings([name]) && isCount(count)
}

function isViolation(violation: JsonObject): boolean {
  const { kind, operationId, message, pointer = '', method, url, status, test } = violation
  return (
    areStrings([kind, operationId ?? '', message, pointer, method, url]) &&
    isCount(status) &&
    (test === undefined || (isJsonObject(test) && areStrings([test.name, test.file])))
  )
}

function isListOf(value: unknown, isElement: (element: JsonObject) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && isElement(one))
}

function areStrings(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
