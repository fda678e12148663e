import { type ContractCheck, storeContract } from '@plumbline/doctor/testing'
import { describe, expect, it } from 'vitest'
import { listChecks } from '../../src/lib/contract/store-contract.ts'
import { useQuickDigests } from '../quick-digests.ts'
import type { FaultCase } from './fault-case.ts'
import { FAULT_CASES } from './faults.cases.ts'
import { makeStores } from './subject.ts'

useQuickDigests()

const CASES = FAULT_CASES.map((one) => [one.name, one] as const)

describe('a store with one fault', () => {
  it.each(CASES)('storeContract finds a fault with each check that must: %s', async (_, faulty) => {
    const { finds, isTogether = false } = faulty
    const checks = listChecks(makeOf(faulty), isTogether ? {} : { only: finds })
    const tried = checks.filter(({ name }) => isOfTopics(name, finds))
    const reports = await failuresOf(tried)
    expect([...reports.keys()]).toEqual(finds)
    // The report is all that the author of a store learns about a fault.
    // The marker is random, and an entity tag depends on it.
    const report = [...reports.values()]
      .join('\n')
      .replaceAll(/p?lumbline-[\da-f]{8}(-\d+)?/gi, 'plumbline-…')
      .replaceAll(/W\/\\"[\w-]+\\"/g, 'W/\\"…\\"')
    expect(report).toMatchSnapshot()
  })
})

if (process.env.PLUMBLINE_PROOF === 'whole') {
  describe('the other checks on a store with one fault', () => {
    it.each(CASES)('a check that must not find a fault passes: %s', async (_, faulty) => {
      const { finds } = faulty
      const checks = storeContract(makeOf(faulty))
      const tried = checks.filter(({ name }) => OF_EVERY_TYPE.test(name) || isOfTopics(name, finds))
      expect([...(await failuresOf(tried)).keys()]).toEqual(finds)
    })
  })
}

function makeOf({ fault, transaction, types = ['User'] }: FaultCase) {
  return () => makeStores(types, fault, transaction)
}

/** The reports of the checks that fail, by their ids. */
async function failuresOf(checks: readonly ContractCheck[]): Promise<ReadonlyMap<string, string>> {
  const reports = new Map<string, string>()
  for (const { name, run } of checks) {
    await run().catch((error: Error) => {
      // The requests of a race are in any order.
      const sent = name.startsWith('races.') ? /^sent: .*\n/gm : /^$/
      reports.set(idOf(name), shorten(error.message.replace(sent, '')))
    })
  }
  return reports
}

/** Whether a check is in a topic of the checks that must find a fault. */
function isOfTopics(name: string, finds: readonly string[]): boolean {
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
