import { LAYOUT } from '../../src/features/tenants/tables.ts'
import { RESOURCE_TYPES, TYPE_NAMES } from '../../src/kernel/resources/resource-types.ts'

/** The resource types after users and groups. */
export const OTHER_TYPES: typeof RESOURCE_TYPES = RESOURCE_TYPES.slice(2)

/** The tables of all resource types, each followed by those with parts of its resources. */
export const RESOURCE_TABLES: readonly string[] = RESOURCE_TYPES.flatMap(
  ({ table, partTables = [] }) => [table, ...partTables.map(({ name }) => name)],
)

/** The foreign keys of tables with parts, under the names that PostgreSQL gives them. */
export const PART_KEYS: readonly string[] = LAYOUT.parts.map(
  ({ table, column }) => `${table}_tenant_id_${column}_fkey`,
)

/** Counts of all resource types: `none` of each, except for the given ones. */
export function typeCounts<Value>(
  none: Value,
  some: Readonly<Record<string, Value>> = {},
): Readonly<Record<string, Value>> {
  return { ...Object.fromEntries(TYPE_NAMES.map((name) => [name, none])), ...some }
}
