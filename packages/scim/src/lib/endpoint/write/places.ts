import { memoize } from '@plumbline/base'
import { findNode } from '../../filter/find-attributes.ts'
import { stringifyPatchPath } from '../../filter/stringify.ts'
import { own } from '../../json.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import { type Placed, withoutPlace } from '../../schema/places.ts'
import type { Profile } from '../options/profiles.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'

/**
 * Returns a resource without the elements the store cannot keep, if the profile ignores them.
 *
 * @param onIgnored Receives the path of each element, such as `phoneNumbers[type eq "fax"]`.
 */
export function keepPlaced(
  resource: WireResource,
  type: ServedType<never>,
  { write = [] }: Profile,
  onIgnored: (path: string) => void,
): WireResource {
  if (type.store.places === undefined || !write.includes('elements-without-a-place'))
    return resource
  let kept = resource
  for (const placed of placesOf(type)) kept = keepOfAttribute(kept, type, placed, onIgnored)
  return kept
}

const placesOf = memoize(({ store, index }: ServedType<never>): readonly Placed[] =>
  Object.entries(store.places ?? {}).flatMap(([path, types]) => {
    const node = findNode(path, index)
    return node?.kind === 'attribute' ? [{ node, types }] : []
  }),
)

function keepOfAttribute(
  resource: WireResource,
  type: ServedType<never>,
  { node, types }: Placed,
  onIgnored: (path: string) => void,
): WireResource {
  const { container } = node.schema
  const holder: WireResource = container === null ? resource : Object(own(resource, container))
  const elements = own(holder, node.name)
  const ignored = new Set(withoutPlace(elements, types))
  if (!Array.isArray(elements) || ignored.size === 0) return resource
  const kept = elements.filter((_, at) => !ignored.has(at))
  // Without a value, the store names the one it cannot keep.
  if (kept.length === 0 && node.required) return resource
  for (const at of ignored) onIgnored(pathOf(node, elements[at]))
  const { [node.name]: _elements, ...others } = holder
  const changed = kept.length === 0 ? others : { ...holder, [node.name]: kept }
  if (container === null) return changed
  if (Object.keys(changed).length > 0) return { ...resource, [container]: changed }
  const { [container]: _extension, ...rest } = resource
  const present = type.extensions.filter((urn) => Object.hasOwn(rest, urn))
  return { ...rest, schemas: [type.core, ...present] }
}

function pathOf({ schema, name }: AttributeNode, element: unknown): string {
  const attribute = { schema: schema.container, attribute: name, subAttribute: null }
  const value = own(Object(element), 'type')
  if (typeof value !== 'string') return stringifyPatchPath({ attribute, filter: null })
  const path = { schema: null, attribute: 'type', subAttribute: null }
  return stringifyPatchPath({
    attribute,
    filter: { type: 'compare', path, operator: 'eq', value: value.slice(0, MAX_TYPE_LENGTH) },
  })
}

const MAX_TYPE_LENGTH = 100
