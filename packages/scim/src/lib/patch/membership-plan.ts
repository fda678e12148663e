import { ScimError } from '../error.ts'
import { MAX_COMPARISONS } from '../filter/count.ts'
import { operandsOf } from '../filter/operands.ts'
import { parsePatchPath } from '../filter/parse.ts'
import type { Expression, Path } from '../filter/tree.ts'
import { isJsonObject } from '../json.ts'
import { type AttributeNode, attributeIndex, resolvePath } from '../schema/attribute-index.ts'
import { GROUP_DEFINITION } from '../schema/core-schemas.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { createWorkBudget } from '../work-budget.ts'
import { coerceValues, readTextValue } from './coerce.ts'
import { createRules, type Rules } from './rules.ts'
import type { Operation, PlanOptions } from './types.ts'

/** A member in wire form. Its `value` identifies it. */
export interface PlannedMember {
  /** The id of a user or group. */
  readonly value: string
  /** The URL of the user or group. */
  readonly $ref?: string
  /** `User` or `Group`. */
  readonly type?: string
  /** The member's display name. */
  readonly display?: string
}

/** A group PATCH's changes to members, whatever members the group has. */
export interface MembershipPlan {
  /** The members to add if they are missing. Empty if there is a `replace`. */
  readonly add: readonly PlannedMember[]
  /** The values of the members to remove. Empty if there is a `replace`. */
  readonly remove: ReadonlySet<string>
  /** All members after the PATCH; null if only some members change. */
  readonly replace: readonly PlannedMember[] | null
  /** Before the PATCH, each list must name at least one member, or it fails with `noTarget`. */
  readonly targets: readonly (readonly string[])[]
  /** The operations on other attributes, for `applyPatch`. */
  readonly rest: readonly Operation[]
  /** The request positions of the operations in `rest`, from 0: the `positions` for `applyPatch`. */
  readonly positions: readonly number[]
}

/**
 * Plans a group PATCH's changes to members, so a store can change a group of any size without loading it.
 *
 * Returns null if only `applyPatch` on the whole group can decide: for a filter that does not compare `value`, a
 * member's sub-attribute, or a rejected value. Members are equal if their `value` is equal, in any letter case. Linear
 * in the operations.
 *
 * @example
 * ```ts
 * import { PATCH_OP_SCHEMA } from '@plumbline/scim'
 * import { parsePatch, planMembership } from '@plumbline/scim/patch'
 * import { unwrap } from '@plumbline/result'
 *
 * const operations = unwrap(
 *   parsePatch({
 *     schemas: [PATCH_OP_SCHEMA],
 *     Operations: [
 *       { op: 'add', path: 'members', value: [{ value: 'u1' }] },
 *       { op: 'remove', path: 'members[value eq "u2"]' },
 *     ],
 *   }),
 * )
 * const plan = planMembership(operations)
 * plan?.add //=> [{ value: 'u1' }]
 * plan && [...plan.remove] //=> ['u2']
 * plan?.targets //=> [['u2']]
 * ```
 * @see RFC 7644 §3.5.2
 */
export function planMembership(
  operations: readonly Operation[],
  options: PlanOptions = {},
): MembershipPlan | null {
  const limits = { budget: createWorkBudget(), maxValues: MAX_VALUES }
  const plan = new Plan(createRules(options, limits))
  try {
    const rest = operations.map((operation) => planOperation(plan, operation))
    const positions = [...rest.keys()].filter((at) => rest[at] !== null)
    return plan.finish({ rest: rest.filter((operation) => operation !== null), positions })
  } catch (error) {
    // applyPatch on the whole group rejects the operation, or resolves it.
    if (error instanceof ScimError || error === UNKNOWN) return null
    throw error
  }
}

/** Applies a members operation to the plan. Returns the remainder, for other attributes. */
function planOperation(plan: Plan, operation: Operation): Operation | null {
  const { op, path, value } = operation
  if (path !== null) {
    if (!targetsMembers(path)) return operation
    planWrite(plan, op, path, value)
    return null
  }
  const others: [string, unknown][] = []
  for (const [key, member] of Object.entries(Object(value))) {
    const target = parsePatchPath(key)
    plan.rules.count.add(1)
    if (target.status === 'success' && targetsMembers(target.data)) {
      planWrite(plan, op, target.data, member)
    } else {
      if (!index.attributes.has(fold(key))) plan.rules.count.addUnknown(key)
      others.push([key, member])
    }
  }
  return others.length === 0 ? null : { op, path, value: Object.fromEntries(others) }
}

