import { isJsonObject, type JsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import { coerceValue, isBareValue, isSame, requireParts } from './coerce.ts'
import type { Context, Write } from './context.ts'
import { requireWritable } from './mutability.ts'
import { addHeldValues, merge, removeFrom, requireFound } from './parts.ts'

/** Applies an operation to a single-valued attribute. */
export function applyToSingle(context: Context, write: Write): void {
  if (write.op === 'remove') removeSingle(context, write)
  else if (write.node.type === 'complex') writeComplex(context, write)
  else writeSimple(context, write)
}

function removeSingle(context: Context, write: Write): void {
  const { draft } = context
  const { node, part, place } = write
  const current = draft.get(node)
  if (part === null) {
    const { value, isFound } = removeFrom(context, current, node, write)
    requireFound(context, write, isFound)
    requireWritable(node, current, value, place)
    draft.set(node, value)
    return
  }
  // RFC 7644 §3.5.2.2: removing a part of an absent value succeeds.
  if (!isJsonObject(current)) return
  const before = own(current, part.name) ?? undefined
  const { value, isFound } = removeFrom(context, before, part, write)
  requireFound(context, write, isFound)
  const merged = merge(current, { [part.name]: value ?? null }, node)
  requireWritable(node, current, merged, place)
  draft.set(node, merged)
}

function writeSimple({ draft, rules }: Context, { node, value, place }: Write): void {
  const taken = coerceValue(value, node, place, rules)
  const current = draft.get(node)
  if (isSame(current, taken)) return
  requireWritable(node, current, taken, place)
  draft.replace(node, taken)
}

/** RFC 7644 §3.5.2.3: sub-attributes that are not named keep their values. */
function writeComplex(context: Context, write: Write): void {
  const { draft, rules } = context
  const { op, node, part, value, place } = write
  const current = draft.get(node)
  const held = isJsonObject(current) ? current : {}
  const sent = part === null ? value : { [part.name]: value }
  const taken = coerceValue(sent, node, node.name, rules)
  if (!isJsonObject(taken)) {
    requireWritable(node, current, undefined, place)
    draft.set(node, undefined)
    return
  }
  const base = part === null && isBareValue(value) ? partsThatStay(held, taken, node) : held
  const merged = merge(base, op === 'add' ? addHeldValues(context, taken, base, node) : taken, node)
  requireWritable(node, current, merged, place)
  if (current === undefined) requireParts(merged, node)
  draft.set(node, merged)
}

/**
 * The parts that are kept if only the `value` of a complex attribute is set. A new value removes the parts
 * that describe the old one, such as the `$ref` and the `displayName` of a manager.
 */
function partsThatStay(held: JsonObject, taken: JsonObject, node: AttributeNode): JsonObject {
  const part = node.subAttributes.get('value')
  if (part === undefined || held[part.name] === taken[part.name]) return held
  const isFixed = ([name]: [string, unknown]): boolean =>
    node.subAttributes.get(fold(name))?.mutability === 'immutable'
  return Object.fromEntries(Object.entries(held).filter(isFixed))
}
