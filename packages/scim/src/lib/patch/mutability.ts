import { badRequest } from '../error.ts'
import { isAssigned, isJsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import { isSame, type ValueRules } from './coerce.ts'
import type { Context, Write } from './context.ts'

/** Throws unless the definition allows the change from one value to another (RFC 7643 §7, RFC 7644 §3.5.2). */
export function requireWritable(
  node: AttributeNode,
  before: unknown,
  after: unknown,
  place: string,
): void {
  if (isSame(before, after)) return
  if (node.mutability === 'readOnly') throw badRequest('mutability', `${place} is read-only`)
  if (node.mutability === 'immutable' && before !== undefined) {
    throw badRequest('mutability', `${place} has a value and cannot be changed`)
  }
  if (after === undefined) requireRemovable(node, place)
  if (node.required && after === '') throw badRequest('invalidValue', `${place} is required`)
}

/** RFC 7644 §3.5.2.2: a required or read-only attribute cannot be removed. */
export function requireRemovable(node: AttributeNode, place: string): void {
  if (node.required) throw badRequest('mutability', `${place} is required and cannot be removed`)
  if (isReadOnly(node)) throw badRequest('mutability', `${place} is read-only`)
  if (node.mutability === 'immutable') {
    throw badRequest('mutability', `${place} has a value and cannot be changed`)
  }
}

/** Deviation: Okta sends read-only members back unchanged. A write of the same value is ignored. */
export function requireUnchanged(
  { draft, rules }: Context,
  { op, node, part, filter, value, place }: Write,
): void {
  const whole = draft.get(node)
  const current = part === null ? whole : isJsonObject(whole) ? whole[part.name] : undefined
  if (op !== 'remove' && filter === null && isUnchanged(value, current, node, rules)) return
  throw badRequest('mutability', `${place} is read-only`)
}

export function isReadOnly({ mutability }: AttributeNode): boolean {
  return mutability === 'readOnly'
}

/** Compares only the parts of a complex value that are sent (RFC 7644 §3.5.2.3). */
function isUnchanged(
  sent: unknown,
  current: unknown,
  node: AttributeNode,
  { ignoreUnknown }: ValueRules,
): boolean {
  if (!isAssigned(sent)) return !isAssigned(current)
  if (!isJsonObject(sent) || !isJsonObject(current)) return isSame(sent, current)
  return Object.entries(sent).every(([key, part]) => {
    const { name } = node.subAttributes.get(fold(key)) ?? {}
    if (name === undefined) return ignoreUnknown
    return isSame(part ?? undefined, own(current, name) ?? undefined)
  })
}
