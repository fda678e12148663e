import { readFileSync } from 'node:fs'
import { EQUIVALENT } from './equivalent.ts'

/** A mutant that Stryker made, and what became of it. */
export interface Mutant {
  readonly file: string
  /** `line:column-line:column` as Stryker's option `mutate` takes it: lines from 1, columns from 0. */
  readonly range: string
  /** The source line on which the mutant begins, without the white space around it. */
  readonly line: string
  readonly mutator: string
  readonly replacement: string
  readonly status: string
}

/** Reads a report in the mutation testing report schema, the format of Stryker's JSON reporter. */
export function readReport(path: string): readonly Mutant[] {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n')
    return mutants.map(({ location: { start, end }, mutatorName, replacement = '', status }) => ({
      file,
      range: `${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`,
      line: lines[start.line - 1]?.trim() ?? '',
      mutator: mutatorName,
      replacement,
      status,
    }))
  })
}

/** Returns whether a test has to notice the mutant and none does. */
export function survived({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage'
}

/** Returns whether the mutant counts: Stryker leaves out those that do not even load. */
export function counts(mutant: Mutant): boolean {
  return survived(mutant) || mutant.status === 'Killed' || mutant.status === 'Timeout'
}

/** Returns whether the mutated program is known to do the same as the original. */
export function isEquivalent({ file, line, replacement }: Mutant): boolean {
  return EQUIVALENT.some(
    (one) => one.file === file && one.line === line && one.replacement === replacement,
  )
}

interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>
  >
}

interface ReportedMutant {
  readonly location: { readonly start: Position; readonly end: Position }
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
}

interface Position {
  readonly line: number
  readonly column: number
}
