import { storeContract } from '@plumbline/doctor/testing'
import { describe, expect, it } from 'vitest'
import { useQuickDigests } from '../quick-digests.ts'
import { FAULT_CASES } from './faults.cases.ts'
import { makeStores } from './subject.ts'

useQuickDigests()

describe('storeContract finds each fault, with exactly the expected checks', () => {
  it.each(FAULT_CASES.map((one) => [one.name, one] as const))('%s', async (_, faulty) => {
    const { fault, transaction, types = ['User'], finds } = faulty
    const failed: string[] = []
    const reports: string[] = []
    const checks = storeContract(() => makeStores(types, fault, transaction))
    for (const { name, run } of checks.filter(({ name }) => isTried(name, finds))) {
      await run().catch((error: Error) => {
        failed.push(idOf(name))
        // The requests of a race are in any order.
        const sent = name.startsWith('races.') ? /^sent: .*\n/gm : /^$/
        reports.push(shorten(error.message.replace(sent, '')))
      })
    }
    expect(failed).toEqual(finds)
    // The report is all that the author of a store learns about a fault.
    // The marker is random, and an entity tag depends on it.
    const report = reports
      .join('\n')
      .replaceAll(/p?lumbline-[\da-f]{8}(-\d+)?/gi, 'plumbline-…')
      .replaceAll(/W\/\\"[\w-]+\\"/g, 'W/\\"…\\"')
    expect(report).toMatchSnapshot()
  })
})

/** Whether a check is tried with a fault: if one of its topic finds it. With PLUMBLINE_PROOF=whole, every check of stores. */
function isTried(name: string, finds: readonly string[]): boolean {
  if (process.env.PLUMBLINE_PROOF === 'whole' && OF_EVERY_TYPE.test(name)) return true
  return finds.some((one) => topicOf(one) === topicOf(idOf(name)))
}

/** The topics without faults of their own in test/faults, and `stored`, whose faults there are those of servers. */
const OF_EVERY_TYPE = /^(stored|races|transactions|tenants)\./

/** The id of a check, such as `filters.precedence`. */
function idOf(name: string): string {
  return name.slice(0, name.indexOf(':'))
}

function topicOf(id: string): string {
  return id.slice(0, id.indexOf('.'))
}

/** Cuts long lines, which contain whole resources. */
function shorten(report: string): string {
  return report
    .split('\n')
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line))
    .join('\n')
}

const MAX_LENGTH = 240
