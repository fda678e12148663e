import { storeContract } from '@plumbline/scim/testing'
import { describe, expect, it } from 'vitest'
import { FAULT_CASES } from './faults.cases.ts'
import { makeStores } from './subject.ts'

describe('storeContract finds, and by exactly the checks of that rule, that', () => {
  it.each(FAULT_CASES.map((one) => [one.name, one] as const))('%s', async (_, faulty) => {
    const { fault, transaction, types = ['User'], finds } = faulty
    const failed: string[] = []
    const reports: string[] = []
    for (const { name, run } of storeContract(() => makeStores(types, fault, transaction))) {
      await run().catch((error: Error) => {
        failed.push(name)
        reports.push(shorten(error.message))
      })
    }
    expect(failed).toEqual(finds)
    // The report is all that the author of a store learns about a fault.
    expect(reports.join('\n')).toMatchSnapshot()
  })
})

/** Cuts long lines, which contain whole resources. */
function shorten(report: string): string {
  return report
    .split('\n')
    .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line))
    .join('\n')
}

const LONGEST = 240
