import type { TestRunner } from '../lib/record/recorder.ts'
import { addReport } from './meta.ts'

/** The `vitest` exports a recorder uses. */
export interface VitestModule {
  /** Registers a hook that runs after a file's tests. */
  afterAll(hook: (context: object, suite: { readonly file: { meta: object } }) => void): void
  /** Knows the test that is running. */
  readonly TestRunner: {
    getCurrentTest():
      | { readonly fullTestName: string; readonly file: { readonly filepath: string } }
      | undefined
  }
}

/**
 * Connects a recorder with vitest 5: violations name their test and file, and each file's report is passed to
 * `contractReporter`, in any pool and with any number of workers.
 *
 * Create the recorder in the test file, in a module it imports, or in a setup file. With `isolate: false`, create it in
 * a setup file, because a module is then evaluated once for several files. Violations in concurrent tests may name
 * another test from the same file.
 *
 * @param vitest The module `vitest`, as `import * as vitest from 'vitest'` imports it.
 *
 * @example
 * ```ts
 * import { createDocument } from '@plumbline/openapi'
 * import { createContractRecorder } from '@plumbline/contract'
 * import { vitestRunner } from '@plumbline/contract/vitest'
 * import * as vitest from 'vitest'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } })
 * // In a test file:
 * const start = () => createContractRecorder(builder, { runner: vitestRunner(vitest) })
 * ```
 */
export function vitestRunner({ afterAll, TestRunner }: VitestModule): TestRunner {
  return {
    currentTest: () => {
      const test = TestRunner.getCurrentTest()
      return test === undefined ? null : { name: test.fullTestName, file: test.file.filepath }
    },
    onCreate: (report) => {
      // A file's hooks run in reverse order, so this one usually runs after the tests' own.
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures in this pattern.
      afterAll(({}, suite) => addReport(suite.file.meta, report()))
    },
  }
}
