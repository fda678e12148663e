import type { Effect } from './effects.ts'
import { BASE, type Tenant } from './tenant.ts'

/** A run's effect on a resource. */
export type Action =
  | 'create'
  | 'create and delete'
  | 'link'
  | 'change'
  | 'deactivate'
  | 'reactivate'
  | 'delete'
  | 'members'

/** A line in a plan. */
export interface PlannedAction {
  readonly action: Action
  readonly resourceType: string
  readonly id: string
  /** The userName, or a group's displayName; null if it was deleted and is not known. */
  readonly name: string | null
  readonly externalId: string | null
  /** The attributes that change; only for `change`. */
  readonly attributes?: readonly string[]
  /** How many members a group gains and loses; only for `members`. */
  readonly added?: number
  readonly removed?: number
}

/** A tenant, its copy after the run, and the resources the provider found, by id. */
export interface Compared {
  readonly before: Tenant
  readonly after: Tenant
  readonly found: ReadonlySet<string>
}

/** Returns the plan's lines for one resource. */
export async function actionsOf(
  effect: Effect,
  { before, after, found }: Compared,
): Promise<readonly PlannedAction[]> {
  const { resourceType, id, isCreated, isDeleted, attributes, added, removed } = effect
  const earlier = isCreated ? null : await read(before, effect)
  const later = isDeleted ? null : await read(after, effect)
  const { name = null, externalId = null } = later ?? earlier ?? {}
  const planned = (action: Action, more: Partial<PlannedAction> = {}): PlannedAction => {
    return { action, resourceType, id, name, externalId, ...more }
  }
  if (isDeleted) return [planned(isCreated ? 'create and delete' : 'delete')]
  const members = { added: added.size, removed: removed.size }
  const isOther = externalId !== (earlier?.externalId ?? null)
  const isLinked = isOther ? externalId !== null : externalId === null && found.has(id)
  const { firstDeactivates, lastDeactivates } = effect
  const isToggled = firstDeactivates !== null && firstDeactivates === lastDeactivates
  return [
    ...(isCreated ? [planned('create')] : []),
    ...(!isCreated && isLinked ? [planned('link')] : []),
    ...(!isCreated && attributes.size > 0
      ? [planned('change', { attributes: [...attributes] })]
      : []),
    ...(isToggled ? [planned(firstDeactivates ? 'deactivate' : 'reactivate')] : []),
    ...(members.added + members.removed > 0 ? [planned('members', members)] : []),
  ]
}

async function read(
  { schemas, send }: Tenant,
  { resourceType, id }: Effect,
): Promise<Pick<PlannedAction, 'name' | 'externalId'> | null> {
  const type = schemas.types.find(({ name }) => name === resourceType)
  if (type === undefined) return null
  const { attribute } = type.naming
  const url = `${BASE}${type.endpoint}/${id}?attributes=externalId,${attribute}`
  const response = await send(new Request(url))
  const { externalId = null, [attribute]: name = null } = await response.json()
  return response.ok ? { name, externalId } : null
}
