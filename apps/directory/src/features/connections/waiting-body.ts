import type { Change } from '@plumbline/scim/endpoint'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import { type Cursor, positionIn, writeCursor } from '../../kernel/store/cursor.ts'
import type { Database } from '../../kernel/store/database.ts'
import { findMatches } from '../../kernel/store/find-matches.ts'
import { readFeed } from '../changes/feed.ts'
import { listWaiting, type WaitingChange, type WaitingPage } from './waiting-changes.ts'

/** A requested page. It starts after a change, or with the first one. */
export interface PageOptions extends Omit<WaitingPage, 'after'> {
  readonly after: Cursor | null
}

/**
 * Reads waiting changes in their API form, with the names of the resources that they concern. Null if the page starts
 * after a change of another epoch.
 */
export async function waitingBody(db: Database, tenantId: string, page: PageOptions) {
  const feed = await readFeed(db, tenantId)
  const after = page.after === null ? 0 : positionIn(feed, page.after)
  if (after === null) return null
  const rows = await listWaiting(db, tenantId, { ...page, after, count: page.count + 1 })
  const shown = rows.slice(0, page.count).map(parse)
  const last = rows.length > page.count ? shown.at(-1) : undefined
  const ids = shown.flatMap(({ change }) => [change.id, ...firstMembers(change)])
  const names = await findNames(db, tenantId, ids)
  // The members that were deleted meanwhile, as far as they are on the same page.
  for (const { row, change } of shown) if (row.name !== null) names.set(change.id, row.name)
  return {
    changes: shown.map((one) => ({
      cursor: writeCursor(feed, one.row.position),
      ...changeBody(one, names),
    })),
    ...(last && { nextAfter: writeCursor(feed, last.row.position) }),
  }
}

interface Parsed {
  readonly row: WaitingChange
  readonly change: Change
}

function parse(row: WaitingChange): Parsed {
  return { row, change: JSON.parse(row.change) }
}

function changeBody({ row, change }: Parsed, names: ReadonlyMap<string, string>) {
  const named = (id: string) => ({ id, name: names.get(id) ?? null })
  const membersOf = (ids: readonly string[]) => ({
    count: ids.length,
    first: ids.slice(0, MAX_SHOWN_MEMBERS).map(named),
  })
  const { type, resourceType, id, requestId, time } = change
  return {
    type,
    resourceType,
    id,
    requestId,
    time,
    name: row.name ?? names.get(id) ?? null,
    takesAccess: row.risk_at !== null,
    ...('attributes' in change && { attributes: [...change.attributes] }),
    ...('added' in change && {
      added: membersOf(change.added),
      removed: membersOf(change.removed),
    }),
  }
}

function firstMembers(change: Change): readonly string[] {
  if (!('added' in change)) return []
  return [change.added, change.removed].flatMap((ids) => ids.slice(0, MAX_SHOWN_MEMBERS))
}

/** Finds resource names in lower case, keyed by id, for resources of any type. A deleted resource is not found. */
async function findNames(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { table, naming } of RESOURCE_TYPES) {
    const keys = { ids, externalIds: [], names: [] }
    const where = { table, nameColumn: naming.column }
    for (const { id, name } of await findMatches(db, tenantId, where, keys)) names.set(id, name)
  }
  return names
}

/** How many of a group's new members, and of the old ones, are listed for one change. */
export const MAX_SHOWN_MEMBERS = 20
