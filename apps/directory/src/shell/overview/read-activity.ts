import { isChangeOf } from '../../features/changes/change-row.ts'
import {
  type ChangeCount,
  type ChangeCounts,
  countChanges,
  type LastChange,
} from '../../features/changes/count-changes.ts'
import {
  countRequests,
  findLastSuccess,
  type RequestCounts,
} from '../../features/log/count-requests.ts'
import {
  type CountedType,
  summarizeTenants,
  type TenantSummary,
} from '../../features/tenants/summarize-tenants.ts'
import { type Buckets, bucketsOf, type Period } from '../../kernel/store/buckets.ts'
import type { Database } from '../../kernel/store/database.ts'

/** One hour or day of a tenant's activity. */
export interface ActivityPoint {
  /** When it started, in milliseconds since 1970. */
  readonly time: number
  /** Null before the oldest known request. */
  readonly requests: number | null
  readonly errors: number | null
  /** How many resources of each type existed at the end. Null before the oldest known change. */
  readonly resources: Readonly<Record<string, number | null>>
}

/** A tenant's activity in a period. */
export interface Activity {
  readonly summary: TenantSummary
  readonly points: readonly ActivityPoint[]
  /** From this time on the requests are known; null without requests. */
  readonly requestsSince: number | null
  /** From this time on the numbers of resources are known; null if always. */
  readonly resourcesSince: number | null
  readonly lastSuccess: { readonly id: number; readonly time: number } | null
  readonly lastChanges: readonly LastChange[]
}

/** Reads a tenant's activity. The cost is bounded: it reads the newest requests and changes, 100,000 each. */
export async function readActivity(
  db: Database,
  tenantId: string,
  {
    period,
    types,
    now,
  }: { readonly period: Period; readonly types: readonly CountedType[]; readonly now: number },
): Promise<Activity | null> {
  const buckets = bucketsOf(period, now)
  const [summary] = await summarizeTenants(db, [tenantId], { types, now })
  if (summary === undefined) return null
  const requests = await countRequests(db, tenantId, buckets)
  const changes = await countChanges(db, tenantId, buckets)
  return {
    summary,
    points: pointsOf(buckets, summary, requests, changes),
    requestsSince: requests.since,
    resourcesSince: changes.since,
    lastSuccess: await findLastSuccess(db, tenantId),
    lastChanges: changes.newest,
  }
}

function pointsOf(
  { start, step, count }: Buckets,
  summary: TenantSummary,
  requests: RequestCounts,
  changes: ChangeCounts,
): readonly ActivityPoint[] {
  const numbers = Object.entries(summary.resources).map(
    ([name, { count: last }]) => [name, numbersOf(changes.counts, name, { last, count })] as const,
  )
  return Array.from({ length: count }, (_, at) => {
    const time = start + at * step
    const end = time + step
    // Another process's clock may be ahead, so nothing may be known before the last bucket.
    const isLast = at === count - 1
    const areLogged = requests.since !== null && (isLast || requests.since < end)
    const counted = requests.buckets.get(at) ?? { requests: 0, errors: 0 }
    const areKnown = changes.since === null || isLast || changes.since < end
    return {
      time,
      requests: areLogged ? counted.requests : null,
      errors: areLogged ? counted.errors : null,
      resources: Object.fromEntries(
        numbers.map(([name, ofType]) => [name, areKnown ? (ofType[at] ?? null) : null]),
      ),
    }
  })
}

/** Returns the resource counts at the ends of the buckets, calculated back from the present one. */
function numbersOf(
  counts: readonly ChangeCount[],
  name: string,
  { last, count }: { readonly last: number; readonly count: number },
): readonly number[] {
  const added = new Map<number, number>()
  for (const one of counts) {
    const sign = SIGNS.get(one.type.slice(one.type.indexOf('.')))
    if (!isChangeOf(one.type, name) || sign === undefined) continue
    added.set(one.bucket, (added.get(one.bucket) ?? 0) + sign * one.count)
  }
  const numbers: number[] = []
  let number = last
  for (let at = count - 1; at >= 0; at -= 1) {
    // Changes an administrator dropped are missing.
    numbers.unshift(Math.max(0, number))
    number -= added.get(at) ?? 0
  }
  return numbers
}

const SIGNS: ReadonlyMap<string, number> = new Map([
  ['.created', 1],
  ['.deleted', -1],
])
