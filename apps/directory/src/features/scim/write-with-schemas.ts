import type { DirectoryContext } from './context.ts'
import { schemasChanged } from './extension-column.ts'
import { lockVersion } from './extension-rows.ts'
import { forgetSchemas, lookUpSchemas } from './tenant-schemas.ts'

/**
 * Runs a write in a transaction, under the schemas used to parse the request. Rejects with a ScimError, `503`, if they
 * have changed since. An import's writes share the batch's transaction.
 */
export async function writeWithSchemas<Value>(
  { principal, ...context }: DirectoryContext,
  work: (context: DirectoryContext) => Promise<Value>,
): Promise<Value> {
  if (context.db !== null) return await work({ ...context, principal })
  const { store, schemas, now } = context
  const { tenantId } = principal
  // The body may have arrived slowly. Tenants without extensions do not lock their version: see `changeExtension`.
  if ((await lookUpSchemas(tenantId, store, now())).version !== schemas.version) {
    throw schemasChanged()
  }
  return await store.write(
    async (db) => {
      if (schemas.version > 0) {
        const { version } = await lockVersion(db, store.dialect, tenantId)
        if (version !== schemas.version) {
          forgetSchemas(tenantId, store)
          throw schemasChanged()
        }
      }
      return await work({ ...context, principal, db })
    },
    { tenantId },
  )
}
