import type { Field, StoreMap } from './fields.ts'
import type { SqlStoreOptions } from './types.ts'

/** Returns the names of the columns needed to read a resource. */
export function readNames(
  map: StoreMap,
  options: Pick<SqlStoreOptions<never>, 'version' | 'select'>,
): readonly string[] {
  const names = new Set([
    map.id.name,
    ...map.fields.filter(isReturned).map(({ column }) => column),
    ...(options.version === undefined ? [] : [options.version]),
    ...(map.document === null ? [] : [map.document.column]),
    ...(options.select ?? []),
  ])
  return [...names]
}

/** Whether a read returns a column's attribute; a password is never returned. */
export function isReturned({ node }: Field): boolean {
  return node.returned !== 'never'
}
