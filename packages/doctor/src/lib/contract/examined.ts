import { isFailure } from '@plumbline/result'
import type { ProfileName } from '@plumbline/scim/endpoint'
import type { Check, ProviderName } from '../check.ts'
import { TOPICS } from '../checks.ts'
import { examine } from '../examine.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../report.ts'
import { BASE } from './client.ts'
import {
  type CheckOutcome,
  type ContractCheck,
  failureOf,
  type StoreContractOptions,
} from './contract-check.ts'
import { type StoresUnderTest, serve } from './serve.ts'
import { adaptTo } from './shared.ts'

/**
 * Returns the checks of servers whose result depends on the store. The checks of one topic share an examination, which
 * the first of them starts: a database is opened once for all of them.
 */
export function examinedChecks<Context extends object>(
  makeStores: () => StoresUnderTest<Context> | Promise<StoresUnderTest<Context>>,
  options: StoreContractOptions,
): readonly ContractCheck[] {
  return EXAMINED.flatMap((topic) => {
    let outcomes: Promise<readonly Outcome[]> | undefined
    return (TOPICS[topic] ?? []).map((check) => ({
      name: nameOf(check),
      section: check.section,
      run: async () => {
        outcomes ??= examineStores(await makeStores(), topic, options)
        const outcome = (await outcomes).find(({ id }) => id === check.id)
        return requirePassed(check, outcome)
      },
    }))
  })
}

/** Names a check in the contract, such as `delete.read: GET of a deleted user answers 404`. */
function nameOf({ id, title }: Check): string {
  return `${id}: ${title}`
}

async function examineStores<Context extends object>(
  stores: StoresUnderTest<Context>,
  topic: string,
  options: StoreContractOptions,
): Promise<readonly Outcome[]> {
  const profile = PROFILES[topic]
  try {
    const fetch = serve(stores, stores.resourceTypes, { profile })
    const adapts = new Map(stores.resourceTypes.map((type) => [type.name, adaptTo(options, type)]))
    const report = await examine(fetch, {
      base: BASE,
      only: [topic],
      hostile: true,
      thorough: true,
      profiles: profile && [profile],
      adapt: (resource, about) => adapts.get(about.resourceType)?.(resource, about) ?? resource,
    })
    if (isFailure(report)) throw report.error
    return report.data.outcomes
  } finally {
    await stores.close?.()
  }
}

function requirePassed(check: Check, outcome: Outcome | undefined): CheckOutcome {
  if (outcome === undefined) return { skipped: 'the profile of the topic does not have this check' }
  const { status, finding, reason, exchanges } = outcome
  if (status === 'passed') return { skipped: null }
  // A store may reject a valid resource without a place. Other checks report it.
  if (status !== 'failed' && status !== 'broken') return { skipped: reason ?? 'it does not apply' }
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

/** The topics whose results depend on the store. */
const EXAMINED: readonly string[] = [
  ...['create', 'read', 'replace', 'delete', 'uniqueness', 'filters', 'value-paths', 'sorting'],
  ...['paging', 'cursors', 'projection', 'patch-add', 'patch-replace', 'patch-remove', 'groups'],
  ...['concurrency', 'declared', 'entra', 'okta'],
]

/** The topics of identity providers, whose requests need the profile. */
const PROFILES: Readonly<Record<string, (ProfileName & ProviderName) | undefined>> = {
  entra: 'entra',
  okta: 'okta',
}
