import type { WireResource } from '../../endpoint/options/store.ts'
import { ScimError } from '../../error.ts'
import { isAssigned, isJsonObject, own } from '../../json.ts'
import { type AttributeNode, attributeIndex } from '../../schema/attribute-index.ts'
import type { Definitions } from '../../schema/types.ts'
import { encodeText } from './codec.ts'
import { elementsOf, isOfType } from './elements.ts'
import type { Field, StoreMap, Values } from './fields.ts'

/** Returns whether a document may contain an attribute: clients must be able to read and write it. */
export function isDocumented({ mutability, returned }: AttributeNode): boolean {
  return mutability !== 'readOnly' && mutability !== 'writeOnly' && returned !== 'never'
}

/** Returns the attributes a document may contain, without those in their own tables. */
export function documentNodes(
  definitions: Definitions,
  values: readonly Values[],
): readonly AttributeNode[] {
  const inTables = new Set(values.map(({ node }) => nameOf(node)))
  return [...attributeIndex(definitions).schemas.values()]
    .flatMap(({ attributes }) => [...attributes.values()])
    .filter((node) => isDocumented(node) && !COMPUTED.has(node.name) && !inTables.has(nameOf(node)))
}

/**
 * Serializes the attributes without their own columns. Throws `400 invalidValue` for strings databases cannot store,
 * and `413` above 2 MiB.
 */
export function documentOf(
  { fields }: Pick<StoreMap, 'fields'>,
  nodes: readonly AttributeNode[],
  resource: WireResource,
): string {
  const document: WireResource = {}
  for (const { schema, name } of nodes) {
    const value = own(holderOf(resource, schema.container), name)
    if (!isAssigned(value)) continue
    if (schema.container === null) document[name] = value
    else document[schema.container] = { ...holderOf(document, schema.container), [name]: value }
  }
  for (const field of fields) remove(document, field)
  const text = JSON.stringify(document, (name, value: unknown) =>
    typeof value === 'string' ? encodeText(value, name) : value,
  )
  if (new TextEncoder().encode(text).length <= MAX_DOCUMENT_BYTES) return text
  throw new ScimError(413, `the resource would be larger than ${MAX_DOCUMENT_BYTES / 2 ** 20} MiB`)
}

/**
 * Removes a value stored in a column. The document shares values with the resource, so changed parts are copied.
 */
function remove(document: WireResource, { node, element }: Field): void {
  const { container } = node.schema
  const holder = container === null ? document : own(document, container)
  if (!isJsonObject(holder)) return
  removeFrom(holder, { node, element })
  if (container !== null && Object.keys(holder).length === 0) delete document[container]
}

function removeFrom(
  holder: WireResource,
  { node, element }: Pick<Field, 'node' | 'element'>,
): void {
  if (node.parent === null) {
    delete holder[node.name]
    return
  }
  const parent = own(holder, node.parent.name)
  if (element !== null) {
    const elements = elementsOf(parent)
    const at = elements.findIndex((one) => isOfType(one, element))
    if (at === -1) return
    holder[node.parent.name] = elements.map((one, position) =>
      position === at ? without(one, node.name) : one,
    )
  } else if (isJsonObject(parent)) {
    const rest = without(parent, node.name)
    if (Object.keys(rest).length === 0) delete holder[node.parent.name]
    else holder[node.parent.name] = rest
  }
}

function without(object: WireResource, name: string): WireResource {
  return Object.fromEntries(Object.entries(object).filter(([one]) => one !== name))
}

function holderOf(resource: WireResource, container: string | null): WireResource {
  const holder = container === null ? resource : own(resource, container)
  return isJsonObject(holder) ? holder : {}
}

function nameOf({ schema, name }: AttributeNode): string {
  return `${schema.id}:${name}`
}

/** The common attributes that are not in a document, because the row and the endpoint have them. */
const COMPUTED: ReadonlySet<string> = new Set(['schemas', 'id', 'meta'])
/** In bytes of UTF-8. */
const MAX_DOCUMENT_BYTES = 2 * 2 ** 20
