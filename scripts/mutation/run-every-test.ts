/**
 * A setup file for vitest: makes Stryker run every test for each mutant. Stryker does so for code that runs
 * outside of tests, so that no test is named while Stryker records which code is reached.
 */
import { beforeEach, inject } from 'vitest'

beforeEach(() => {
  // Stryker's own setup file provides the name of its global object.
  const stryker = Reflect.get(globalThis, inject('globalNamespace' as never))
  if (typeof stryker === 'object' && stryker !== null) {
    Reflect.set(stryker, 'currentTestId', undefined)
  }
})
