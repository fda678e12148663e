import { findNode } from '../../filter/find-attributes.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
} from '../../schema/attribute-index.ts'
import { pickAttributes } from '../../schema/pick.ts'
import type { Attribute, Definitions, SchemaDefinition } from '../../schema/types.ts'
import { fold } from '../../values/fold.ts'
import { isDocumented } from './document.ts'
import type { MapOptions, StoreMap } from './fields.ts'
import type { ValueTable } from './types.ts'

/**
 * Narrows the definitions to the attributes a map stores. Throws a TypeError if the map omits an attribute the core
 * schema requires.
 */
export function narrowDefinitions(
  { definitions, computed = [], document }: MapOptions,
  { fields, values }: Pick<StoreMap, 'fields' | 'values'>,
): Definitions {
  const index = attributeIndex(definitions)
  const names = new Map<string, Set<string>>()
  const add = ({ schema, parent, name }: AttributeNode): void => {
    const known = names.get(schema.id) ?? new Set()
    names.set(schema.id, known.add(parent === null ? name : `${parent.name}.${name}`))
  }
  for (const { node, element } of fields) {
    add(node)
    const type = element === null ? undefined : node.parent?.subAttributes.get('type')
    if (type !== undefined) add(type)
  }
  for (const { node, columns, table } of values) {
    const parts = [...columns.keys(), ...targetParts(table)]
    for (const part of parts) add(node.subAttributes.get(fold(part)) ?? node)
  }
  for (const path of computed) {
    const node = findNode(path, index)
    if (node?.kind !== 'attribute') throw new TypeError(`the definitions do not contain ${path}`)
    add(node)
  }
  for (const definition of document === undefined ? [] : Object.values(definitions)) {
    addDocumented(definition, index, { fields, add })
  }
  // A document also stores elements with other types.
  const placed = document === undefined ? fields : []
  const narrowed = Object.entries(definitions).flatMap(([urn, definition], at) => {
    const defined = new Set(definition.attributes.map(({ name }) => name))
    const own = [...(names.get(definition.id) ?? [])].filter((name) =>
      defined.has(name.split('.')[0] ?? ''),
    )
    for (const { name, required } of at === 0 ? definition.attributes : []) {
      if (required !== true || own.some((one) => one === name || one.startsWith(`${name}.`)))
        continue
      throw new TypeError(`${definition.name} requires ${name}, which is not in the map`)
    }
    if (at > 0 && own.length === 0) return []
    const picked = pickAttributes(definition, own)
    return [
      [
        urn,
        {
          ...picked,
          attributes: picked.attributes.map((one) => narrowParts(one, { fields: placed, values })),
        },
      ] as const,
    ]
  })
  return Object.fromEntries(narrowed)
}

/**
 * Adds the attributes a document may contain. A unique one requires a column, because only columns can be searched
 * before a write.
 */
function addDocumented(
  { id, name, attributes }: SchemaDefinition,
  index: AttributeIndex,
  { fields, add }: { readonly fields: StoreMap['fields']; add(node: AttributeNode): void },
): void {
  const schema = index.schemas.get(fold(id))
  for (const attribute of attributes) {
    const node = schema?.attributes.get(fold(attribute.name))
    if (node === undefined || !isDocumented(node)) continue
    if (node.uniqueness !== 'none' && !fields.some((field) => field.node === node)) {
      throw new TypeError(`${name}: ${attribute.name} is unique, so it requires a column`)
    }
    add(node)
  }
}

/** Returns the sub-attributes read from the target table. */
function targetParts({ target }: ValueTable): readonly string[] {
  const shown = target?.display === undefined ? [] : ['display']
  return target?.type === undefined ? shown : [...shown, 'type', '$ref']
}

/** Limits `type` to the types with a column, and makes sub-attributes from the target table read-only. */
function narrowParts(
  attribute: Attribute,
  { fields, values }: Pick<StoreMap, 'fields' | 'values'>,
): Attribute {
  const types = fields.flatMap(({ node, element }) =>
    node.parent?.name === attribute.name && element !== null ? [element] : [],
  )
  const table = values.find(({ node }) => node.name === attribute.name)?.table
  const type = table?.target?.type
  const read = table === undefined ? [] : targetParts(table)
  const subAttributes = attribute.subAttributes?.map((part): Attribute => {
    if (part.name === 'type' && types.length > 0) {
      return { ...part, canonicalValues: [...new Set(types)] }
    }
    if (!read.includes(part.name)) return part
    const referenceTypes = part.name === '$ref' && type !== undefined ? [type] : part.referenceTypes
    return { ...part, mutability: 'readOnly', referenceTypes }
  })
  return { ...attribute, subAttributes }
}
