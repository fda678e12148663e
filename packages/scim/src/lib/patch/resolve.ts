import { isFailure } from '@plumbline/result'
import { badRequest } from '../error.ts'
import { parsePatchPath } from '../filter/parse.ts'
import type { Path } from '../filter/tree.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  resolvePath,
  type SchemaNode,
} from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import type { Rules } from './rules.ts'

/** The attribute a path names. */
export interface Target {
  /** The edit the attribute accepts: `schemas` is derived from the resource, and read-only values are fixed. */
  readonly kind: 'schemas' | 'readOnly' | 'multiValued' | 'single'
  readonly node: AttributeNode
  /** The sub-attribute the path names. */
  readonly part: AttributeNode | null
  readonly filter: Path['filter']
  /** The target's name in messages. */
  readonly place: string
}

/**
 * Resolves an operation's path. Returns null for an ignored unknown attribute. Throws `400 invalidPath` for any other
 * unknown attribute, and for a filter on a single-valued attribute.
 */
export function resolveTarget(
  index: AttributeIndex,
  { attribute, filter }: Path,
  { ignore, unknown, needsAttribute }: Rules,
): Target | SchemaNode | null {
  const place = stringifyPath(attribute)
  const named = resolvePath(index, attribute)
  if (named === null) {
    if (ignore === null) throw unknown(`unknown attribute ${place}`)
    ignore(place)
    return null
  }
  if (named.kind === 'schema') {
    // The core schema's URN names the whole resource, as an operation without a path does.
    if (needsAttribute && named.container === null) {
      throw badRequest(
        'invalidSyntax',
        `${place} is the resource: the path of an attribute is required`,
      )
    }
    if (filter === null) return named
    throw badRequest('invalidPath', `${place} does not accept a filter`)
  }
  const node = named.parent ?? named
  const part = named.parent === null ? null : named
  const kind = kindOf(index, node, part)
  if (kind === 'single' && filter !== null) {
    throw badRequest('invalidPath', `${place} is single-valued and does not accept a filter`)
  }
  return { kind, node, part, filter, place }
}

/**
 * Reads a member's name as a path. Returns null for an ignored unknown name.
 *
 * Deviation: without a path, member names may also be paths: Entra ID sends `name.givenName`.
 *
 * @param within The extension whose value has the member.
 */
export function resolveMember(
  name: string,
  within: SchemaNode | null,
  { ignore, unknown, count }: Rules,
): Path | null {
  count.add(1)
  const key = within === null || isQualified(name, within) ? name : `${within.id}:${name}`
  const path = parsePatchPath(key)
  if (!isFailure(path)) return path.data
  // A name that does not parse as a path is an attribute name impossible in any definition.
  if (key.includes('[')) throw badRequest('invalidPath', path.error.message)
  if (ignore === null) throw unknown(path.error.message)
  ignore(key)
  return null
}

function kindOf(
  { core }: AttributeIndex,
  node: AttributeNode,
  part: Target['part'],
): Target['kind'] {
  if (node === core.attributes.get('schemas')) return 'schemas'
  if (node.mutability === 'readOnly' || part?.mutability === 'readOnly') return 'readOnly'
  return node.multiValued ? 'multiValued' : 'single'
}

/** A schema contains only its own members: another schema's or its attribute's name is unknown. */
function isQualified(name: string, { id }: SchemaNode): boolean {
  return fold(name).startsWith(`${fold(id)}:`)
}
