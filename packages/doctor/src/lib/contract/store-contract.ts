import { Skipped } from '../toolkit/finding.ts'
import type { StoreCheck } from './check.ts'
import { PATCH_CHECKS } from './checks/patch.ts'
import { RACE_CHECKS } from './checks/races.ts'
import { TENANT_CHECKS } from './checks/tenants.ts'
import { TRANSACTION_CHECKS } from './checks/transactions.ts'
import { UNIQUE_CHECKS } from './checks/unique.ts'
import { WRITE_CHECKS } from './checks/write.ts'
import { idsOf } from './client.ts'
import { type ContractCheck, failureOf, type StoreContractOptions } from './contract-check.ts'
import { examinedChecks } from './examined.ts'
import { Mismatch, mismatch } from './expectations.ts'
import { openWorld } from './open-world.ts'
import type { StoresUnderTest } from './serve.ts'
import type { World } from './world.ts'

/**
 * Returns the checks that a store must pass, for any test runner: an identity provider can use an endpoint over
 * stores that pass all of them.
 *
 * `makeStores` returns empty stores for each check: the resource types as `createScimEndpoint` accepts them,
 * one type or several together. The checks serve them and send requests. The resources are generated from the
 * definitions, so custom resource types and extensions are examined like users and groups. The expected
 * results are those of `compileFilter`, `compareResources` and `applyPatch`. The checks of `examine` whose results depend
 * on the store follow; those of one topic share stores. A check without anything to examine, such as one for members if
 * no type has them, returns the reason as `skipped`.
 *
 * @example
 * ```ts
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
 * import { storeContract } from '@plumbline/doctor/testing'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const checks = storeContract(() => {
 *   const store = memoryStore({ definitions })
 *   const users = defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })
 *   return { resourceTypes: [users] }
 * })
 * // With a test runner: for (const { name, run } of checks) test(name, run)
 * for (const { run } of checks) await run()
 * checks[0]?.section //=> 'RFC 7643 §3.1'
 * ```
 * @see RFC 7644 §3
 */
export function storeContract<Context extends object = object>(
  makeStores: () => StoresUnderTest<Context> | Promise<StoresUnderTest<Context>>,
  options: StoreContractOptions = {},
): readonly ContractCheck[] {
  const ofTypes = CHECKS.map((check) => ({
    name: check.name,
    section: check.section,
    run: async () => {
      const stores = await makeStores()
      try {
        const world = openWorld(stores, options)
        await requireEmpty(world)
        await check.run(world)
        return { skipped: null }
      } catch (error) {
        if (error instanceof Skipped) return { skipped: error.message }
        throw explained(check, error)
      } finally {
        await stores.close?.()
      }
    },
  }))
  return [...ofTypes, ...examinedChecks(makeStores, options)]
}

/** Throws if a store is not empty, because the checks count and compare whole lists. */
async function requireEmpty({ types, send }: World): Promise<void> {
  for (const { endpoint } of types) {
    const list = await send('GET', endpoint)
    if (idsOf(list).length > 0) mismatch(list, 'an empty list: makeStores must return new stores')
  }
}

/** Adds the rule and what to do to a check's error. */
function explained({ name, section, advice }: StoreCheck, error: unknown): Error {
  if (!(error instanceof Mismatch)) {
    const expected = 'a check without an internal error'
    return failureOf({ name, section, advice, sent: [], expected, found: String(error) }, error)
  }
  const { sent, expected, found } = error
  return failureOf({ name, section, advice: error.advice ?? advice, sent: [sent], expected, found })
}

/** The rules, in the order in which they are listed. */
export const CHECKS: readonly StoreCheck[] = [
  ...WRITE_CHECKS,
  ...UNIQUE_CHECKS,
  ...PATCH_CHECKS,
  ...RACE_CHECKS,
  ...TRANSACTION_CHECKS,
  ...TENANT_CHECKS,
]
