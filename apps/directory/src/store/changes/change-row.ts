import { fold } from '@plumbline/scim'
import type { Change, WireResource } from '@plumbline/scim/endpoint'
import { chunkRows } from '@plumbline/scim/sql'

/** A stored change. A change with many members is divided between several rows. */
export interface ChangeRow {
  readonly tenant_id: string
  /** Counts the tenant's rows from 1, in commit order. */
  readonly position: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** The time, if the change takes access from a user; else null. */
  readonly risk_at: number | null
  /** Until when the change waits; null if it does not wait. */
  readonly releases_at: number | null
  /** The kind of change, such as `user.created`. */
  readonly type: string
  readonly resource_id: string
  /** The client's token; null for `DIRECTORY_TOKEN`. */
  readonly token_id: string | null
  /** The change as JSON. */
  readonly change: string
  /** The overwritten values as JSON; null if the change did not overwrite any. */
  readonly before: string | null
  /** About how many bytes the row needs. */
  readonly bytes: number
}

/** Whether a change's type, such as `user.created`, is one of this resource type, such as `User`. */
export function isChangeOf(type: string, resourceType: string): boolean {
  return fold(type.slice(0, type.indexOf('.'))) === fold(resourceType)
}

/** The columns that do not depend on a row's tenant and position. */
export type ChangeContent = Pick<
  ChangeRow,
  'type' | 'resource_id' | 'change' | 'before' | 'bytes'
> & {
  readonly isRisk: boolean
}

/** A resource before a change, and the part visible to clients; both null if the change created it. */
export interface Earlier {
  readonly resource: WireResource | null
  readonly shown: WireResource | null
}

/** Builds a change's rows. */
export function contentOf(change: Change, earlier: Earlier): readonly ChangeContent[] {
  const { type, id } = change
  const isRisk = takesAccess(change, earlier.resource)
  const overwritten = overwrittenBy(change, earlier)
  const before = overwritten && JSON.stringify(overwritten)
  return partsOf(change).map((part) => {
    const text = JSON.stringify(part)
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(before ?? '') + SMALL_COLUMNS
    return { type, resource_id: id, change: text, before, bytes, isRisk }
  })
}

/** Whether a change takes access from a user. Deleting an inactive user does not. */
function takesAccess({ type }: Change, before: WireResource | null): boolean {
  if (type === 'user.deactivated') return true
  return type === 'user.deleted' && before?.active !== false
}

function partsOf(change: Change): readonly Change[] {
  if (!('added' in change)) return [change]
  const { added, removed, ...facts } = change
  return [
    ...chunkRows(added).map((part) => ({ ...facts, added: part, removed: [] })),
    ...chunkRows(removed).map((part) => ({ ...facts, added: [], removed: part })),
  ]
}

/** Returns the values a change overwrote: the old values of its attributes, or the deleted resource's. */
function overwrittenBy(change: Change, { resource, shown }: Earlier): object | null {
  if (resource === null || shown === null) return null
  if (change.type.endsWith('.deleted')) {
    const { members: _members, groups: _groups, ...kept } = shown
    return kept
  }
  if (!('attributes' in change)) return null
  const values = change.attributes.map((name) => [name, valueAt(shown, name)] as const)
  // An attribute that is never returned keeps its new value if the change is undone.
  const kept = values.filter(([name, value]) => value !== null || valueAt(resource, name) === null)
  return Object.fromEntries(kept)
}

/** Returns the value of an attribute named by a change. An extension attribute's name starts with its URN. */
function valueAt(resource: WireResource, name: string): unknown {
  const colon = name.lastIndexOf(':')
  if (colon === -1) return resource[name] ?? null
  const { [name.slice(0, colon)]: extension } = resource
  return Object(extension)[name.slice(colon + 1)] ?? null
}

/** The size in bytes of a row's columns without its JSON, and of its index entries. */
const SMALL_COLUMNS = 200
