import type { Change } from '@plumbline/scim/endpoint'
import { type ChangePage, type ReadChange, readChanges } from '../store/changes/read-changes.ts'
import type { Tenant } from './tenant.ts'

/** Everything a run changes in one resource. */
export interface Effect {
  readonly resourceType: string
  readonly id: string
  isCreated: boolean
  isDeleted: boolean
  /** Whether the first `active` change deactivated the user; null without one. */
  firstDeactivates: boolean | null
  /** Whether the last one did. */
  lastDeactivates: boolean | null
  readonly attributes: Set<string>
  /** The members it has gained and lost in the end. */
  readonly added: Set<string>
  readonly removed: Set<string>
}

/**
 * Reads a tenant's changes, and joins each resource's changes, ordered by the first one. Other resources follow
 * without changes.
 */
export async function readEffects(
  tenant: Tenant,
  others: readonly Pick<Effect, 'resourceType' | 'id'>[],
): Promise<readonly Effect[]> {
  const effects = new Map<string, Effect>()
  let after: number | null = null
  for (;;) {
    const page = await readPage(tenant, after)
    for (const row of page?.rows ?? []) add(effects, row)
    if (page === null || !page.hasMore) break
    after = page.next
  }
  for (const { resourceType, id } of others) {
    if (!effects.has(id)) effects.set(id, newEffect(resourceType, id))
  }
  return [...effects.values()]
}

function readPage({ store, id }: Tenant, after: number | null): Promise<ChangePage | null> {
  // Delayed changes are visible at this time, too.
  const now = Number.MAX_SAFE_INTEGER
  return store.read((db) => readChanges(db, id, { after, count: PAGE, now }))
}

function add(effects: Map<string, Effect>, row: ReadChange): void {
  const change: Change = JSON.parse(row.change)
  const { resourceType, id } = change
  const effect = effects.get(id) ?? newEffect(resourceType, id)
  effects.set(id, effect)
  if ('added' in change) {
    for (const member of change.added) move(member, effect.removed, effect.added)
    for (const member of change.removed) move(member, effect.added, effect.removed)
    return
  }
  if ('attributes' in change) {
    for (const name of change.attributes) effect.attributes.add(name)
    return
  }
  const kind = change.type.split('.').at(-1)
  if (kind === 'created') effect.isCreated = true
  else if (kind === 'deleted') effect.isDeleted = true
  else {
    effect.lastDeactivates = kind === 'deactivated'
    effect.firstDeactivates ??= effect.lastDeactivates
  }
}

/** Moves a member from one set to the other; a member in neither is added to the other. */
function move(member: string, from: Set<string>, to: Set<string>): void {
  if (!from.delete(member)) to.add(member)
}

function newEffect(resourceType: string, id: string): Effect {
  return {
    ...{ resourceType, id, isCreated: false, isDeleted: false },
    ...{ firstDeactivates: null, lastDeactivates: null },
    ...{ attributes: new Set(), added: new Set(), removed: new Set() },
  }
}

const PAGE = 500
