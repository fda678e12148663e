import { isConditional } from '../core/etags.ts'
import {
  type Answer,
  type Exchange,
  type Holder,
  NO_CONTENT,
  RestartError,
  readingWork,
  storeRequest,
} from '../core/exchange.ts'
import { createView, versionView } from '../core/view.ts'
import { requireVerdict } from '../options/faults.ts'
import { hasMembers, type ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'
import { findHolderIds, lockAll, readHolders } from '../read/memberships.ts'
import { notFound } from '../read/read.ts'
import { readForUpdate } from './write.ts'

/**
 * Deletes a resource (RFC 7644 §3.6).
 *
 * The groups that it leaves are locked before it, as in a write of a group. They are searched before the transaction
 * begins, whose first search must be one after the locks: the database may repeat it from then on. If the resource
 * joined another group meanwhile, the write restarts.
 */
export async function answerDelete<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const { id, conditions, changes } = exchange
  const { referring, store, name: resourceType } = type
  const groupTypes = exchange.types.filter((one) => isChanged(one, exchange))
  const held = { type, ids: [id] }
  let known = await findHolderIds(readingWork(exchange), groupTypes, held)
  await exchange.write(exchange, async (work) => {
    for (const [group, ids] of known) await lockAll(work, group, [...ids])
    await work.hold(type, id)
    let resource: WireResource = {}
    // Only references to a resource the client may delete are removed.
    if (isConditional(conditions) || referring.length > 0 || changes !== null) {
      const view = changes === null ? versionView() : createView(REPORTED, type.index)
      resource = await readForUpdate(work, type, view, { isForDelete: true })
    }
    const found = await findHolderIds(work, groupTypes, held)
    if ([...found].some(([group, ids]) => [...ids].some((one) => !known.get(group)?.has(one)))) {
      known = found
      throw new RestartError()
    }
    const holders: readonly Holder[] = changes === null ? [] : await readHolders(work, found)
    // A write that is over throws here: once it starts changing the stores, it is completed.
    const deletion = storeRequest(work, {})
    const removal = storeRequest(work, { resourceType, store })
    for (const other of referring) await other.removeReferences?.(id, work.context, removal)
    const deleted: unknown = await store.delete(id, work.context, deletion)
    if (!requireVerdict(type, 'delete', deleted)) throw notFound(type, id)
    await changes?.deleted(work, type, { resource, holders })
    return deleted
  })
  return NO_CONTENT
}

/** Whether a deletion writes to the groups of a type, or reports their changes. */
function isChanged<Context>(
  group: ServedType<Context>,
  { changes }: Pick<Exchange<Context>, 'changes'>,
): boolean {
  const { findHolders, removeReferences } = group.store
  const isWritten = findHolders !== undefined && removeReferences !== undefined
  return hasMembers(group) && (isWritten || changes !== null)
}

/** Changes show a deleted resource, with the member ids. */
const REPORTED = { excludedAttributes: ['members.display', 'members.type', 'members.$ref'] }
