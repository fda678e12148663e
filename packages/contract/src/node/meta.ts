import { isJsonObject } from '@plumbline/base'
import { readReport } from '../lib/coverage/read-report.ts'
import type { ContractReport } from '../lib/report.ts'

/** Adds a report to a test file's metadata, which vitest passes from the worker to the reporters. */
export function addReport(meta: object, report: ContractReport): void {
  const known: unknown = Reflect.get(meta, KEY)
  Reflect.set(meta, KEY, [...(Array.isArray(known) ? known : []), report])
}

/**
 * Reads the reports in a test file's metadata. Throws a TypeError for reports from another version of this package,
 * which a blob file may contain.
 */
export function readReports(meta: object, file: string): readonly ContractReport[] {
  const listed: unknown = isJsonObject(meta) ? meta[KEY] : undefined
  return (Array.isArray(listed) ? listed : []).map((one) => {
    const { value, fault } = readReport(one)
    if (fault) throw new TypeError(`${file}: ${fault.message}`)
    return nameFile(value, file)
  })
}

/** Violations name the file with the path below the project's root, the same on every machine. */
function nameFile(report: ContractReport, file: string): ContractReport {
  const violations = report.violations.map(({ test, ...violation }) =>
    test === undefined ? violation : { ...violation, test: { ...test, file } },
  )
  return { ...report, violations }
}

const KEY = 'plumblineContract'
