import { isFailure } from '@plumbline/result'
import { PATCH_OP_SCHEMA, version } from '@plumbline/scim'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Restored } from '../scim/scope.ts'
import type { StoredType } from '../scim/stored-type.ts'
import { isRandomTag } from '../scim/tags.ts'
import { lookUpSchemas } from '../scim/tenant-schemas.ts'
import { type Incoming, parseRow } from './parse-row.ts'
import { type Plan, planRows, type Target } from './plan.ts'
import type { ImportReport } from './report.ts'
import { resolveMembers, withManager } from './resolve.ts'
import { batchesOf, type Source, SourceError, type SourceRow } from './source.ts'
import { createWrite, type Write, type WriteRequest } from './write-requests.ts'

/** Options for `importResources`. */
export interface ImportOptions {
  readonly store: Store
  readonly tenantId: string
  /** Opens the source, given the tenant's types. */
  readonly open: (types: readonly StoredType[]) => Promise<Source>
  /** Whether rows are only checked; false by default. */
  readonly isDryRun?: boolean
  readonly report: ImportReport
  /** Called with the finished parts and the total. */
  readonly progress?: (done: number, of: number) => void
  readonly now: () => number
}

/**
 * Imports a source's rows into a tenant, sent like a client's requests in transactions with many rows. New resources
 * keep their ids where possible, their times and their versions, so after an import into an empty tenant, an export is
 * the same. After an interruption, run the import again: rows already written are found and not changed. Returns false
 * if the tenant does not exist.
 *
 * All rows are read three times: to find their resources, to write users and group names, and to add the members. So a
 * group may contain a later one.
 */
export async function importResources(options: ImportOptions): Promise<boolean> {
  const { store, tenantId, open, isDryRun = false, now } = options
  if (!(await store.read((db) => findTenant(db, tenantId)))) return false
  const schemas = await lookUpSchemas(tenantId, store, now())
  const { types } = schemas
  const source = await open(types)
  const write = isDryRun ? async () => null : createWrite({ store, tenantId, schemas, now })
  const passes = isDryRun ? 2 : 3
  const progressOf = (pass: number) => (bytes: number) =>
    options.progress?.(pass * source.size + bytes, passes * source.size)
  const plan = await planRows({ ...options, source, types, progress: progressOf(0) })
  const run = { ...options, source, types, plan, write }
  if (!isDryRun) await writeRows(run, requestOf, progressOf(1))
  await writeRows(run, membersRequestOf, progressOf(passes - 1))
  return true
}

/** An import in progress, with its plan. */
interface Run extends ImportOptions {
  readonly source: Source
  readonly types: readonly StoredType[]
  readonly plan: Plan
  readonly write: Write
}

/** A row and its resource in the tenant. */
interface PlannedRow extends Incoming, Omit<SourceRow, 'body' | 'error'> {
  readonly target: Target
}

/** Returns a row's request in one pass; null if this pass doesn't write the row. */
type RequestOf = (row: PlannedRow, run: Run) => Promise<WriteRequest | null>

/** Creates and changes users, and creates groups without members. */
const requestOf: RequestOf = async (row, { plan, now }) => {
  const { type, target, operations } = row
  const hasMembers = type.store.changeMembers !== undefined
  const { members: _, ...content } = withManager(row.content, plan)
  if (target.isNew) {
    const restored = { ...restoredOf(row, now()), version: await tagOf(row) }
    return { method: 'POST', path: type.endpoint, body: content, restored }
  }
  if (hasMembers) return null
  const path = `${type.endpoint}/${target.id}`
  if (operations === null) return { method: 'PUT', path, body: content }
  const body = { schemas: [PATCH_OP_SCHEMA], Operations: operations }
  return { method: 'PATCH', path, body }
}

/** Changes groups, and sets their members. */
const membersRequestOf: RequestOf = async (row, run) => {
  const { type, target, content, line } = row
  if (type.store.changeMembers === undefined) return null
  const { members, missing } = await resolveMembers(content, run.plan, run)
  if (missing.length > 0) run.report.leaveOut(line, missing)
  const body = { ...content, members }
  const restored = restoredOf(row, run.now())
  return { method: 'PUT', path: `${type.endpoint}/${target.id}`, body, restored }
}

/** Returns the identity for a row's resource. The source's clock may be ahead. */
function restoredOf({ target, meta }: PlannedRow, now: number): Restored {
  const at = meta.created ?? now
  const lastModified = Math.max(meta.lastModified ?? at, at)
  return { id: target.id, at, lastModified, revision: meta.revision }
}

/**
 * Returns the tag that a user keeps. In a file of an earlier version it is a digest, perhaps also of values never
 * returned: it is only kept if the row has everything it was computed from.
 */
async function tagOf({ content, sourceId, meta }: PlannedRow): Promise<string | undefined> {
  if (meta.version === undefined || isRandomTag(meta.version)) return meta.version
  const isOfRow = (await version({ id: sourceId, ...content })) === meta.version
  return isOfRow ? meta.version : undefined
}

async function writeRows(
  run: Run,
  request: RequestOf,
  progress: (bytes: number) => void,
): Promise<void> {
  for await (const batch of batchesOf(plannedRows(run))) {
    const writes: Written[] = []
    for (const row of batch) {
      const made = await request(row, run)
      if (made !== null) writes.push({ row, request: made })
    }
    await writeBatch(run, writes)
    progress(batch.at(-1)?.end ?? 0)
  }
  progress(run.source.size)
}

interface Written {
  readonly row: PlannedRow
  readonly request: WriteRequest
}

async function* plannedRows({ source, plan, types }: Run): AsyncGenerator<PlannedRow> {
  for await (const { body, error: _, ...row } of source.rows()) {
    const { line } = row
    const target = plan.targets.get(line)
    if (target === undefined) continue
    const parsed = parseRow(body, types)
    // The file has changed since the plan was made.
    if (isFailure(parsed))
      throw new SourceError(`line ${line} has changed: ${parsed.error.message}`)
    yield { ...parsed.data, ...row, target }
  }
}

/** Writes rows in one transaction; after a rejection, writes them again without the rejected row. */
async function writeBatch(run: Run, writes: readonly Written[]): Promise<void> {
  if (writes.length === 0) return
  const rejected = await run.write(writes.map(({ request }) => request))
  if (rejected === null) return
  const { at, reason } = rejected
  await writeBatch(run, writes.slice(0, at))
  const { row } = writes[at] ?? {}
  if (row !== undefined) rejectRow(run, row, reason)
  await writeBatch(run, writes.slice(at + 1))
}

function rejectRow({ plan, report }: Run, { line, target }: PlannedRow, reason: string): void {
  plan.targets.delete(line)
  plan.claims.delete(target.id)
  report.fail(line, target.isNew ? 'created' : 'existing', reason)
}
