/**
 * The part of vitest that the tests of the libraries use, for runtimes that vitest does not run on. The
 * assertions are vitest's own package; this file collects the tests and runs them one after another.
 */
import * as assertions from '@vitest/expect'
import { fn, restoreAllMocks, spyOn } from '@vitest/spy'
import * as chai from 'chai'

type Body = (...row: never[]) => unknown
type Hook = () => unknown

/** One test, with the hooks of the groups around it. */
interface Test {
  readonly name: string
  readonly run: () => unknown
  readonly before: readonly Hook[]
  readonly after: readonly Hook[]
}

interface Group {
  readonly name: string
  readonly before: Hook[]
  readonly after: Hook[]
}

let groups: Group[] = []
let tests: Test[] = []

/** Counts what passed, and the lines that describe what failed. */
export interface Outcome {
  passed: number
  readonly failures: string[]
}

/** Runs the test files; a test that is expected to fail must fail. */
export async function runFiles(
  files: readonly (readonly [file: string, load: () => Promise<unknown>])[],
  expected: readonly string[],
): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failures: [] }
  const left = new Set(expected)
  for (const [file, load] of files) await runFile(file, load, left, outcome)
  for (const name of left) outcome.failures.push(`${name}: expected to fail, and does not`)
  return outcome
}

/** Collects the tests of a file and runs them. */
async function runFile(
  file: string,
  load: () => Promise<unknown>,
  expected: Set<string>,
  outcome: Outcome,
): Promise<void> {
  groups = [{ name: file.replace(/^.*\//, ''), before: [], after: [] }]
  tests = []
  await load()
  if (tests.length === 0) outcome.failures.push(`${file}: no tests`)
  for (const test of tests) {
    try {
      for (const hook of test.before) await hook()
      await test.run()
      outcome.passed += 1
    } catch (error) {
      if (!expected.delete(test.name)) {
        outcome.failures.push(`${test.name}: ${textOfError(error)}`)
      }
    } finally {
      for (const hook of test.after) await hook()
    }
  }
}

function textOfError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Adds a test: vitest also accepts options, such as a time limit, before the body. */
function addTest(name: string, ...rest: readonly (Body | object)[]): void {
  const body = rest.find((part): part is Body => typeof part === 'function')
  if (body === undefined) throw new Error(`the test "${name}" does not have a body`)
  tests.push({
    name: [...groups.map((group) => group.name), name].join(' > '),
    run: () => body(),
    before: groups.flatMap(({ before }) => before),
    after: groups.flatMap(({ after }) => after).reverse(),
  })
}

function addGroup(name: string, body: Body): void {
  groups.push({ name, before: [], after: [] })
  body()
  groups.pop()
}

/** `each` of vitest: a row that is a list becomes the arguments, and any other row is the argument. */
function eachOf(add: (name: string, body: Body) => void) {
  return (rows: readonly unknown[]) =>
    (name: string, body: Body): void => {
      for (const row of rows) {
        const values = (Array.isArray(row) ? row : [row]) as never[]
        add(formatTitle(name, values), () => body(...values))
      }
    }
}

/** Replaces each `%s` of a title, or another letter, with the value of its row. */
function formatTitle(title: string, values: readonly unknown[]): string {
  let at = 0
  return title.replace(/%[.\d]*[a-z]/g, () => {
    const value = values[at++]
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}

export const it: unknown = Object.assign(addTest, { each: eachOf(addTest) })
export const test: unknown = it
export const describe: unknown = Object.assign(addGroup, { each: eachOf(addGroup) })
export const vi: unknown = { fn, restoreAllMocks, spyOn, waitFor }

/** Tries an assertion again until it holds, for at most a second. */
async function waitFor(assertion: () => unknown): Promise<unknown> {
  for (let left = 100; left > 0; left -= 1) {
    try {
      return await assertion()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return await assertion()
}

export function beforeEach(hook: Hook): void {
  groups.at(-1)?.before.push(hook)
}

export function afterEach(hook: Hook): void {
  groups.at(-1)?.after.push(hook)
}

chai.use(assertions.JestExtend)
chai.use(assertions.JestChaiExpect)
chai.use(assertions.JestAsymmetricMatchers)

/** vitest's `expect`, without snapshots. */
export const expect: unknown = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  Reflect.get(globalThis, assertions.ASYMMETRIC_MATCHERS_OBJECT),
)
assertions.setState({ assertionCalls: 0, isExpectingAssertions: false }, expect)
Reflect.set(globalThis, assertions.GLOBAL_EXPECT, expect)
chai.expect.extend(expect, assertions.customMatchers)