function targetsMembers({ attribute }: Path): boolean {
  const target = resolvePath(index, attribute)
  // The path is the group's URN: its value may contain members next to other attributes.
  if (target?.kind === 'schema') throw UNKNOWN
  return target === MEMBERS || target?.parent === MEMBERS
}

function planWrite(plan: Plan, op: Operation['op'], path: Path, sent: unknown): void {
  if (path.attribute.subAttribute !== null) throw UNKNOWN
  const value = readTextValue(sent, MEMBERS)
  if (path.filter !== null) {
    if (op !== 'remove') throw UNKNOWN
    plan.remove(readFilterValues(path.filter))
  } else if (op === 'remove' && (value === undefined || value === null)) plan.replace([])
  else if (op === 'replace') plan.replace(coerceMembers(value, plan.rules))
  else if (op === 'add') plan.add(coerceMembers(value, plan.rules))
  else plan.remove(coerceMembers(value, plan.rules).map(requireOnlyValue))
}

/** Coerces a value's members, with the same checks as `applyPatch`. */
function coerceMembers(value: unknown, rules: Rules): PlannedMember[] {
  return coerceValues(value, MEMBERS, 'members', rules).map((member) => {
    if (!isJsonObject(member) || typeof member.value !== 'string') throw UNKNOWN
    // The value was coerced with the definition of members, so all its parts are strings.
    return member as unknown as PlannedMember
  })
}

/** A removal that names more than the value depends on the stored members. */
function requireOnlyValue({ value, ...others }: PlannedMember): string {
  if (Object.keys(others).length > 0) throw UNKNOWN
  return value
}

/** Reads the values a filter selects: one `value eq`, or several joined with `or`. */
function readFilterValues(filter: Expression): string[] {
  const operands = operandsOf(filter, 'or')
  if (operands.length > MAX_COMPARISONS) throw UNKNOWN
  return operands.map((operand) => {
    const isValue =
      operand.type === 'compare' &&
      operand.operator === 'eq' &&
      operand.path.schema === null &&
      operand.path.subAttribute === null &&
      fold(operand.path.attribute) === 'value'
    if (!isValue || typeof operand.value !== 'string') throw UNKNOWN
    return operand.value
  })
}

interface NamedMember {
  /** The value as the last operation spelled it. */
  readonly value: string
  /** Null for a removed member. */
  readonly member: PlannedMember | null
}

/** The operations' net effect so far, keyed by the folded value of each member they name. */
class Plan {
  readonly rules: Rules
  private readonly named = new Map<string, NamedMember>()
  private readonly targets: string[][] = []
  /** Whether `named` contains all members, because they were replaced. */
  private isWhole = false

  constructor(rules: Rules) {
    this.rules = rules
  }

  add(members: readonly PlannedMember[]): void {
    for (const member of members) {
      const { value } = member
      const key = fold(value)
      const known = this.named.get(key)?.member
      // A member's parts are immutable: an addition only sets the missing parts.
      this.named.set(key, { value, member: known ? { ...member, ...known } : member })
    }
  }

  replace(members: readonly PlannedMember[]): void {
    this.named.clear()
    this.isWhole = true
    this.add(members)
  }

  remove(values: readonly string[]): void {
    const states = values.map((value) => this.named.get(fold(value)))
    const mayBeThere = values.filter((_, at) => states[at] === undefined && !this.isWhole)
    if (!states.some((state) => state?.member)) {
      if (mayBeThere.length === 0) throw UNKNOWN
      this.targets.push(mayBeThere)
    }
    for (const value of values) this.named.set(fold(value), { value, member: null })
  }

  finish(others: Pick<MembershipPlan, 'rest' | 'positions'>): MembershipPlan {
    const { targets } = this
    const named = [...this.named.values()]
    const members = named.flatMap(({ member }) => member ?? [])
    if (this.isWhole) return { add: [], remove: new Set(), replace: members, targets, ...others }
    const remove = new Set(named.filter(({ member }) => member === null).map(({ value }) => value))
    return { add: members, remove, replace: null, targets, ...others }
  }
}

const UNKNOWN = Symbol('only the whole group can decide')
const index = attributeIndex({ [GROUP_DEFINITION.id]: GROUP_DEFINITION })
const MEMBERS = index.core.attributes.get('members') as AttributeNode
