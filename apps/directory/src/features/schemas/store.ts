import { fold } from '@plumbline/scim'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import { tableOf } from '../../kernel/resources/resource-types.ts'
import type { Database } from '../../kernel/store/database.ts'
import {
  deleteExtension,
  type Extension,
  lockVersionForChange,
  readExtensions,
  readVersion,
  writeExtension,
} from '../scim/extension-rows.ts'
import { forgetSchemas } from '../scim/tenant-schemas.ts'
import { rulesFor } from './change-rules.ts'
import { type CheckedChange, findHolders, findRecentHolders, type Holders } from './find-holders.ts'

/** A change to a tenant's schemas. */
export interface ExtensionChange {
  readonly tenantId: string
  readonly urn: string
  /** The schema after the change; null to delete it. */
  readonly next: Extension | null
  /** Returns why the change is not possible with the other schemas, or null. */
  readonly check: (others: readonly Extension[]) => string | null
}

/** A change's outcome. */
export type ChangeOutcome =
  | { readonly type: 'changed'; readonly extension: Extension }
  | { readonly type: 'no-tenant' | 'no-schema' }
  | { readonly type: 'conflict'; readonly reason: string }

/**
 * Registers, replaces or deletes a tenant's schema. With `isNew`, it must not exist before.
 *
 * The resources' values are searched first, without delaying their writes. Then the schemas are locked: earlier
 * writes have ended, and later ones wait until the resources changed in the meantime were searched again. A
 * tenant without extensions does not lock its schemas in its writes, so these are free. Such a write ignores
 * extensions, and can only break the rule for a required extension: therefore a tenant's first extension can be
 * required only when all such writes have ended.
 */
export async function changeExtension(
  { store, now }: AuthOptions,
  change: ExtensionChange,
  { isNew }: { readonly isNew: boolean },
): Promise<ChangeOutcome> {
  const { tenantId, urn, next } = change
  const started = now()
  const before = await store.read((db) => readState(db, change))
  if (!before.hasTenant) return { type: 'no-tenant' }
  const rejected = rejectionOf(before, change, { isNew, now: started })
  if (rejected !== null) return rejected
  const after = next && withStoredUrn(next, before.current)
  const rules = rulesFor(before.current, after)
  const table = tableOf((after ?? before.current)?.resourceType) ?? 'users'
  const id = before.current?.definition.id ?? urn
  const checked: CheckedChange = { tenantId, table, urn: id, rules }
  if (rules.length > 0) {
    const found = await store.scan((db) => findHolders(db, checked), { tenantId })
    if (found !== null) return conflict(describe(found, table))
  }
  const outcome = await store.write(
    async (db) => {
      const { version } = await lockVersionForChange(db, store.dialect, tenantId, started)
      if (version !== before.version) return conflict('the schemas of the tenant are being changed')
      const found =
        rules.length > 0 ? await findRecentHolders(db, checked, started - MAX_WRITE_MS) : null
      if (found !== null) return conflict(describe(found, table))
      if (after !== null) await writeExtension(db, tenantId, after, started)
      else await deleteExtension(db, tenantId, urn)
      return null
    },
    { tenantId },
  )
  forgetSchemas(tenantId, store)
  const extension = after ?? before.current
  if (outcome !== null || extension === null) return outcome ?? { type: 'no-schema' }
  return { type: 'changed', extension }
}

/** A tenant's schemas before a change. */
interface State {
  readonly hasTenant: boolean
  readonly version: number
  readonly since: number | null
  readonly current: Extension | null
  readonly others: readonly Extension[]
}

async function readState(
  db: Database,
  { tenantId, urn }: Pick<ExtensionChange, 'tenantId' | 'urn'>,
): Promise<State> {
  // The version is read first, so a change in between is a conflict.
  const { version, since } = await readVersion(db, tenantId)
  const hasTenant = (await findTenant(db, tenantId)) !== null
  const all = await readExtensions(db, tenantId)
  const isCurrent = ({ definition }: Extension): boolean => fold(definition.id) === fold(urn)
  return {
    hasTenant,
    version,
    since,
    current: all.find(isCurrent) ?? null,
    others: all.filter((one) => !isCurrent(one)),
  }
}

function rejectionOf(
  { current, others, since }: State,
  { next, check }: ExtensionChange,
  { isNew, now }: { readonly isNew: boolean; readonly now: number },
): ChangeOutcome | null {
  if (isNew && current !== null)
    return conflict(`the schema ${current.definition.id} already exists`)
  if (!isNew && current === null) return { type: 'no-schema' }
  const reason = check(others)
  if (reason !== null) return conflict(reason)
  if (next !== null && current !== null && next.resourceType !== current.resourceType) {
    return conflict(OTHER_TYPE)
  }
  if (next === null || current?.required === next.required || !next.required) return null
  const isSettled = since !== null && Math.abs(now - since) >= MAX_WRITE_MS
  return isSettled ? null : conflict(NOT_SETTLED)
}

/** Keeps the URN as it was registered: stored resources have this letter case. */
function withStoredUrn(next: Extension, current: Extension | null): Extension {
  if (current === null) return next
  return { ...next, definition: { ...next.definition, id: current.definition.id } }
}

function conflict(reason: string): ChangeOutcome & { readonly type: 'conflict' } {
  return { type: 'conflict', reason }
}

function describe({ count, isMore, reason }: Holders, table: string): string {
  return `${table} that ${reason}: ${isMore ? 'more than ' : ''}${count}`
}

/** Longer (ms) than a write with its body takes, and the difference between the servers' clocks. */
const MAX_WRITE_MS = 2 * 60_000
const OTHER_TYPE = 'the resource type cannot be changed: delete the schema, and register it again'
const NOT_SETTLED =
  'an extension can be required only two minutes after the first extension of the tenant was registered'
