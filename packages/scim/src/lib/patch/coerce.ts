import { badRequest } from '../error.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import { readJsonText } from '../message/read-json.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { isCleared, unwrapValue } from '../resource/read-members.ts'
import { type AttributeNode, nameOf } from '../schema/attribute-index.ts'
import { distinctValues, requireFewValues, requireOnePrimary } from '../schema/value-list.ts'
import { coerceSimple } from '../values/coerce.ts'
import { fold } from '../values/fold.ts'
import type { Target } from './resolve.ts'
import type { Rules } from './rules.ts'
import type { Operation } from './types.ts'

/** An operation on one attribute. */
export interface Write {
  readonly op: Operation['op']
  readonly target: Target
  /** The value as it was sent. */
  readonly value: unknown
  /**
   * Returns the value, or a list's values, coerced to the definition's type. They are coerced on first use, once: an
   * operation that does not find the target fails for that reason, and not for its value.
   */
  readonly sent: () => readonly unknown[]
}

/** Creates the write of a value. */
export function createWrite(
  op: Operation['op'],
  target: Target,
  value: unknown,
  rules: Rules,
): Write {
  let coerced: readonly unknown[] | null = null
  const sent = (): readonly unknown[] => {
    coerced ??= coerceSent(op, target, value, rules)
    return coerced
  }
  return { op, target, value, sent }
}

function coerceSent(
  op: Operation['op'],
  { kind, node, part, filter, place }: Target,
  value: unknown,
  rules: Rules,
): unknown[] {
  if (op === 'remove') {
    const named = part ?? node
    if (named.multiValued) return coerceValues(value, named, place, rules)
    return [coerceValue(value, named, place, rules)]
  }
  if (part !== null) return [coerceValue({ [part.name]: value }, node, nameOf(node), rules)]
  if (kind === 'multiValued' && filter === null) {
    const values = coerceValues(value, node, place, rules)
    return op === 'replace' ? distinctValues(values, node) : values
  }
  const isNamed = kind === 'multiValued' || node.type !== 'complex'
  return [coerceValue(value, node, isNamed ? place : nameOf(node), rules)]
}

/**
 * Coerces a multi-valued attribute's values, without their unassigned members.
 *
 * Deviation: clients send one value without a list. It is a list of one value.
 */
export function coerceValues(
  sent: unknown,
  node: AttributeNode,
  place: string,
  rules: Rules,
): unknown[] {
  return coerceList(sent, node, place, rules).map(withoutNulls)
}

/**
 * Coerces one attribute value from a client: checks it against the definition, spells names as the definition does, and
 * returns undefined for an unassigned value. Throws a ScimError naming the member.
 */
export function coerceValue(
  sent: unknown,
  node: AttributeNode,
  place: string,
  rules: Rules,
): unknown {
  const value = unpack(sent, node)
  if (value === null || value === undefined) return undefined
  if (node.type !== 'complex') return coerceSimple(value, node.type, place, node.encoding)
  if (isJsonObject(value)) {
    const members = coerceParts(value, node, place, rules)
    return isCleared(members, node) ? undefined : members
  }
  // Deviation: Entra ID removes a manager with an empty string, and sets one with its id only.
  if (value === '') return undefined
  const significant = node.subAttributes.get('value')
  if (significant === undefined || Array.isArray(value)) {
    throw badRequest('invalidValue', `${place} must be an object`)
  }
  return { [significant.name]: coerceValue(value, significant, `${place}.value`, rules) }
}

/** Returns the value without null members. */
export function withoutNulls<Value>(value: Value): Value | JsonObject {
  if (!isJsonObject(value) || !Object.values(value).includes(null)) return value
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null))
}

/** Whether only a complex value's `value` is sent. */
export function isBareValue(sent: unknown): boolean {
  return !isJsonObject(withoutList(sent))
}

/** RFC 7643 §2.5: an element whose members are all null is not a value. */
export function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((member) => member === null)
}

/** Null members are kept: a part may be unassigned on purpose. */
function coerceList(sent: unknown, node: AttributeNode, place: string, rules: Rules): unknown[] {
  const list = Array.isArray(sent) ? sent : [sent]
  requireFewValues(list.length, node, place, rules.maxValues)
  const values: unknown[] = []
  for (const [at, element] of list.entries()) {
    const value = coerceValue(element, node, `${place}[${at}]`, rules)
    if (value !== undefined && !isEmpty(value)) values.push(value)
  }
  requireOnePrimary(values, place)
  return values
}

/** Deviation: Entra ID sends a single value as a list of one, and may wrap a simple value in an object. */
function unpack(sent: unknown, { type }: AttributeNode): unknown {
  const value = withoutList(sent)
  return type === 'complex' ? value : unwrapValue(value)
}

/** RFC 7643 §2.5: an empty list is unassigned. */
function withoutList(sent: unknown): unknown {
  return Array.isArray(sent) && sent.length < 2 ? sent[0] : sent
}

/** Null members are kept, so a merge removes them. */
function coerceParts(
  sent: JsonObject,
  node: AttributeNode,
  place: string,
  rules: Rules,
): JsonObject {
  const members = new Map<string, unknown>()
  const keys = Object.keys(sent)
  rules.count.add(keys.length)
  for (const key of keys) {
    const value = own(sent, key)
    const part = node.subAttributes.get(fold(key))
    if (part === undefined) {
      const reason = `${place} does not have a sub-attribute ${JSON.stringify(key)}`
      if (rules.ignore === null) throw rules.unknown(reason)
      const { schema, name } = node
      const path = { schema: schema.container, attribute: name, subAttribute: key }
      rules.ignore(stringifyPath(path))
      continue
    }
    const coerced = coercePart(value, part, `${place}.${part.name}`, rules)
    if (members.has(part.name)) {
      const twice = `${place}.${part.name} is duplicated in different letter case`
      throw badRequest('invalidValue', twice)
    }
    members.set(part.name, coerced ?? null)
  }
  return Object.fromEntries(members)
}

function coercePart(sent: unknown, part: AttributeNode, place: string, rules: Rules): unknown {
  if (!part.multiValued) return coerceValue(sent, part, place, rules)
  const values = distinctValues(coerceList(sent, part, place, rules), part)
  return values.length === 0 ? undefined : values
}

/**
 * Returns a value, parsed if it is the JSON text of an object or a list in place of one. An attribute without
 * sub-attributes keeps the text. Throws a ScimError beyond the limits of a body.
 *
 * Deviation: a client library, and programs built on it, send each value as JSON text. See
 * decisions/patch-values-as-json-text.md.
 *
 * @param node The attribute to write; null for a whole resource or extension.
 */
export function readTextValue(value: unknown, node: AttributeNode | null): unknown {
  const isText = typeof value === 'string' && STRUCTURE.test(value)
  return isText && (node === null || node.type === 'complex') ? readJsonText(value) : value
}

const STRUCTURE = /^[\t\n\r ]*[[{]/
