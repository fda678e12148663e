import { groupBy } from './group-by.ts'
import type { Outcome } from './report.ts'

/** A part of the protocol that was not examined. */
export interface Unexamined {
  /** The part, such as `PUT of users`. */
  readonly name: string
  /** Why the checks did not run; null for a topic whose checks have several reasons. */
  readonly reason: string | null
  /** Whether no server can be called good without it. */
  readonly isEssential: boolean
}

/**
 * Lists the parts not examined although their checks were chosen: first those every identity provider needs, each
 * unless all its checks ran, then topics in which no check ran.
 */
export function unexaminedIn(outcomes: readonly Outcome[]): readonly Unexamined[] {
  const essential = ESSENTIAL.flatMap(({ name, checks }): Unexamined[] => {
    const missing = outcomes.find((one) => checks.includes(one.id) && !isExamined(one))
    return missing === undefined ? [] : [{ name, reason: missing.reason, isEssential: true }]
  })
  const reasons = new Set(essential.map(({ reason }) => reason))
  const topics = groupBy(outcomes, ({ id }) => id.slice(0, id.indexOf('.')))
  const others = [...topics].flatMap(([topic, list]): Unexamined[] => {
    const isNamed = list.some(({ reason }) => reasons.has(reason))
    if (isNamed || list.some((one) => one.status !== 'skipped' || isExamined(one))) return []
    const [first, ...more] = new Set(list.map(({ reason }) => reason))
    const reason = more.length === 0 ? (first ?? null) : null
    return [{ name: TOPICS[topic] ?? topic, reason, isEssential: false }]
  })
  return [...essential, ...others]
}

/** A waived finding was examined. */
function isExamined({ status, waiver }: Outcome): boolean {
  return status === 'passed' || status === 'failed' || waiver !== undefined
}

interface Area {
  readonly name: string
  /** The checks for this part. */
  readonly checks: readonly string[]
}

const ESSENTIAL: readonly Area[] = [
  { name: 'PUT of users', checks: ['replace.user', 'replace.stored'] },
  { name: 'PATCH of users', checks: ['patch-replace.attribute'] },
  { name: 'deactivation by PUT', checks: ['replace.active'] },
  { name: 'deactivation by PATCH', checks: ['patch-replace.active'] },
  { name: 'deactivation by Entra ID', checks: ['entra.disable'] },
  { name: 'deactivation by Okta', checks: ['okta.deactivate', 'okta.deactivate-by-put'] },
]

/** Names of topics a server may lack as a whole. */
const TOPICS: Readonly<Record<string, string>> = {
  me: '/Me',
  bulk: 'bulk requests',
  cursors: 'pages by cursor',
  search: 'searches by POST',
  concurrency: 'versions',
  'value-paths': 'filters in brackets',
  entra: 'requests of Entra ID',
  okta: 'requests of Okta',
}
