import type { ResourceStore } from '../../endpoint/options/store.ts'
import { placesOf } from './elements.ts'
import type { StoreMap } from './fields.ts'

type Described = Pick<ResourceStore, 'sharedColumns' | 'ignoredAttributes' | 'places'>

/** Lists places of elements, attributes with a shared column and ignored attributes, for callers of the store. */
export function describeColumns(map: Pick<StoreMap, 'fields' | 'document'>): Described {
  const { fields, document } = map
  const byColumn = new Map<string, string[]>()
  for (const { column, path } of fields) {
    byColumn.set(column, [...(byColumn.get(column) ?? []), path])
  }
  const sharedColumns = [...byColumn.values()].filter((paths) => paths.length > 1)
  const places = placesOf(map).map(({ node, types }) => {
    const { container } = node.schema
    return [container === null ? node.name : `${container}:${node.name}`, types] as const
  })
  return {
    ...(places.length > 0 && { places: Object.fromEntries(places) }),
    ...(sharedColumns.length > 0 && { sharedColumns }),
    ...(document === null &&
      !fields.some(({ path }) => path === 'externalId') && { ignoredAttributes: ['externalId'] }),
  }
}
