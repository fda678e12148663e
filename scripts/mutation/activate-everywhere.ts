/**
 * A setup file for vitest: makes a mutant active in the threads and the child processes that a test starts.
 * They inherit the environment, from which the instrumented code reads the active mutant.
 */
import { afterAll, beforeAll, inject } from 'vitest'

beforeAll(() => {
  // Stryker's own setup file provides the name of its global object, and runs first.
  const stryker: unknown = Reflect.get(globalThis, inject('globalNamespace' as never))
  const { activeMutant } = Object(stryker)
  if (typeof activeMutant === 'string') process.env[VARIABLE] = activeMutant
})

afterAll(() => {
  delete process.env[VARIABLE]
})

const VARIABLE = '__STRYKER_ACTIVE_MUTANT__'
