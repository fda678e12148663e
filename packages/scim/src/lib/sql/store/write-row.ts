import { kindOf } from '@plumbline/base'
import type { WireResource } from '../../endpoint/options/store.ts'
import { badRequest, invalidValue } from '../../error.ts'
import { isJsonObject, own } from '../../json.ts'
import { withoutPlace } from '../../schema/places.ts'
import { fold } from '../../values/fold.ts'
import { areSameValues } from '../../values/same.ts'
import type { SqlValue } from '../fragment.ts'
import type { DialectRules } from '../rules.ts'
import { encodeField } from './codec.ts'
import { documentOf } from './document.ts'
import { placesOf } from './elements.ts'
import type { Field, StoreMap } from './fields.ts'
import { valueAt } from './rows.ts'
import type { Session } from './session.ts'

/**
 * Encodes a resource for its columns. Throws `400 invalidValue` for a value they cannot store.
 *
 * @param current the resource before the change; null for a new one
 */
export async function columnValues(
  session: Session,
  resource: WireResource,
  current: WireResource | null,
): Promise<Map<string, SqlValue>> {
  const { map, rules, hooks } = session
  const values = new Map<string, SqlValue>()
  for (const [column, fields] of fieldsByColumn(map)) {
    const field = chooseField(fields, resource, current)
    // A client that cannot read a value, such as a password, does not clear it by omitting it.
    if (field === null && fields.every(({ node }) => node.returned === 'never')) continue
    const preset = presetOf(fields, current === null ? 'initial' : 'default')
    const encoded = await encodeChosen(field, preset, resource, rules)
    // A new row may get the database's default.
    if (encoded === null && current === null) continue
    values.set(column, encoded)
  }
  if (map.document !== null) {
    values.set(map.document.column, documentOf(map, map.document.nodes, resource))
  }
  const written: unknown = hooks.write?.(resource) ?? {}
  if (!isJsonObject(written) || written instanceof Promise) {
    throw new TypeError(`hooks.write must return an object of columns, not ${kindOf(written)}`)
  }
  for (const [column, value] of Object.entries(written)) values.set(column, value as SqlValue)
  return values
}

/** Encodes the chosen attribute's value, or the preset's. */
async function encodeChosen(
  field: Field | null,
  preset: Preset | null,
  resource: WireResource,
  rules: DialectRules,
): Promise<SqlValue> {
  if (field !== null) return await encodeField(field, valueAt(resource, field), rules)
  return preset === null ? null : await encodeField(preset.field, preset.value, rules)
}

/** Returns whether a resource's columns change, ignoring what clients cannot write. */
export function isChanged(map: StoreMap, resource: WireResource, current: WireResource): boolean {
  const { document } = map
  const contentOf = (one: WireResource): string =>
    document === null ? '' : documentOf(map, document.nodes, one)
  if (contentOf(resource) !== contentOf(current)) return true
  return [...fieldsByColumn(map).values()].some((fields) => {
    if (fields.every(({ node }) => node.returned === 'never')) {
      return fields.some((field) => valueAt(resource, field) !== undefined)
    }
    const after = storedValue(chooseField(fields, resource, current), fields, resource)
    return !areSameValues(
      null,
      after,
      storedValue(chooseField(fields, current, null), fields, current),
    )
  })
}

function storedValue(
  field: Field | null,
  fields: readonly Field[],
  resource: WireResource,
): unknown {
  return field === null ? presetOf(fields, 'default')?.value : valueAt(resource, field)
}

/** The value of a column whose attributes are unassigned, and the attribute that encodes it. */
interface Preset {
  readonly field: Field
  readonly value: unknown
}

function presetOf(fields: readonly Field[], kind: 'default' | 'initial'): Preset | null {
  const field = fields.find((one) => one[kind] !== undefined)
  return field === undefined ? null : { field, value: field[kind] }
}

function fieldsByColumn({ fields }: StoreMap): ReadonlyMap<string, readonly Field[]> {
  const byColumn = new Map<string, Field[]>()
  for (const field of fields) {
    if (isWritable(field))
      byColumn.set(field.column, [...(byColumn.get(field.column) ?? []), field])
  }
  return byColumn
}

function isWritable({ node }: Field): boolean {
  return node.mutability !== 'readOnly' && node.parent?.mutability !== 'readOnly'
}

/**
 * Chooses the attribute to store in a column; null if all are unassigned. If several attributes share the column, the
 * changed one is stored.
 */
function chooseField(
  fields: readonly Field[],
  resource: WireResource,
  current: WireResource | null,
): Field | null {
  const assigned = fields.filter((field) => valueAt(resource, field) !== undefined)
  const [first] = assigned
  if (first === undefined) return null
  const changed = assigned.filter(
    (field) =>
      current !== null && !areSameValues(null, valueAt(current, field), valueAt(resource, field)),
  )
  const competing = changed.length > 0 ? changed : assigned
  const [chosen = first, ...others] = competing
  const other = others.find(
    (field) => foldValue(valueAt(resource, field)) !== foldValue(valueAt(resource, chosen)),
  )
  if (other === undefined) return chosen
  throw badRequest(
    'invalidValue',
    `${chosen.path} and ${other.path} are stored in one column, so they must be equal`,
  )
}

function foldValue(value: unknown): string {
  return fold(JSON.stringify([value]))
}

/** Throws `400 invalidValue` for an element that none of the attribute's columns can store. */
export function requireStorable(map: StoreMap, resource: WireResource): void {
  for (const { node, types } of placesOf(map)) {
    const { container } = node.schema
    const holder = container === null ? resource : own(resource, container)
    const [at] = withoutPlace(own(Object(holder), node.name), types)
    if (at === undefined) continue
    const storable = types.map((one) => JSON.stringify(one)).join(' and ')
    throw invalidValue(
      `${node.name}[${at}]`,
      `cannot be stored: there is a place for one value of type ${storable}`,
    )
  }
}
