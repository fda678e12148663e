import { storeContract } from '@plumbline/scim/testing'
import { describe, expect, it } from 'vitest'
import { FAULT_CASES } from './faults.cases.ts'
import { makeStores } from './subject.ts'

describe('storeContract finds, and by exactly the checks of that rule, that', () => {
  it.each(FAULT_CASES.map((one) => [one.name, one] as const))('%s', async (_, faulty) => {
    const { fault, transaction, types = ['User'], finds } = faulty
    const failed: string[] = []
    for (const { name, run } of storeContract(() => makeStores(types, fault, transaction))) {
      await run().catch(() => failed.push(name))
    }
    expect(failed).toEqual(finds)
  })
})
