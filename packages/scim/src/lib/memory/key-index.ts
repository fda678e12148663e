import type { WireResource } from '../endpoint/options/store.ts'
import type { Expression } from '../filter/tree.ts'
import { isJsonObject, own } from '../json.ts'
import { type AttributeNode, attributeIndex, resolveAttribute } from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'

/** Finds resources by unique attribute or `externalId`. */
export interface KeyIndex {
  /** Replaces a resource's keys. */
  set(id: string, resource: WireResource): void
  /** Returns the first unique attribute whose value another resource has; null if all are free. */
  findTaken(id: string, resource: WireResource): string | null
  /** Returns the ids of resources that may match a filter; null if it does not compare an indexed attribute. */
  find(filter: Expression): Iterable<string> | null
}

/** Creates an empty index from the definitions. */
export function createKeyIndex(definitions: Definitions): KeyIndex {
  const attributes = indexedAttributes(definitions)
  const ids = new Map<string, Set<string>>()
  const keysOf = new Map<string, readonly string[]>()
  const keysFor = (resource: WireResource, onlyUnique: boolean): Map<string, string> => {
    const keys = new Map<string, string>()
    for (const { node, isUnique } of attributes.values()) {
      if (onlyUnique && !isUnique) continue
      for (const value of valuesOf(resource, node)) keys.set(keyOf(node, value), node.name)
    }
    return keys
  }
  const find = (filter: Expression): Iterable<string> | null => {
    if (filter.type === 'logical') {
      const found = filter.operands.map(find)
      if (filter.operator === 'and') return found.find((one) => one !== null) ?? null
      const all = found.flatMap((one) => (one === null ? [] : [one]))
      return all.length < found.length ? null : new Set(all.flatMap((one) => [...one]))
    }
    if (filter.type !== 'compare' || filter.operator !== 'eq') return null
    const { path, value } = filter
    if (typeof value !== 'string') return null
    const node = resolveAttribute(attributeIndex(definitions), path)
    if (node?.name === 'id' && node.parent === null) return [value]
    if (node === null || !attributes.has(node)) return null
    return ids.get(keyOf(node, value)) ?? []
  }
  return {
    set: (id, resource) => {
      for (const key of keysOf.get(id) ?? []) {
        const holders = ids.get(key)
        holders?.delete(id)
        if (holders?.size === 0) ids.delete(key)
      }
      const keys = [...keysFor(resource, false).keys()]
      for (const key of keys) ids.set(key, (ids.get(key) ?? new Set()).add(id))
      if (keys.length > 0) keysOf.set(id, keys)
      else keysOf.delete(id)
    },
    findTaken: (id, resource) => {
      for (const [key, name] of keysFor(resource, true)) {
        const holders = ids.get(key)
        if (holders !== undefined && !holders.has(id)) return name
      }
      return null
    },
    find,
  }
}

interface Indexed {
  readonly node: AttributeNode
  readonly isUnique: boolean
}

function indexedAttributes(definitions: Definitions): ReadonlyMap<AttributeNode, Indexed> {
  const { schemas, core } = attributeIndex(definitions)
  const externalId = core.attributes.get('externalid')
  const nodes = [...schemas.values()].flatMap(({ attributes }) =>
    [...attributes.values()].flatMap((node) => [node, ...node.subAttributes.values()]),
  )
  const indexed = nodes
    .map((node) => ({ node, isUnique: node.uniqueness !== 'none' }))
    .filter(({ node, isUnique }) => isUnique || node === externalId)
  return new Map(indexed.map((one) => [one.node, one]))
}

function valuesOf(resource: WireResource, node: AttributeNode): readonly unknown[] {
  const holders =
    node.parent === null
      ? [node.schema.container === null ? resource : own(resource, node.schema.container)]
      : valuesOf(resource, node.parent)
  return holders.flatMap((holder) => (isJsonObject(holder) ? (own(holder, node.name) ?? []) : []))
}

/** Two values share a key if `eq` finds them equal. */
function keyOf({ name, parent, schema, caseExact }: AttributeNode, value: unknown): string {
  const compared = typeof value === 'string' && !caseExact ? fold(value) : value
  return JSON.stringify([schema.id, parent?.name, name, compared])
}
