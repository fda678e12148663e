import type { NamedColumn } from '../../predicate/columns.ts'
import type { Field, StoreMap } from './fields.ts'
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
}

/** The columns of a table by name, or those of all tables. */
export function ownersOf(
  { map, options }: Tables,
  table: string | undefined,
): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  const add = (column: string | null | undefined, owner: Owner): void => {
    if (column && !owners.has(column)) owners.set(column, owner)
  }
  if (isTable(options.table, table)) {
    for (const { column, path, node, codec } of map.fields) {
      const isReadOnly = [node, node.parent].some((one) => one?.mutability === 'readOnly')
      add(column, isReadOnly ? PROGRAM : { by: 'client', attribute: path, codec })
    }
    add(map.document?.column, CLIENT)
    const { tenant, version, where = {} } = options
    for (const column of [map.id.name, tenant?.column, version, ...Object.keys(where)]) {
      add(column, PROGRAM)
    }
  }
  for (const { node, table: own, columns, key, tenantColumn, order } of map.values) {
    if (!isTable(own.table, table)) continue
    for (const column of [key, tenantColumn, order?.column]) add(column, PROGRAM)
    for (const [part, column] of columns) {
      const attribute = node.type === 'complex' ? `${node.name}.${part}` : node.name
      add(column.name, { by: 'client', attribute, codec: column satisfies NamedColumn })
    }
  }
  return owners
}

/** Returns the attribute with a table of its own, by the table or by the name of its constraint; null for others. */
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
