import { badRequest } from '../error.ts'
import { isAssigned, isJsonObject, type JsonObject, own } from '../json.ts'
import { isBlank } from '../resource/read-members.ts'
import { type AttributeNode, nameOf } from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import { isBareValue, type Write } from './coerce.ts'
import type { Context } from './draft.ts'
import type { Target } from './resolve.ts'
import { hasValue, type WorkingList } from './working-list.ts'

/** Applies an operation to a single-valued attribute. */
export function editSingle(context: Context, write: Write): void {
  const { node, place } = write.target
  const before = context.draft.get(node)
  const after = valueAfter(context, write, before)
  if (checkChange(node, before, after, place)) context.draft.replace(node, after)
}

/** Returns the attribute's value after an operation; undefined if it is unassigned. */
function valueAfter(context: Context, write: Write, current: unknown): unknown {
  if (write.op === 'remove') return valueLeft(context, write, current)
  return write.target.node.type === 'complex'
    ? writeComplex(context, write, current)
    : write.sent()[0]
}

function valueLeft(context: Context, write: Write, current: unknown): unknown {
  const { node, part } = write.target
  // RFC 7644 §3.5.2.2: removing a part of an absent value succeeds.
  if (part !== null && !isJsonObject(current)) return current
  const { value, isFound } =
    part !== null && isJsonObject(current)
      ? removePart(context, write, part, current)
      : removeFrom(context, write, node, current)
  requireFound(context, write.target, isFound)
  return value
}

/** RFC 7644 §3.5.2.3: unnamed sub-attributes keep their values. */
function writeComplex(context: Context, write: Write, current: unknown): JsonObject | undefined {
  const { node, part } = write.target
  const parts = isJsonObject(current) ? current : {}
  const [sent] = write.sent()
  if (!isJsonObject(sent)) return undefined
  const base = part === null ? partsThatStay(context, write, parts, sent) : parts
  const merged = writeParts(context, write, base, sent)
  if (current === undefined || base !== parts) requireParts(merged, node)
  return merged
}

/**
 * Returns the parts to keep when a complex attribute is set. If only its `value` is sent, a new value removes the parts
 * describing the old one, such as a manager's `$ref` and `displayName`.
 */
function partsThatStay(
  { rules: { tolerate } }: Context,
  { op, target: { node }, value }: Write,
  parts: JsonObject,
  sent: JsonObject,
): JsonObject {
  const part = node.subAttributes.get('value')
  const isNew = part !== undefined && parts[part.name] !== sent[part.name]
  const isReplaced = op === 'replace' && tolerate.includes('replace-whole')
  if (!isReplaced && !(isNew && isBareValue(value))) return parts
  const isFixed = ([name]: [string, unknown]): boolean =>
    node.subAttributes.get(fold(name))?.mutability === 'immutable'
  return Object.fromEntries(Object.entries(parts).filter(isFixed))
}

/** Sets a complex value's parts. An addition keeps the values of its multi-valued parts (RFC 7644 §3.5.2.1). */
export function writeParts(
  context: Context,
  { op, target: { node } }: Write,
  current: JsonObject,
  sent: JsonObject,
): JsonObject | undefined {
  const members = op === 'add' ? addHeldValues(context, sent, current, node) : sent
  return merge(current, members, node)
}

/** An addition's members. A multi-valued part has its old values and then the new values (RFC 7644 §3.5.2.1). */
export function addHeldValues(
  { draft }: Context,
  sent: JsonObject,
  current: JsonObject,
  node: AttributeNode,
): JsonObject {
  const members = Object.entries(sent).map(([name, value]) => {
    const part = node.subAttributes.get(fold(name))
    if (!part?.multiValued) return [name, value]
    const before = own(current, name) ?? undefined
    if (!Array.isArray(value)) return [name, before]
    const list = draft.listOfPart(part, before)
    for (const one of value) if (list.find(one) < 0) list.append(one)
    return [name, list.changed ? list.values() : before]
  })
  return Object.fromEntries(members)
}

/** A value after a `remove`, and whether the values the operation names were found. */
export interface Remainder<Value> {
  readonly value: Value
  readonly isFound: boolean
}

/** Removes a complex value's part. Removing an absent part succeeds (RFC 7644 §3.5.2.2). */
export function removePart(
  context: Context,
  write: Write,
  part: AttributeNode,
  current: JsonObject,
): Remainder<JsonObject | undefined> {
  const before = own(current, part.name) ?? undefined
  const { value, isFound } = removeFrom(context, write, part, before)
  return { value: merge(current, { [part.name]: value ?? null }, write.target.node), isFound }
}

/** Removes an attribute's or part's value, or only the values the operation names. */
export function removeFrom(
  { draft }: Context,
  write: Write,
  node: AttributeNode,
  before: unknown,
): Remainder<unknown> {
  if (before === undefined || !namesValues(write.value)) return { value: undefined, isFound: true }
  if (!node.multiValued) {
    const isFound = hasValue(before, write.sent()[0], node, draft.budget)
    return { value: isFound ? undefined : before, isFound }
  }
  const list = draft.listOfPart(node, before)
  for (const one of write.sent()) for (const at of list.having(one)) list.remove(at)
  if (!list.changed) return { value: before, isFound: false }
  return { value: list.size === 0 ? undefined : list.values(), isFound: true }
}

/** Throws unless a `remove` found the values it names, or a tolerance allows that. */
export function requireFound(
  { rules: { tolerate } }: Context,
  { place }: Target,
  isFound: boolean,
): void {
  if (isFound || tolerate.includes('remove-missing')) return
  throw badRequest('noTarget', `${place}: no value matches`)
}

/** Many clients send an empty value with a `remove` for everything. */
function namesValues(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/**
 * Merges members into members, as the complex attribute's definition allows. Null removes a member. Returns undefined
 * if the result is empty.
 */
function merge(current: JsonObject, sent: JsonObject, node: AttributeNode): JsonObject | undefined {
  const merged = { ...current }
  for (const [name, value] of Object.entries(sent)) {
    const part = node.subAttributes.get(fold(name))
    const before = own(current, name) ?? undefined
    const after = value ?? undefined
    if (part !== undefined) checkChange(part, before, after, `${nameOf(node)}.${name}`)
    if (after === undefined) delete merged[name]
    else merged[name] = after
  }
  return Object.keys(merged).length === 0 ? undefined : merged
}

/**
 * Returns whether a value changes. Throws if the definition forbids the change (RFC 7643 §7, RFC 7644 §3.5.2). An equal
 * value changes nothing.
 */
export function checkChange(
  node: AttributeNode,
  before: unknown,
  after: unknown,
  place: string,
): boolean {
  if (areSameValues(null, before, after)) return false
  if (node.mutability === 'readOnly') throw badRequest('mutability', `${place} is read-only`)
  if (node.mutability === 'immutable' && before !== undefined) {
    throw badRequest('mutability', `${place} has a value and cannot be changed`)
  }
  if (after === undefined) requireRemovable(node, place)
  if (node.required && isBlank(after)) throw badRequest('invalidValue', `${place} is required`)
  return true
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
    if (required && (!isAssigned(part) || isBlank(part))) {
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
