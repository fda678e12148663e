import { badRequest } from '../error.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import { coerceValue, coerceValues } from './coerce.ts'
import type { Context, Write } from './context.ts'
import { requireWritable } from './mutability.ts'
import { isSameText, WorkingList } from './working-list.ts'

/**
 * Merges members into members, as the definition of the complex attribute allows. Null removes a member.
 * Returns undefined if no member is left.
 */
export function merge(
  current: JsonObject,
  sent: JsonObject,
  node: AttributeNode,
): JsonObject | undefined {
  const merged = { ...current }
  for (const [name, value] of Object.entries(sent)) {
    const part = node.subAttributes.get(fold(name))
    const before = own(current, name) ?? undefined
    const after = value ?? undefined
    if (part !== undefined) requireWritable(part, before, after, `${node.name}.${name}`)
    if (after === undefined) delete merged[name]
    else merged[name] = after
  }
  return Object.keys(merged).length === 0 ? undefined : merged
}

/**
 * The members of an addition. A multi-valued part has its old values and then the new values (RFC 7644
 * §3.5.2.1).
 */
export function addHeldValues(
  context: Context,
  sent: JsonObject,
  current: JsonObject,
  node: AttributeNode,
): JsonObject {
  const members = Object.entries(sent).map(([name, value]) => {
    const part = node.subAttributes.get(fold(name))
    if (!part?.multiValued) return [name, value]
    const before = own(current, name) ?? undefined
    return [name, Array.isArray(value) ? unite(context, before, value, part) : before]
  })
  return Object.fromEntries(members)
}

/** The part after a `remove`, and whether the values that the operation names were found. */
export interface Remainder {
  readonly value: unknown
  readonly isFound: boolean
}

/**
 * Removes a part, or only the values that the `value` of the operation names. Removing an absent part
 * succeeds.
 */
export function removeFrom(
  context: Context,
  before: unknown,
  node: AttributeNode,
  { value, place }: Pick<Write, 'value' | 'place'>,
): Remainder {
  if (before === undefined || !namesValues(value)) return { value: undefined, isFound: true }
  if (node.multiValued) return removeValues(context, before, node, { value, place })
  const taken = coerceValue(value, node, place, context.rules)
  const isFound = isHeld(context, taken, before, node)
  return { value: isFound ? undefined : before, isFound }
}

/** Whether the `value` of a `remove` names values. Many clients send an empty one. */
export function namesValues(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Throws unless a `remove` found the values that it names, or that is tolerated. */
export function requireFound(
  { tolerate }: Context,
  { place }: Pick<Write, 'place'>,
  isFound: boolean,
): void {
  if (isFound || tolerate.includes('remove-missing')) return
  throw badRequest('noTarget', `${place}: no value matches`)
}

function removeValues(
  context: Context,
  before: unknown,
  node: AttributeNode,
  { value, place }: Pick<Write, 'value' | 'place'>,
): Remainder {
  const list = createList(context, before, node)
  for (const taken of coerceValues(value, node, place, context.rules)) {
    for (const at of list.having(taken)) list.remove(at)
  }
  if (!list.changed) return { value: before, isFound: false }
  return { value: list.size === 0 ? undefined : list.values(), isFound: true }
}

function unite(
  context: Context,
  before: unknown,
  sent: readonly unknown[],
  node: AttributeNode,
): unknown {
  const list = createList(context, before, node)
  for (const value of sent) if (list.find(value) < 0) list.append(value)
  return list.changed ? list.values() : before
}

/** The values of a part. They are few, but each operation creates the list again. */
function createList({ draft, rules }: Context, held: unknown, node: AttributeNode): WorkingList {
  const values = Array.isArray(held) ? held : held === undefined ? [] : [held]
  const { budget } = draft
  budget.spend(values.length * STEPS_OF_ENTRY)
  return new WorkingList(node, values, { wanted: null, budget, maxValues: rules.maxValues })
}

/** Whether a single value is the named one. For a complex value, only the members that are sent count. */
function isHeld({ draft }: Context, taken: unknown, before: unknown, node: AttributeNode): boolean {
  if (!isJsonObject(taken) || !isJsonObject(before))
    return isSameText(taken, before, node, draft.budget)
  return Object.entries(taken).every(([name, part]) => {
    const definition = node.subAttributes.get(fold(name))
    return part === null || isSameText(part, own(before, name), definition, draft.budget)
  })
}

/** The cost of copying a value of a part and adding it to an index. */
const STEPS_OF_ENTRY = 3
