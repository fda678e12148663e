import type { ResourceStore } from '../../endpoint/store.ts'
import type { StoreMap } from './fields.ts'

type Described = Pick<ResourceStore, 'sharedColumns' | 'ignoredAttributes'>

/**
 * Lists attributes with a shared column and ignored attributes, for callers comparing a resource with the one they
 * sent.
 */
export function describeColumns({
  fields,
  document,
}: Pick<StoreMap, 'fields' | 'document'>): Described {
  const byColumn = new Map<string, string[]>()
  for (const { column, path } of fields) {
    byColumn.set(column, [...(byColumn.get(column) ?? []), path])
  }
  const sharedColumns = [...byColumn.values()].filter((paths) => paths.length > 1)
  return {
    ...(sharedColumns.length > 0 && { sharedColumns }),
    ...(document === null &&
      !fields.some(({ path }) => path === 'externalId') && { ignoredAttributes: ['externalId'] }),
  }
}
