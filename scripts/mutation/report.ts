import { readFileSync } from 'node:fs'
import { keyOf, type Position, rangeOf } from './mutant.ts'

/** Reads the statuses of mutants by key from a report of Stryker's JSON reporter. */
export function readStatuses(path: string): ReadonlyMap<string, string> {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  return new Map(
    Object.entries(report.files).flatMap(([file, { mutants }]) =>
      mutants.map(({ location: { start, end }, replacement = '', status }) => {
        const range = rangeOf({ start: fromZero(start), end: fromZero(end) })
        return [keyOf({ file, range, replacement }), status] as const
      }),
    ),
  )
}

/** Converts a position of a report, whose lines and columns count from 1. */
function fromZero({ line, column }: Position): Position {
  return { line: line - 1, column: column - 1 }
}

/** The mutation testing report schema. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly ReportedMutant[] }>>
}

interface ReportedMutant {
  readonly location: { readonly start: Position; readonly end: Position }
  readonly replacement?: string
  readonly status: string
}
