import type { ProfileName } from '@plumbline/scim/endpoint'
import type { Check, ProviderName } from '../check.ts'
import { TOPICS } from '../checks.ts'
import { RACE_CHECKS } from './checks/races.ts'
import { TENANT_CHECKS } from './checks/tenants.ts'
import { TRANSACTION_CHECKS } from './checks/transactions.ts'

/** The topics that need the store itself. */
const STORE_TOPICS = {
  races: RACE_CHECKS,
  transactions: TRANSACTION_CHECKS,
  tenants: TENANT_CHECKS,
} as const

/** The checks by topic. */
export const ALL_TOPICS: Readonly<Record<string, readonly Check[]>> = { ...TOPICS, ...STORE_TOPICS }

/**
 * The topics whose results depend on the store, in the order listed. `transactions` is before the topics with requests
 * at the same time, because the mistakes it finds can block these forever.
 */
export const EXAMINED: readonly string[] = [
  'stored',
  'declared',
  'create',
  'read',
  'replace',
  'delete',
  'uniqueness',
  'filters',
  'value-paths',
  'sorting',
  'paging',
  'cursors',
  'projection',
  'patch-add',
  'patch-replace',
  'patch-remove',
  'groups',
  'transactions',
  'concurrency',
  'entra',
  'okta',
  'races',
  'tenants',
]

/** The topics with requests at the same time. */
export const RACING: ReadonlySet<string> = new Set(['concurrency', 'races'])

/** The topics of identity providers, whose requests need the profile. */
export const PROFILES: Readonly<Record<string, (ProfileName & ProviderName) | undefined>> = {
  entra: 'entra',
  okta: 'okta',
}

interface Optional {
  readonly transaction?: unknown
  readonly otherContext?: unknown
}

/** The reason why a topic does not apply to stores. */
export const MISSING: Readonly<Record<string, (stores: Optional) => string | undefined>> = {
  transactions: ({ transaction }) =>
    transaction === undefined ? 'the stores do not have a transaction' : undefined,
  tenants: ({ otherContext }) =>
    otherContext === undefined ? 'makeStores does not return an otherContext' : undefined,
}
