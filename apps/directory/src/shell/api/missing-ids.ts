import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import type { Database } from '../../kernel/store/database.ts'
import { findMatches } from '../../kernel/store/find-matches.ts'

/**
 * Returns the problem `invalid` if a tenant's resources do not exist: one issue for each id without a resource. Null if
 * all exist. A setting with a mistyped id would be ignored, and nothing would say so.
 *
 * @param pointers the ids, keyed by their JSON Pointers in the body
 */
export async function findMissing(
  db: Database,
  tenantId: string,
  type: 'User' | 'Group',
  pointers: ReadonlyMap<string, string>,
) {
  const found = RESOURCE_TYPES.find(({ name }) => name === type)
  if (pointers.size === 0 || found === undefined) return null
  const { table, naming } = found
  const keys = { ids: [...pointers.values()], externalIds: [], names: [] }
  const matches = await findMatches(db, tenantId, { table, nameColumn: naming.column }, keys)
  const ids = new Set(matches.map(({ id }) => id))
  const issues = [...pointers].flatMap(([pointer, id]) =>
    ids.has(id)
      ? []
      : [
          {
            location: 'body' as const,
            pointer,
            detail: `is not the id of a ${type.toLowerCase()}`,
          },
        ],
  )
  return issues.length === 0 ? null : { extensions: { issues } }
}

/** Returns the pointer to the user of a token or an OAuth client. */
export function pointersTo(userId: string | null): ReadonlyMap<string, string> {
  return new Map(userId === null ? [] : [['/userId', userId]])
}
