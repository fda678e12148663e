import type { OnChange } from '@plumbline/scim/endpoint'
import { typeNamed } from '../../kernel/resources/resource-type.ts'
import { contentOf } from '../changes/change-row.ts'
import { recordChanges } from '../connections/record-changes.ts'
import type { DirectoryContext } from './context.ts'

/** Stores a write's changes in the write's transaction. */
export const storeChanges: OnChange<DirectoryContext> = async (
  changes,
  { transaction, before },
) => {
  const { db, principal, now, schemas } = transaction
  const [first] = changes
  if (db === null || first === undefined) throw new TypeError('changes belong to a transaction')
  const { tenantId, tokenId } = principal
  const left = changes.filter((change) => 'removed' in change && change.removed.length > 0)
  await recordChanges(db, {
    tenantId,
    tokenId,
    now: now(),
    requestId: first.requestId,
    contents: changes.flatMap((change) => {
      const { naming } = typeNamed(schemas.types, change.resourceType)
      return contentOf(change, { before: before(change), nameAttribute: naming.attribute })
    }),
    left: left.map(({ id }) => id),
  })
}
