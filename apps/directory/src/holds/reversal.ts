import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import type { Change } from '@plumbline/scim/endpoint'
import type { WriteRequest } from '../imports/write-requests.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import type { UndoneChange } from '../store/changes/connection.ts'

/** Returns the requests for undoing a change, applied to the state after it. Null if its type no longer exists. */
export function reversalOf(
  { change, before, resource_id }: UndoneChange,
  types: readonly ResourceType[],
  now: number,
): readonly WriteRequest[] | null {
  const made: Change = JSON.parse(change)
  const type = types.find(({ name }) => name === made.resourceType)
  if (type === undefined) return null
  const path = `${type.endpoint}/${resource_id}`
  const kept = before === null ? null : JSON.parse(before)
  const patch = (operations: readonly object[]): readonly WriteRequest[] =>
    operations.length === 0
      ? []
      : [{ method: 'PATCH', path, body: { schemas: [PATCH_OP_SCHEMA], Operations: operations } }]
  if ('added' in made) return patch(membersOf(made.added, made.removed))
  if ('attributes' in made) return patch(Object.entries(kept ?? {}).flatMap(assign))
  switch (made.type.split('.').at(-1)) {
    case 'created':
      return [{ method: 'DELETE', path, body: undefined }]
    case 'deactivated':
      return patch([{ op: 'replace', path: 'active', value: true }])
    case 'reactivated':
      return patch([{ op: 'replace', path: 'active', value: false }])
    default:
      return kept === null ? [] : [restore(type, resource_id, kept, now)]
  }
}

function membersOf(added: readonly string[], removed: readonly string[]): readonly object[] {
  return [
    ...added.map((id) => ({ op: 'remove', path: `members[value eq ${JSON.stringify(id)}]` })),
    ...(removed.length === 0
      ? []
      : [{ op: 'add', path: 'members', value: removed.map((value) => ({ value })) }]),
  ]
}

/** Removes a complex value first, because a replacement keeps sub-attributes it doesn't name. */
function assign([path, value]: readonly [string, unknown]): readonly object[] {
  if (value === null) return [{ op: 'remove', path }]
  const isMerged = typeof value === 'object' && !Array.isArray(value)
  return [...(isMerged ? [{ op: 'remove', path }] : []), { op: 'replace', path, value }]
}

function restore(
  { endpoint }: ResourceType,
  id: string,
  { meta, ...content }: { readonly meta?: { readonly created?: string } },
  now: number,
): WriteRequest {
  const created = Date.parse(meta?.created ?? '')
  const at = Number.isNaN(created) ? now : created
  const restored = { id, at, lastModified: Math.max(at, now), revision: 1 }
  return { method: 'POST', path: endpoint, body: content, restored }
}
