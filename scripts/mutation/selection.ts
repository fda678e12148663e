/**
 * A checker plugin for Stryker: of the mutants inside the ranges that Stryker was asked for, only those
 * run whose keys are listed in `selected.json`. The rest is reported as not compiling.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { keyOf, rangeOf, type StrykerMutant } from './mutant.ts'

export const SELECTION_FILE = 'selected.json'

export const strykerPlugins = [{ kind: 'Checker', name: 'selection', factory: createChecker }]

function createChecker(): object {
  const selected = new Set(JSON.parse(readFileSync(SELECTION_FILE, 'utf8')) as string[])
  return {
    init: () => Promise.resolve(),
    group: (mutants: readonly CheckedMutant[]) => Promise.resolve([mutants.map(({ id }) => id)]),
    check: (mutants: readonly CheckedMutant[]) => {
      const statuses = mutants.map((mutant) => [
        mutant.id,
        { status: selected.has(keyOfChecked(mutant)) ? 'passed' : 'compileError', reason: '' },
      ])
      return Promise.resolve(Object.fromEntries(statuses))
    },
  }
}

function keyOfChecked({ fileName, location, replacement }: CheckedMutant): string {
  const file = relative(process.cwd(), fileName).replaceAll('\\', '/')
  return keyOf({ file, range: rangeOf(location), replacement })
}

interface CheckedMutant extends StrykerMutant {
  readonly id: string
}
