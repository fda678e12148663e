import { badRequest } from '../error.ts'
import { isPresent } from '../filter/evaluate.ts'
import { isJsonObject, own } from '../json.ts'
import { isBlank } from '../resource/read-members.ts'
import { type AttributeNode, nameOf } from '../schema/attribute-index.ts'
import { areSameValues } from '../values/same.ts'
import type { WorkingList } from './working-list.ts'

/** Throws unless the definition allows the change from one value to another (RFC 7643 §7, RFC 7644 §3.5.2). */
export function requireWritable(
  node: AttributeNode,
  before: unknown,
  after: unknown,
  place: string,
): void {
  if (areSameValues(null, before, after)) return
  if (node.mutability === 'readOnly') throw badRequest('mutability', `${place} is read-only`)
  if (node.mutability === 'immutable' && before !== undefined) {
    throw badRequest('mutability', `${place} has a value and cannot be changed`)
  }
  if (after === undefined) requireRemovable(node, place)
  if (node.required && isBlank(after)) throw badRequest('invalidValue', `${place} is required`)
}

/** RFC 7644 §3.5.2.2: a required or read-only attribute cannot be removed. */
export function requireRemovable(
  { required, mutability }: Pick<AttributeNode, 'required' | 'mutability'>,
  place: string,
): void {
  if (required) throw badRequest('mutability', `${place} is required and cannot be removed`)
  if (mutability === 'readOnly') throw badRequest('mutability', `${place} is read-only`)
  if (mutability === 'immutable') {
    throw badRequest('mutability', `${place} has a value and cannot be changed`)
  }
}

/** Throws if a new value lacks a required part (RFC 7643 §2.2). */
export function requireParts(value: unknown, node: AttributeNode): void {
  if (!isJsonObject(value)) return
  for (const { name, required } of node.subAttributes.values()) {
    const part = own(value, name)
    if (required && (!isPresent(part) || isBlank(part))) {
      throw badRequest('invalidValue', `${nameOf(node)}.${name} is required`)
    }
  }
}

/**
 * Throws if a new list value lacks a required part, or has a read-only part. A client may send back a read-only part
 * already in the same list value.
 */
export function requireNew(element: unknown, list: WorkingList, node: AttributeNode): void {
  requireParts(element, node)
  if (!isJsonObject(element)) return
  for (const { name, mutability } of node.subAttributes.values()) {
    if (mutability !== 'readOnly' || !Object.hasOwn(element, name)) continue
    const known = list.at(list.find(element))
    const before = isJsonObject(known) ? own(known, name) : undefined
    if (!areSameValues(null, before, element[name])) {
      throw badRequest('mutability', `${nameOf(node)}.${name} is read-only`)
    }
  }
}
