import type { Field, StoreMap, Values } from './fields.ts'
import type { SqlStoreOptions } from './types.ts'

/** A store's tables and their columns. */
export interface Tables {
  readonly map: StoreMap
  readonly options: Pick<SqlStoreOptions<never>, 'table' | 'tenant' | 'where' | 'version'> & {
    readonly hooks?: { readonly write?: unknown } | undefined
  }
}

/** Whose values are in a column: a client's, or the program's, such as an id, a tenant or a constant. */
export interface Owner {
  readonly by: 'client' | 'hook' | 'program'
  /** The attribute; null for several, or for none. */
  readonly attribute: string | null
  readonly codec: Field['codec'] | null
  /** The column whose entry in the map is the type of this column's keys; undefined for a column without keys. */
  readonly key?: { readonly table: string; readonly column: string }
}

/** The columns of a table, or those of all tables, keyed by name. */
export function ownersOf(
  { map, options }: Tables,
  table: string | undefined,
): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  const add = (column: string | null | undefined, owner: Owner): void => {
    if (column && !owners.has(column)) owners.set(column, owner)
  }
  const id: Owner = {
    by: 'program',
    attribute: null,
    codec: map.id,
    key: { table: options.table, column: map.id.name },
  }
  const addTarget = ({ table: { target, table: own }, columns }: Values): void => {
    const column = columns.get('value')?.name
    if (target === undefined || column === undefined || !isTable(target.table, table)) return
    add(target.id, { ...PROGRAM, key: { table: own, column } })
  }
  // A table that refers to itself: the key of the table's rows is typed, and that of the references is not.
  for (const values of map.values) {
    if (isUntyped(map, values)) addTarget(values)
  }
  if (isTable(options.table, table)) {
    for (const { column, path, node, codec } of map.fields) {
      const isReadOnly = [node, node.parent].some((one) => one?.mutability === 'readOnly')
      add(column, { by: isReadOnly ? 'program' : 'client', attribute: path, codec })
    }
    add(map.document?.column, CLIENT)
    const { tenant, version, where = {} } = options
    add(map.id.name, id)
    for (const column of [tenant?.column, version, ...Object.keys(where)]) add(column, PROGRAM)
  }
  for (const values of map.values) {
    const { table: own, key, tenantColumn, order } = values
    if (isTable(own.table, table)) {
      add(key, id)
      for (const column of [tenantColumn, order?.column]) add(column, PROGRAM)
      for (const [column, owner] of partsOf(values)) add(column, owner)
    }
    addTarget(values)
  }
  return owners
}

function isUntyped({ id }: StoreMap, { columns }: Values): boolean {
  return id.kind === 'key' && columns.get('value')?.kind !== 'key'
}

/** The columns with the parts of values, such as a member's id. */
function partsOf({
  node,
  table,
  columns,
}: Values): readonly (readonly [column: string, owner: Owner])[] {
  return [...columns].map(([part, codec]) => {
    const attribute = node.type === 'complex' ? `${node.name}.${part}` : node.name
    const isKey = part === 'value' && table.target !== undefined
    const owner: Owner = { by: 'client', attribute, codec }
    return [
      codec.name,
      isKey ? { ...owner, key: { table: table.table, column: codec.name } } : owner,
    ]
  })
}

/** Returns the attribute with a table of its own, found by the table or by the constraint's name; null for others. */
export function attributeOf(
  { map }: Tables,
  table: string | undefined,
  constraint: string,
): string | null {
  const found = map.values.find(({ table: { table: own } }) =>
    table === undefined ? constraint.includes(own) : isTable(own, table),
  )
  return found?.node.name ?? null
}

/** Whether a name is that of a table. An error may lack the schema, or name a shard such as `users_102008`. */
export function isTable(name: string, table: string | undefined): boolean {
  if (table === undefined) return true
  const [own, other] = [lastName(name), lastName(table)]
  return own === other || own === other.replace(/_\d{6,}$/, '')
}

/** The name after the schema's. */
export function lastName(name: string): string {
  return name.replace(/^.*\./s, '')
}

const PROGRAM: Owner = { by: 'program', attribute: null, codec: null }
const CLIENT: Owner = { by: 'client', attribute: null, codec: null }
