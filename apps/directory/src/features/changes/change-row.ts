import { fold } from '@plumbline/scim'
import type { Change, WireResource } from '@plumbline/scim/endpoint'
import { chunkRows } from '@plumbline/scim/internal'

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
  /** The name of a deleted resource; null if it still exists. */
  readonly name: string | null
  /** The client's token; null for `DIRECTORY_TOKEN`. */
  readonly token_id: string | null
  /** The change as JSON. */
  readonly change: string
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
  'type' | 'resource_id' | 'name' | 'change' | 'bytes'
> & {
  readonly isRisk: boolean
}

/** A resource before a change; null if the change created it. */
export interface Earlier {
  readonly before: WireResource | null
  /** The attribute that names the resource, such as `userName`. */
  readonly nameAttribute: string
}

/** Builds a change's rows. */
export function contentOf(
  change: Change,
  { before, nameAttribute }: Earlier,
): readonly ChangeContent[] {
  const { type, id } = change
  const isRisk = takesAccess(change, before)
  const given = type.endsWith('.deleted') ? before?.[nameAttribute] : null
  const name = typeof given === 'string' ? given : null
  return partsOf(change).map((part) => {
    const text = JSON.stringify(part)
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(name ?? '') + SMALL_COLUMNS
    return { type, resource_id: id, name, change: text, bytes, isRisk }
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

/** The size in bytes of a row's columns without the JSON, and of the row's index entries. */
const SMALL_COLUMNS = 200
