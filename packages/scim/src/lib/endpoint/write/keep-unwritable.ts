import { USER_SCHEMA } from '../../constants.ts'
import { badRequest } from '../../error.ts'
import { isAssigned, isJsonObject, own } from '../../json.ts'
import type { AttributeNode, SchemaNode } from '../../schema/attribute-index.ts'
import { areSameValues } from '../../values/same.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { WireResource } from '../options/store.ts'

/**
 * Returns the body of a PUT, completed with the omitted attributes the client cannot clear: immutable ones, write-only
 * ones, which it cannot read, and a user's `active`. Throws a ScimError, `400 mutability`, if it changes an immutable
 * one.
 *
 * Deviation: RFC 7644 §3.5.1 lets a server keep what a PUT omits, but a client may clear a value with null. For
 * `active`, null is the same as omitting it, as clients with JSON templates mean it: decisions/active-is-kept.md.
 *
 * @see RFC 7644 §3.5.1
 */
export function keepUnwritable(
  current: WireResource,
  sent: WireResource,
  { index }: Pick<ServedType<never>, 'index'>,
): WireResource {
  let kept = sent
  for (const schema of index.schemas.values()) kept = keepOfSchema(current, kept, schema)
  const extensions = [...index.schemas.values()].flatMap(({ container }) => container ?? [])
  const present = extensions.filter((urn) => Object.hasOwn(kept, urn))
  const isListed = present.every((urn) => Object.hasOwn(sent, urn))
  return isListed ? kept : { ...kept, schemas: [index.core.id, ...present] }
}

function keepOfSchema(
  current: WireResource,
  sent: WireResource,
  { container, attributes }: SchemaNode,
): WireResource {
  if (container === null) return keepMembers(current, sent, attributes, '')
  const before = own(current, container)
  if (!isJsonObject(before)) return sent
  const after = own(sent, container)
  const kept = keepMembers(before, isJsonObject(after) ? after : {}, attributes, `${container}:`)
  return Object.keys(kept).length === 0 ? sent : { ...sent, [container]: kept }
}

/** Adds to `sent` the members of `current` it omits and cannot clear. */
function keepMembers(
  current: WireResource,
  sent: WireResource,
  attributes: ReadonlyMap<string, AttributeNode>,
  place: string,
): WireResource {
  let kept = sent
  for (const node of attributes.values()) {
    const before = own(current, node.name)
    const after = own(sent, node.name)
    if (!isAssigned(before)) continue
    if (node.mutability === 'immutable' || node.mutability === 'writeOnly' || isActive(node)) {
      if (after === undefined) kept = { ...kept, [node.name]: before }
      else if (node.mutability === 'immutable' && !areSameValues(node, before, after)) {
        throw badRequest('mutability', `${place}${node.name} has a value and cannot be changed`)
      }
    } else if (isJsonObject(before) && isJsonObject(after)) {
      const parts = keepMembers(before, after, node.subAttributes, `${place}${node.name}.`)
      if (parts !== after) kept = { ...kept, [node.name]: parts }
    }
  }
  return kept
}

/** A client that only manages names must not reactivate a user. */
function isActive({ name, parent, schema }: AttributeNode): boolean {
  return name === 'active' && parent === null && schema.id === USER_SCHEMA
}
