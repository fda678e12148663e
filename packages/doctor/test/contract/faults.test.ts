import { storeContract } from '@plumbline/doctor/testing'
import { describe, expect, it } from 'vitest'
import { FAULT_CASES } from './faults.cases.ts'
import { makeStores } from './subject.ts'

describe('storeContract finds, and by exactly the checks of that rule, that', () => {
  it.each(FAULT_CASES.map((one) => [one.name, one] as const))('%s', async (_, faulty) => {
    const { fault, transaction, types = ['User'], finds } = faulty
    const failed: string[] = []
    const reports: string[] = []
    const checks = storeContract(() => makeStores(types, fault, transaction))
    for (const { name, run } of checks.filter(({ name }) => isTried(name, finds))) {
      await run().catch((error: Error) => {
        failed.push(shortOf(name))
        reports.push(shorten(error.message))
      })
    }
    expect(failed).toEqual(finds)
    // The report is all that the author of a store learns about a fault.
    // The marker is random, and an entity tag depends on it.
    const report = reports
      .join('\n')
      .replaceAll(/plumbline-[\da-f]{8}/gi, 'plumbline-…')
      .replaceAll(/W\/\\"[\w-]+\\"/g, 'W/\\"…\\"')
    expect(report).toMatchSnapshot()
  })
})

/**
 * Whether a check is tried with a fault: only if it has the topic of a check that finds it. With
 * PLUMBLINE_PROOF=whole, every check, as `.ci/run` does.
 */
function isTried(name: string, finds: readonly string[]): boolean {
  // The checks of servers have faults of their own, in test/faults. Here, they are tried if only they find a fault.
  if (shortOf(name) !== name) return finds.includes(shortOf(name))
  if (process.env.PLUMBLINE_PROOF === 'whole') return true
  return finds.some((one) => topicOf(one) === topicOf(name))
}

/** The id of a check of servers, such as `filters.precedence`, or the name of another check. */
function shortOf(name: string): string {
  return /^[\w-]+\.[\w-]+(?=: )/.exec(name)?.[0] ?? name
}

function topicOf(name: string): string {
  return name.slice(0, name.indexOf(':'))
}

/** Cuts long lines, which contain whole resources. */
function shorten(report: string): string {
  return report
    .split('\n')
    .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line))
    .join('\n')
}

const LONGEST = 240
