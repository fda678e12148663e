import type { Run } from '@plumbline/doctor'
import { fold } from '@plumbline/scim'
import type { Count } from '../counts.ts'
import { changeConnection, readWaiting } from '../store/changes/connection.ts'
import { type ConnectionState, readFeed } from '../store/changes/feed.ts'
import type { Store } from '../store/store.ts'
import { actionsOf, type PlannedAction } from './actions.ts'
import { readEffects } from './effects.ts'
import { type DifferentStep, replayRun } from './replay-run.ts'
import { openTenant, type Tenant } from './tenant.ts'

/** A recorded run's effect on a tenant. */
export interface DryRun {
  readonly tenant: string
  readonly source: string
  readonly profile: string
  readonly requests: number
  readonly actions: readonly PlannedAction[]
  readonly different: readonly DifferentStep[]
  /** The schemas the run needs but the tenant does not have. */
  readonly missingSchemas: readonly string[]
  /** The tenant's connection state: changes wait unless it is active. */
  readonly connection: ConnectionState
  /** Why the tenant's rule would hold the changes; null if it would not. */
  readonly hold: PlannedHold | null
}

/** A hold, and the position of the request that would exceed the rule. */
export interface PlannedHold {
  readonly reason: 'users' | 'group'
  readonly step: number
  /** How many users would lose their access. */
  readonly users: Count
  readonly groupId: string | null
}

/** Options for a dry run. */
export interface DryRunOptions {
  /** The tenant's store, which is only read. */
  readonly store: Store
  /** The store with the tenant's copy. */
  readonly copy: Store
  readonly tenantId: string
  readonly run: Run
  readonly now: () => number
}

/** Replays a run on a tenant's copy, and returns the differences between both. */
export async function dryRun(options: DryRunOptions): Promise<DryRun> {
  const { store, copy, tenantId, run, now } = options
  const before = await openTenant(store, tenantId, now)
  // The rule must not depend on how fast the requests are replayed.
  const at = now()
  const after = await openTenant(copy, tenantId, () => at)
  const { different, linked, found } = await replayRun(after, run)
  const hold = await readHold(after)
  await copy.write((db) => changeConnection(db, tenantId, { state: 'active', now: at }))
  const actions: PlannedAction[] = []
  for (const effect of await readEffects(after, linked)) {
    actions.push(...(await actionsOf(effect, { before, after, found })))
  }
  const { state } = await store.read((db) => readFeed(db, tenantId))
  return {
    ...{ tenant: tenantId, source: run.source, profile: run.profile, requests: run.steps.length },
    ...{ actions, different, connection: state, hold },
    missingSchemas: missingSchemas(run, before),
  }
}

async function readHold({ store, id }: Tenant): Promise<PlannedHold | null> {
  return await store.read(async (db) => {
    const feed = await readFeed(db, id)
    if (feed.hold === null) return null
    const { reason, requestId, groupId } = feed.hold
    const { users } = await readWaiting(db, id, feed)
    return { reason, step: Number(requestId), users, groupId }
  })
}

function missingSchemas({ extensions }: Run, { schemas }: Tenant): readonly string[] {
  const urns = schemas.types.flatMap(({ definitions }) => Object.keys(definitions))
  const known = new Set(urns.map(fold))
  return extensions.map(({ id }) => String(id)).filter((id) => !known.has(fold(id)))
}
