import { type Cached, isFresh, keep } from '../../kernel/access/token-cache.ts'
import { memoize } from '../../kernel/memoize.ts'
import { ONE_STATEMENT, type Store } from '../../kernel/store/store.ts'
import { type Extension, readExtensions, readVersion } from './extension-rows.ts'
import type { StoredType } from './stored-type.ts'
import { extendTypes, STORED_TYPES } from './stored-types.ts'

/** A tenant's schemas. */
export interface TenantSchemas {
  /** 0 if the tenant has never registered a schema. */
  readonly version: number
  /** The schemas it has registered. */
  readonly extensions: readonly Extension[]
  /** The resource types with these schemas. Tenants without extensions share one value. */
  readonly types: readonly StoredType[]
}

/**
 * Returns a tenant's schemas. Their version is looked up at most once a second, so another process's change
 * takes effect within a second.
 */
export async function lookUpSchemas(
  tenantId: string,
  store: Store,
  time: number,
): Promise<TenantSchemas> {
  const { versions, schemas } = caches.get(store)
  const last = versions.get(tenantId)
  if (isFresh(last, time)) {
    const known = last.version === 0 ? WITHOUT_EXTENSIONS : recent(schemas, tenantId)
    if (known?.version === last.version) return known
  }
  return await store.read(async (db) => {
    // The version is read first: a later schema change is noticed by the next look-up, and by each write. Most
    // tenants only need this statement.
    const { version } = await readVersion(db, tenantId)
    keep(versions, tenantId, { version, time })
    if (version === 0) return WITHOUT_EXTENSIONS
    const known = recent(schemas, tenantId)
    if (known?.version === version) return known
    const extensions = await readExtensions(db, tenantId)
    const loaded = { version, extensions, types: extendTypes(extensions) }
    schemas.set(tenantId, loaded)
    const [oldest] = schemas.keys()
    if (schemas.size > MAX_TENANTS && oldest !== undefined) schemas.delete(oldest)
    return loaded
  }, ONE_STATEMENT)
}

/** Forgets the cached version of a tenant's schemas, after a change. */
export function forgetSchemas(tenantId: string, store: Store): void {
  caches.get(store).versions.delete(tenantId)
}

/** Returns a tenant's schemas, and marks them as the most recently used ones. */
function recent(schemas: Map<string, TenantSchemas>, tenantId: string): TenantSchemas | undefined {
  const known = schemas.get(tenantId)
  if (known === undefined) return undefined
  schemas.delete(tenantId)
  schemas.set(tenantId, known)
  return known
}

const caches = memoize((_: Store) => ({
  versions: new Map<string, Cached & { readonly version: number }>(),
  /** The most recently used ones are last. */
  schemas: new Map<string, TenantSchemas>(),
}))
/** Each needs up to about a megabyte with its SCIM endpoint. Others are made again when they are used. */
const MAX_TENANTS = 100
const WITHOUT_EXTENSIONS: TenantSchemas = { version: 0, extensions: [], types: STORED_TYPES }
