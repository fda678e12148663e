import { isJsonObject, type JsonObject, own } from '../../json.ts'
import { returnable } from '../../resource/project.ts'
import { digestOf, includesTag, version } from '../../resource/version.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'

/** A conditional request's headers (RFC 7644 §3.14). */
export interface Conditions {
  readonly ifMatch: string | null
  readonly ifNoneMatch: string | null
}

/** Whether a request has preconditions. */
export function isConditional({ ifMatch, ifNoneMatch }: Conditions): boolean {
  return ifMatch !== null || ifNoneMatch !== null
}

/** Whether a client wants to read a representation with this tag. */
export function matchesRead({ ifMatch, ifNoneMatch }: Conditions, tag: string): boolean {
  if (ifMatch !== null && !includesTag(ifMatch, tag)) return false
  return ifNoneMatch === null || !includesTag(ifNoneMatch, tag)
}

/**
 * Whether a client wants to change a resource whose content has this tag. A client may send the tag from any
 * representation of this content, because the read-only attributes are not written.
 */
export function matchesWrite({ ifMatch, ifNoneMatch }: Conditions, contentTag: string): boolean {
  const includes = (header: string): boolean =>
    includesTag(header, contentTag) || includesTag(header.replace(DIGEST, '"'), contentTag)
  return (ifMatch === null || includes(ifMatch)) && (ifNoneMatch === null || !includes(ifNoneMatch))
}

/** Computes a tag from the client-writable attributes that some client may read. */
export async function computeContentTag(
  resource: WireResource,
  { computed, definitions }: Pick<ServedType<never>, 'computed' | 'definitions'>,
): Promise<string> {
  const content = computed.length === 0 ? resource : withoutAttributes(resource, computed)
  return await version(content, { definitions })
}

/**
 * Returns a representation's tag: the content's tag, then a digest of the shown read-only attributes, because other
 * requests change them. Without such attributes it is the content's tag.
 */
export async function tagOfRepresentation(
  contentTag: string,
  resource: WireResource,
  shown: WireResource,
  { computed, definitions }: Pick<ServedType<never>, 'computed' | 'definitions'>,
): Promise<string> {
  const values: JsonObject = {}
  const readable = returnable(resource, definitions)
  for (const node of computed) {
    const { container } = node.schema
    if (readAttribute(shown, node) === undefined) continue
    values[container === null ? node.name : `${container}:${node.name}`] = readAttribute(
      readable,
      node,
    )
  }
  if (Object.keys(values).length === 0) return contentTag
  const digest = await digestOf(JSON.stringify(values))
  return `${contentTag.slice(0, -1)}-${digest.slice(0, 16)}"`
}

function readAttribute(resource: WireResource, { name, schema }: AttributeNode): unknown {
  const holder = schema.container === null ? resource : own(resource, schema.container)
  return isJsonObject(holder) ? own(holder, name) : undefined
}

function withoutAttributes(resource: WireResource, nodes: readonly AttributeNode[]): WireResource {
  const rest = { ...resource }
  for (const { name, schema } of nodes) {
    if (schema.container === null) {
      delete rest[name]
      continue
    }
    const holder = own(rest, schema.container)
    if (!isJsonObject(holder)) continue
    const { [name]: _, ...kept } = holder
    rest[schema.container] = kept
  }
  return rest
}

/** The digest at the end of each tag in a header. */
const DIGEST = /-[0-9a-f]{16}"/g
