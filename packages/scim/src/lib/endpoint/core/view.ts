import { findAttributes, findNode, searchedAttributes } from '../../filter/find-attributes.ts'
import type { ListQuery } from '../../model.ts'
import type { AttributeIndex, AttributeNode } from '../../schema/attribute-index.ts'
import { fold } from '../../values/fold.ts'
import type { View } from '../options/store.ts'

/** A view that records whether a store may have omitted attributes. */
export interface TrackedView extends View {
  /** Whether `needs` has returned false. */
  hasOmitted(): boolean
}

/** The query parts that need attributes. */
export type Viewed = Pick<ListQuery, 'attributes' | 'excludedAttributes' | 'filter' | 'sortBy'>

/** Creates the view for a client's query. */
export function createView(query: Viewed, index: AttributeIndex): TrackedView {
  const { attributes, excludedAttributes } = query
  let compiled: ((path: string) => boolean) | null = null
  return track({ attributes, excludedAttributes }, (path) => {
    compiled ??= compileNeeds(query, index)
    return compiled(path)
  })
}

/** The view for a write that needs the whole resource. */
export function wholeView(): TrackedView {
  return track({}, () => true)
}

/** The view for a write that changes group members without loading them. */
export function viewWithoutMembers(): TrackedView {
  return track({ excludedAttributes: ['members'] }, (path) => !MEMBERS.test(path))
}

/** The view for a write that needs only the resource's version. */
export function versionView(): TrackedView {
  return track({ attributes: ['meta'] }, (path) => fold(path) === 'id' || /^meta\b/i.test(path))
}

function track(
  named: Pick<View, 'attributes' | 'excludedAttributes'>,
  needs: (path: string) => boolean,
): TrackedView {
  let hasOmitted = false
  return {
    ...named,
    needs: (path) => {
      const isNeeded = needs(path)
      hasOmitted ||= !isNeeded
      return isNeeded
    },
    hasOmitted: () => hasOmitted,
  }
}

function compileNeeds(query: Viewed, index: AttributeIndex): (path: string) => boolean {
  const { attributes, excludedAttributes } = query
  const named = attributes?.length ? findAttributes(attributes, index) : null
  const excluded = findAttributes(excludedAttributes ?? [], index)
  const isSearched = createContains(searchedAttributes(query, index))
  const isNamed = named && createContains(named)
  const isNeeded = (node: AttributeNode): boolean => {
    if (isSearched(node) || node.returned === 'always') return true
    if (node.returned === 'never') return false
    if (isNamed !== null) return isNamed(node)
    if (node.returned === 'request' || excluded.has(node)) return false
    if (node.parent !== null) return isNeeded(node.parent)
    const parts = [...node.subAttributes.values()]
    return parts.length === 0 || !parts.every((part) => excluded.has(part))
  }
  return (path) => {
    const node = findNode(path, index)
    // A member without a definition is never sent.
    if (node === null) return false
    if (node.kind === 'attribute') return isNeeded(node)
    return [...node.attributes.values()].some(isNeeded)
  }
}

/** Returns whether a set contains an attribute, the parent or a sub-attribute. */
function createContains(nodes: ReadonlySet<AttributeNode>): (node: AttributeNode) => boolean {
  const parents = new Set([...nodes].flatMap(({ parent }) => parent ?? []))
  return (node) =>
    nodes.has(node) || parents.has(node) || (node.parent !== null && nodes.has(node.parent))
}

const MEMBERS = /^(?:urn:.*:)?members(?:\.|$)/i
