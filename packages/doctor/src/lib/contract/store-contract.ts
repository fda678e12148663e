import { isFailure } from '@plumbline/result'
import type { ProfileName } from '@plumbline/scim/endpoint'
import type { Check, ProviderName } from '../check.ts'
import { TOPICS } from '../checks.ts'
import { examineStore } from '../examine.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../report.ts'
import { RACE_CHECKS } from './checks/races.ts'
import { TENANT_CHECKS } from './checks/tenants.ts'
import { TRANSACTION_CHECKS } from './checks/transactions.ts'
import {
  type CheckOutcome,
  type ContractCheck,
  failureOf,
  type StoreContractOptions,
} from './contract-check.ts'
import { BASE, type StoresUnderTest, serve } from './serve.ts'
import { keptBy } from './shared.ts'

/**
 * Returns the checks that a store must pass, for any test runner: an identity provider can use an endpoint over
 * stores that pass all of them.
 *
 * They are the checks of `examine` whose results depend on the store, and those that need the store itself: races,
 * transactions and other tenants. `makeStores` returns new stores for each topic: the resource types as
 * `createScimEndpoint` accepts them, one type or several together. The resources are generated from the definitions, so
 * custom resource types and extensions are examined like users and groups. The expected results are those of
 * `compileFilter`, `compareResources` and `applyPatch`. A check without anything to examine, such as one for members if no
 * type has them, returns the reason as `skipped`.
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
  return EXAMINED.flatMap((topic) => {
    // A database is opened once for all checks of a topic.
    let outcomes: Promise<Outcomes> | undefined
    return (ALL_TOPICS[topic] ?? []).map((check) => ({
      name: nameOf(check),
      section: check.section,
      run: async () => {
        outcomes ??= examineTopic(await makeStores(), topic, options)
        const found = await outcomes
        return typeof found === 'string'
          ? { skipped: found }
          : requirePassed(check, found.get(check.id))
      },
    }))
  })
}

/** Names a check in the contract, such as `delete.read: GET of a deleted user answers 404`. */
function nameOf({ id, title }: Check): string {
  return `${id}: ${title}`
}

/** The outcomes of a topic by id, or the reason why it does not apply. */
type Outcomes = ReadonlyMap<string, Outcome> | string

async function examineTopic<Context extends object>(
  stores: StoresUnderTest<Context>,
  topic: string,
  options: StoreContractOptions,
): Promise<Outcomes> {
  const profile = PROFILES[topic]
  try {
    const missing = MISSING[topic]?.(stores)
    if (missing !== undefined) return missing
    const kept = new Map(stores.resourceTypes.map((type) => [type.name, keptBy(type, options)]))
    const report = await examineStore(serve(stores, profile), {
      base: BASE,
      only: [topic],
      checks: Object.values(ALL_TOPICS).flat(),
      hostile: true,
      thorough: true,
      // A store that is not available will not become so.
      limits: { retries: 0 },
      profiles: profile && [profile],
      adapt: (resource, about) => kept.get(about.resourceType)?.adapt(resource, about) ?? resource,
      settle: ({ name }, ...call) => kept.get(name)?.settle(...call) ?? call[0],
    })
    if (isFailure(report)) throw report.error
    return new Map(report.data.outcomes.map((outcome) => [outcome.id, outcome]))
  } finally {
    await stores.close?.()
  }
}

function requirePassed(check: Check, outcome: Outcome | undefined): CheckOutcome {
  if (outcome === undefined) return { skipped: 'the profile of the topic does not have this check' }
  const { status, finding, reason, exchanges } = outcome
  if (status === 'passed') return { skipped: null }
  // A store may reject a valid resource without a place. `stored.create` reports it.
  if (status === 'skipped' || status === 'blocked')
    return { skipped: reason ?? 'it does not apply' }
  throw failureOf({
    name: nameOf(check),
    section: check.section,
    sent: exchanges.slice(-3).map(describe),
    expected: finding?.expected ?? 'a check without an internal error',
    found: finding?.found ?? `${reason}`,
    advice: check.advice,
  })
}

function describe({ method, url, requestBody, status }: Exchange): string {
  const path = url.startsWith(BASE) ? url.slice(BASE.length) : url
  return `${method} ${path}${requestBody === null ? '' : ` ${requestBody.slice(0, 1_000)}`}: ${status}`
}

interface Optional {
  readonly transaction?: unknown
  readonly otherContext?: unknown
}

/** The topics that need the store itself. */
const STORE_TOPICS = {
  races: RACE_CHECKS,
  transactions: TRANSACTION_CHECKS,
  tenants: TENANT_CHECKS,
} as const

/** The reason why a topic does not apply to stores. */
const MISSING: Readonly<Record<string, (stores: Optional) => string | undefined>> = {
  transactions: ({ transaction }) =>
    transaction === undefined ? 'the stores do not have a transaction' : undefined,
  tenants: ({ otherContext }) =>
    otherContext === undefined ? 'makeStores does not return an otherContext' : undefined,
}

const ALL_TOPICS: Readonly<Record<string, readonly Check[]>> = { ...TOPICS, ...STORE_TOPICS }

/** The topics whose results depend on the store, in the order in which they are listed. */
const EXAMINED: readonly string[] = [
  ...['stored', 'declared', 'create', 'read', 'replace', 'delete', 'uniqueness', 'filters'],
  ...['value-paths', 'sorting', 'paging', 'cursors', 'projection', 'patch-add', 'patch-replace'],
  ...['patch-remove', 'groups', 'concurrency', 'entra', 'okta', ...Object.keys(STORE_TOPICS)],
]

/** The topics of identity providers, whose requests need the profile. */
const PROFILES: Readonly<Record<string, (ProfileName & ProviderName) | undefined>> = {
  entra: 'entra',
  okta: 'okta',
}
