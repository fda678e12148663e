import type { Check } from '../check.ts'
import type { Exchange } from '../http/exchange.ts'
import { findOptionFault } from '../option-faults.ts'
import { causeOf } from './causes.ts'
import {
  type CheckOutcome,
  type ContractCheck,
  failureOf,
  type StoreContractOptions,
} from './contract-check.ts'
import {
  type Examined,
  type ExaminedOptions,
  examineTopics,
  isStuck,
  type MakeStores,
} from './examine-topics.ts'
import { BASE } from './serve.ts'
import { COMPLETE, describeSkipped } from './skipped.ts'
import { STUCK_ADVICE } from './time-limit.ts'
import { ALL_TOPICS, EXAMINED } from './topics.ts'

/**
 * Returns the checks a store must pass, for any test runner: if stores pass them all, an identity provider can use an
 * endpoint over them.
 *
 * The checks are those of `examine` whose results depend on the store, and those that need the store itself: races,
 * transactions and other tenants. `makeStores` returns new stores for each topic: the resource types as
 * `createScimEndpoint` accepts them, one type or several together. The resources are generated from the definitions, so
 * custom resource types and extensions are examined like users and groups. The expected results come from
 * `compileFilter`, `compareResources` and `applyPatch`. A check without anything to examine, such as one for members if
 * no type has them, returns the reason as `skipped`. The last check returns how many were skipped, by reason.
 *
 * A check fails if a request is not answered within `timeout`, 30 seconds by default. Then the other checks are
 * skipped, because a store call without an end usually holds a connection or a lock. Throws a `TypeError` that names an
 * unknown or invalid option.
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
  makeStores: MakeStores<Context>,
  options: StoreContractOptions = {},
): readonly ContractCheck[] {
  const types = { adapt: 'function', folded: 'list', timeout: 'any' } as const
  const fault =
    typeof makeStores === 'function'
      ? findOptionFault<StoreContractOptions>('storeContract: ', options, types)
      : 'storeContract: makeStores must be a function'
  if (fault !== null) throw new TypeError(fault)
  const checks = listChecks(makeStores, options)
  return [...checks, { ...COMPLETE, run: async () => describeSkipped(checks) }]
}

/** Lists the checks of all topics, or those named in `only`. */
export function listChecks<Context extends object>(
  makeStores: MakeStores<Context>,
  options: ExaminedOptions,
): readonly ContractCheck[] {
  const { only } = options
  const examine = examineTopics(makeStores, options)
  return EXAMINED.flatMap((topic) =>
    (ALL_TOPICS[topic] ?? [])
      .filter(({ id }) => only === undefined || only.includes(id))
      .map((check) => ({
        name: nameOf(check),
        section: check.section,
        run: async () => requirePassed(check, await examine(topic)),
      })),
  )
}

/** Names a check in the contract, such as `delete.read: GET of a deleted user answers 404`. */
function nameOf({ id, title }: Check): string {
  return `${id}: ${title}`
}

function requirePassed(check: Check, examined: Examined): CheckOutcome {
  const outcome = examined.outcomes.get(check.id)
  if (outcome === undefined) return { skipped: examined.skipped }
  const { status, finding, reason, exchanges } = outcome
  if (status === 'passed') return { skipped: null }
  // A store may reject a valid resource without a place. `stored.create` reports it.
  if (status === 'skipped' || status === 'blocked')
    return { skipped: reason ?? 'it does not apply' }
  const rule = {
    name: nameOf(check),
    section: check.section,
    sent: exchanges.slice(-3).map(describe),
  }
  if (isStuck(examined)(outcome)) {
    const found = `${examined.stuck}`
    throw failureOf({ ...rule, expected: 'an answer', found, advice: STUCK_ADVICE })
  }
  const found = finding?.found ?? `${reason}`
  const expected = finding?.expected ?? 'a check without an internal error'
  throw failureOf({ ...rule, expected, found, advice: `${causeOf(found)}${check.advice}` })
}

function describe({ method, url, requestBody, status }: Exchange): string {
  const path = url.startsWith(BASE) ? url.slice(BASE.length) : url
  const answer = status ?? 'no answer'
  return `${method} ${path}${requestBody === null ? '' : ` ${requestBody.slice(0, 1_000)}`}: ${answer}`
}
