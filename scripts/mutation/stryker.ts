import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../run.ts'
import { keyOf, type Mutant } from './mutant.ts'
import { readStatuses } from './report.ts'
import { SELECTION_FILE } from './selection.ts'

/** A run of some tests against some mutants. */
export interface Stage {
  readonly name: string
  /** The paths of test files. */
  readonly tests: readonly string[]
  /**
   * `reaching` runs the tests that reach the mutant in the unmutated program. That misses tests which
   * depend on a value that an earlier test has cached. `every` runs each test.
   */
  readonly selected: 'reaching' | 'every'
}

export async function installStryker(home: string): Promise<void> {
  mkdirSync(home, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(root, 'scripts/mutation', file), join(home, file))
  }
  if (existsSync(join(home, 'node_modules', '.package-lock.json'))) return
  const { code, output } = await run('npm', ['ci', '--prefix', home])
  if (code !== 0) throw new Error(output)
}

/** Returns the status of each mutant by its key. */
export async function runStryker(
  home: string,
  copy: string,
  mutants: readonly Mutant[],
  stage: Stage,
): Promise<ReadonlyMap<string, string>> {
  const report = join(copy, `mutation-${stage.name}.json`)
  rmSync(report, { force: true })
  writeFileSync(join(copy, SELECTION_FILE), JSON.stringify(mutants.map(keyOf)))
  writeFileSync(join(copy, 'vitest.mutation.config.ts'), vitestConfig(stage))
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(strykerConfig(mutants, stage)))
  const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { output } = await run('node', [stryker, 'run', 'stryker.config.json'], copy)
  if (!existsSync(report)) throw new Error(output)
  return readStatuses(report)
}

function vitestConfig({ tests }: Stage): string {
  const test = {
    include: tests,
    exclude: ['**/node_modules/**'],
    // Each file evaluates its modules again. Otherwise a cache that was filled before hides a mutant.
    isolate: true,
    setupFiles: [join(import.meta.dirname, 'activate-everywhere.ts')],
    // The machine may be busy: a test that times out would count as one that detected the mutant.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  }
  const conditions = ['source']
  return `export default ${JSON.stringify({ resolve: { conditions }, ssr: { resolve: { conditions } }, test })}\n`
}

function strykerConfig(mutants: readonly Mutant[], { name, selected }: Stage): object {
  return {
    mutate: [...new Set(mutants.map(({ file, range }) => `${file}:${range}`))],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'selection.ts')],
    checkers: ['selection'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    coverageAnalysis: selected === 'every' ? 'off' : 'perTest',
    inPlace: true,
    ignoreStatic: false,
    concurrency: 1,
    reporters: ['json'],
    jsonReporter: { fileName: `mutation-${name}.json` },
    // If other programs slow down a run, a mutant must not count as an infinite loop.
    timeoutMS: 90_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 30,
    allowConsoleColors: false,
  }
}
