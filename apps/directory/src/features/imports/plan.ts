import { isFailure } from '@plumbline/result'
import { createId } from '../../kernel/ids.ts'
import { findMatches, type Match } from '../../kernel/store/find-matches.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { StoredType } from '../scim/stored-type.ts'
import { type Incoming, parseRow } from './parse-row.ts'
import type { ImportReport } from './report.ts'
import { batchesOf, type Source, type SourceRow } from './source.ts'

/** The resource a row created or changed. */
export interface Target {
  readonly id: string
  readonly isNew: boolean
}

/** The resources an import created and changed. */
export interface Plan {
  /** Each accepted row's target, keyed by line. */
  readonly targets: Map<number, Target>
  /** New ids, keyed by type and source id, such as `User/7`. */
  readonly ids: Map<string, string>
  /** Target lines, keyed by id. */
  readonly claims: Map<string, number>
  /** Lines with unique names, keyed by type and name. */
  readonly names: Map<string, number>
}

/** Options for `planRows`. */
export interface PlanOptions {
  readonly source: Source
  readonly store: Store
  readonly tenantId: string
  readonly types: readonly StoredType[]
  readonly now: () => number
  readonly report: ImportReport
  /** Called with the number of bytes read. */
  readonly progress: (bytes: number) => void
}

/**
 * Reads all rows and finds their resources: by the same id, then the same externalId, then the same userName, or a
 * group's displayName. Without a match, the resource is new. Each resource belongs to one row.
 */
export async function planRows(options: PlanOptions): Promise<Plan> {
  const { source, types, report, progress } = options
  const plan: Plan = { targets: new Map(), ids: new Map(), claims: new Map(), names: new Map() }
  for await (const batch of batchesOf(source.rows(), { most: 500 })) {
    const incoming = batch.flatMap((row) => accepted(row, types, report))
    for (const type of types) {
      await planType(
        options,
        plan,
        type,
        incoming.filter((one) => one.type === type),
      )
    }
    progress(batch.at(-1)?.end ?? 0)
  }
  return plan
}

/** A row's resource and line. */
export interface IncomingRow extends Incoming {
  readonly line: number
}

function accepted(
  { line, body, error }: SourceRow,
  types: readonly StoredType[],
  report: ImportReport,
): readonly IncomingRow[] {
  if (error !== null) {
    report.reject(line, error)
    return []
  }
  const parsed = parseRow(body, types)
  if (isFailure(parsed)) {
    report.reject(line, parsed.error.message)
    return []
  }
  report.ignore(parsed.data.unknown)
  return [{ ...parsed.data, line }]
}

async function planType(
  { store, tenantId, types, now, report }: PlanOptions,
  plan: Plan,
  type: StoredType,
  rows: readonly IncomingRow[],
): Promise<void> {
  const ids = rows.flatMap(({ sourceId }) => sourceId ?? [])
  const keys = {
    ids,
    externalIds: rows.flatMap(({ externalId }) => externalId ?? []),
    names: rows.map(({ name }) => name),
  }
  const { found, others } = await store.read(
    async (db) => {
      const find = ({ table, naming: { column } }: StoredType, wanted: typeof keys) =>
        findMatches(db, tenantId, { table, nameColumn: column }, wanted)
      const others: Match[] = []
      for (const other of types.filter((one) => one !== type)) {
        others.push(...(await find(other, { ids, externalIds: [], names: [] })))
      }
      return { found: await find(type, keys), others }
    },
    { tenantId },
  )
  const known = indexMatches(found)
  const taken = new Set(others.map(({ id }) => id))
  for (const row of rows) {
    const target = targetOf(row, plan, known)
    if (typeof target === 'string') {
      report.reject(row.line, target)
      continue
    }
    const id = target?.id ?? newId(row, plan, taken, now())
    plan.claims.set(id, row.line)
    plan.targets.set(row.line, { id, isNew: target === null })
    if (row.sourceId !== null) plan.ids.set(`${type.name}/${row.sourceId}`, id)
    if (type.naming.isUnique) plan.names.set(nameKey(row), row.line)
    report.count(target === null ? 'created' : 'existing')
  }
}

/** Finds a row's existing resource; null for a new one, or why the row is rejected. */
function targetOf(row: IncomingRow, plan: Plan, known: Known): Match | null | string {
  const { sourceId, externalId, name, type } = row
  const { attribute, isUnique } = type.naming
  const isFree = ({ id }: Match) => !plan.claims.has(id)
  const earlier = sourceId === null ? undefined : plan.ids.get(`${type.name}/${sourceId}`)
  if (earlier !== undefined) return `line ${plan.claims.get(earlier)} has the same id`
  const namesake = plan.names.get(nameKey(row))
  if (isUnique && namesake !== undefined) return `line ${namesake} has the same ${attribute}`
  const named = (known.byName.get(name) ?? []).filter(
    // Two groups may share a name if their externalIds differ.
    (one) => isFree(one) && (isUnique || !isOther(one.externalId, externalId)),
  )
  const match =
    (sourceId === null ? undefined : known.byId.get(sourceId)) ??
    (externalId === null ? undefined : known.byExternalId.get(externalId)?.find(isFree)) ??
    named[0] ??
    null
  const holder = named.find(({ id }) => id !== match?.id)
  if (isUnique && holder !== undefined) return `${attribute} belongs to the user ${holder.id}`
  return match !== null && !isFree(match)
    ? `line ${plan.claims.get(match.id)} is the same ${type.name.toLowerCase()}`
    : match
}

/** Whether both resources have an externalId, and not the same. */
function isOther(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other
}

/** Returns the source id if this directory could have created it and it is free; otherwise a new one. */
function newId(
  { sourceId }: IncomingRow,
  { claims }: Plan,
  taken: ReadonlySet<string>,
  now: number,
): string {
  const isKept =
    sourceId !== null && UUID.test(sourceId) && !claims.has(sourceId) && !taken.has(sourceId)
  return isKept ? sourceId : createId(now)
}

function nameKey({ type, name }: Pick<IncomingRow, 'type' | 'name'>): string {
  return `${type.name}/${name}`
}

/** Existing resources, by key. */
interface Known {
  readonly byId: ReadonlyMap<string, Match>
  readonly byExternalId: ReadonlyMap<string, readonly Match[]>
  readonly byName: ReadonlyMap<string, readonly Match[]>
}

function indexMatches(found: readonly Match[]): Known {
  return {
    byId: new Map(found.map((match) => [match.id, match])),
    byExternalId: groupBy(found, ({ externalId }) => externalId),
    byName: groupBy(found, ({ name }) => name),
  }
}

function groupBy(
  found: readonly Match[],
  keyOf: (match: Match) => string | null,
): ReadonlyMap<string, readonly Match[]> {
  const groups = new Map<string, Match[]>()
  for (const match of found) {
    const key = keyOf(match)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [match])
    else group.push(match)
  }
  return groups
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
