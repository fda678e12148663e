import { findNode } from '../../filter/find-attributes.ts'
import { type AttributeNode, attributeIndex } from '../../schema/attribute-index.ts'
import { pickAttributes } from '../../schema/pick.ts'
import type { Definitions } from '../../schema/types.ts'
import type { MapOptions, StoreMap } from './fields.ts'

/**
 * The definitions of the attributes that a map stores. Throws a TypeError if it omits an attribute that the core
 * schema requires.
 */
export function narrowDefinitions(
  { definitions, computed = [] }: MapOptions,
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
    const parts = [...columns.keys(), ...(table.target?.display === undefined ? [] : ['display'])]
    for (const part of parts) add(node.subAttributes.get(part.toLowerCase()) ?? node)
  }
  for (const path of computed) {
    const node = findNode(path, index)
    if (node?.kind !== 'attribute') throw new TypeError(`the definitions do not contain ${path}`)
    add(node)
  }
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
    return at > 0 && own.length === 0 ? [] : [[urn, pickAttributes(definition, own)] as const]
  })
  return Object.fromEntries(narrowed)
}
