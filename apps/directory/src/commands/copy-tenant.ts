import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { importResources } from '../imports/import.ts'
import { jsonLinesSource } from '../imports/json-lines.ts'
import type { ImportReport } from '../imports/report.ts'
import { SCIM_PATH } from '../requests/scim-path.ts'
import { lockFeed, readFeed, writeFeed } from '../store/changes/feed.ts'
import { openSqlite } from '../store/engines/sqlite/sqlite.ts'
import { lockVersionForChange, writeExtension } from '../store/extensions/extension-rows.ts'
import type { Store } from '../store/store.ts'
import { createTenant, findTenant } from '../store/tokens.ts'
import { lookUpSchemas } from '../tenants/schemas.ts'
import { exportResources } from './export.ts'

/** A tenant, and where to copy it. */
export interface CopyOptions {
  readonly store: Store
  readonly tenantId: string
  /** The folder for the copy's files. */
  readonly folder: string
  /** Reports resources and members left out because they changed meanwhile. */
  readonly report: ImportReport
  readonly progress?: (done: number, of: number) => void
  readonly now: () => number
}

/**
 * Copies a tenant's users, groups, schemas and hold rule into a new SQLite file, and only reads the tenant. Ids
 * stay. Values that are never returned, such as passwords, are not copied, nor are tokens and changes. Returns
 * null if the tenant does not exist.
 */
export async function copyTenant(options: CopyOptions): Promise<Store | null> {
  const { store, tenantId, folder, now } = options
  const tenant = await store.read((db) => findTenant(db, tenantId))
  if (tenant === null) return null
  const { extensions } = await lookUpSchemas(tenantId, store, now())
  const { rule } = await store.read((db) => readFeed(db, tenantId))
  const copy = await openSqlite(join(folder, 'copy.db'), { isTemporary: true })
  await copy.write(async (db) => {
    await createTenant(db, { id: tenantId, name: tenant.name, created_at: tenant.created_at })
    if (extensions.length > 0) await lockVersionForChange(db, copy.dialect, tenantId, now())
    for (const [at, extension] of extensions.entries()) {
      await writeExtension(db, tenantId, extension, at)
    }
    await writeFeed(db, tenantId, { ...(await lockFeed(db, tenantId)), rule })
  })
  await copyResources(options, copy)
  return copy
}

/** The lines are in a file, because an import reads them several times. */
async function copyResources(
  { store, folder, ...options }: CopyOptions,
  copy: Store,
): Promise<void> {
  const file = join(folder, 'resources.jsonl')
  const handle = await open(file, 'wx', 0o600)
  try {
    const write = async (lines: string): Promise<void> => void (await handle.write(lines))
    await exportResources({ ...options, store, base: `http://localhost${SCIM_PATH}`, write })
  } finally {
    await handle.close()
  }
  const isSilent = true
  await importResources({ ...options, isSilent, store: copy, open: () => jsonLinesSource(file) })
}
