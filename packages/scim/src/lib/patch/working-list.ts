import { compileElementFilter } from '../filter/compile.ts'
import { operandsOf } from '../filter/operands.ts'
import type { Compare, Expression } from '../filter/tree.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import { type AttributeNode, nameOf } from '../schema/attribute-index.ts'
import { isPrimary, requireFewValues } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import type { WorkBudget } from '../work-budget.ts'
import { type KeyPart, keyOf, PositionIndex } from './position-index.ts'

/** Marks a removed value: positions never move while a list is being changed. */
const REMOVED = Symbol('removed')

/** The state that a request's lists share. */
export interface ListOptions {
  /** The folded strings operations will search for; null if they are not known. */
  readonly wanted: ReadonlySet<string> | null
  readonly budget: WorkBudget
  /** How many values an attribute other than `members` may have. */
  readonly maxValues: number
}

/**
 * A multi-valued attribute's values while operations change them. Indexes find the values, so n
 * operations on m values cost one pass over the values and not n.
 */
export class WorkingList {
  changed = false
  private readonly node: AttributeNode
  private readonly elements: unknown[]
  private readonly index: PositionIndex
  private readonly options: ListOptions
  private primaries: Set<number> | null = null
  private removed = 0

  constructor(node: AttributeNode, values: readonly unknown[], options: ListOptions) {
    this.node = node
    this.elements = [...values]
    this.options = options
    this.index = new PositionIndex(this.elements, options.wanted, options.budget)
  }

  /** How many values exist. */
  get size(): number {
    return this.elements.length - this.removed
  }

  values(): unknown[] {
    if (this.removed === 0) return [...this.elements]
    return this.elements.filter((element) => element !== REMOVED)
  }

  /** Returns the values, after the last change: the list itself is not copied. */
  finish(): unknown[] {
    return this.removed === 0 ? this.elements : this.values()
  }

  at(position: number): unknown {
    return this.elements[position]
  }

  /** Returns the positions of all values. */
  all(): number[] {
    this.spend(this.elements.length)
    return [...this.elements.keys()].filter((position) => this.elements[position] !== REMOVED)
  }

  /** Returns the positions of the values a filter selects. */
  matching(filter: Expression): number[] {
    const test = compileElementFilter(filter, this.node, this.options.budget)
    return this.candidates(filter).filter((position) => test(this.elements[position]))
  }

  /** Returns the positions of the values equal to `wanted`, or with all its members. */
  having(wanted: unknown): number[] {
    const { node, options, elements } = this
    const found = isJsonObject(wanted) ? this.fewest(wanted) : this.same(wanted)
    return found.filter((position) => hasValue(elements[position], wanted, node, options.budget))
  }

  /**
   * Returns the position of the existing value that is the same as `wanted`, or -1. Values are the same if they have
   * the same `value`, and the same `type` if both have one (RFC 7643 §2.4), or the same members without a `value`.
   */
  find(wanted: unknown): number {
    if (!isJsonObject(wanted)) return this.same(wanted).find((at) => this.isSame(at, wanted)) ?? -1
    const value = this.node.subAttributes.get('value')
    const key = value && this.key(wanted, value)
    if (value === undefined || key === undefined) {
      return (
        this.same(wanted).find((position) =>
          areSameValues(null, this.elements[position], wanted),
        ) ?? -1
      )
    }
    const type = this.typeOf(wanted)
    const position = this.lookUp(value, key).find((candidate) => {
      const other = this.typeOf(this.elements[candidate])
      return type === undefined || other === undefined || type === other
    })
    return position ?? -1
  }

  append(element: unknown): void {
    const { node } = this
    requireFewValues(this.size + 1, node, nameOf(node), this.options.maxValues)
    const position = this.elements.push(element) - 1
    this.changed = true
    this.index.enter(position)
    this.keepOnePrimary(position)
  }

  replace(position: number, element: unknown): void {
    const before = this.elements[position]
    if (areSameValues(null, before, element)) return
    this.spend(STEPS_OF_WRITE)
    this.elements[position] = element
    this.changed = true
    this.index.enter(position, before)
    this.keepOnePrimary(position)
  }

  remove(position: number): void {
    if (this.elements[position] === REMOVED) return
    this.elements[position] = REMOVED
    this.removed += 1
    this.changed = true
  }

  /** Returns all positions, or fewer if the filter compares a sub-attribute with a string. */
  private candidates(filter: Expression): number[] {
    for (const operand of operandsOf(filter, 'and')) {
      if (operand.type !== 'compare' || typeof operand.value !== 'string') continue
      const part = this.indexed(operand)
      if (part !== undefined) return this.lookUp(part, fold(operand.value))
    }
    return this.all()
  }

  /** Returns the part whose index finds the values a comparison selects; undefined without such an index. */
  private indexed({ path, operator }: Compare): KeyPart | undefined {
    if (operator !== 'eq') return undefined
    const { node } = this
    if (node.type !== 'complex') return isString(node) ? null : undefined
    const part = node.subAttributes.get(fold(path.attribute))
    return part && isString(part) && !part.multiValued ? part : undefined
  }

  /** Returns the positions of the values that may be equal as a whole. */
  private same(wanted: unknown): number[] {
    const key = this.key(wanted, null)
    return key === undefined ? [] : this.lookUp(null, key)
  }

  /**
   * Looks up the least common member, and returns the positions of the values that may have all members of `wanted`. Some
   * values may be removed.
   */
  private fewest(wanted: JsonObject): readonly number[] {
    let fewest: readonly number[] | null = null
    for (const name of Object.keys(wanted)) {
      const part = this.node.subAttributes.get(fold(name))
      const key = part && this.key(wanted, part)
      // A multi-valued part's values are a list, which does not have a key.
      if (part === undefined || key === undefined) continue
      const found = this.index.find(part, key)
      if (fewest === null || found.length < fewest.length) fewest = found
      if (found.length <= FEW) break
    }
    if (fewest === null) return this.all()
    this.spend(fewest.length)
    return fewest
  }

  private lookUp(part: KeyPart, key: string): number[] {
    const found = this.index.find(part, key)
    this.spend(found.length)
    // The callers compare whole values, which costs less than their keys.
    return found.filter(
      (position) => part === null || this.key(this.elements[position], part) === key,
    )
  }

  private typeOf(element: unknown): string | undefined {
    const type = this.node.subAttributes.get('type')
    return type && this.key(element, type)
  }

  private isSame(position: number, wanted: unknown): boolean {
    return areSameValues(this.node, this.elements[position], wanted, this.options.budget)
  }

  private key(element: unknown, part: KeyPart): string | undefined {
    return keyOf(element, part, this.options.budget)
  }

  private spend(steps: number): void {
    this.options.budget.spend(steps)
  }

  // RFC 7644 §3.5.2: a new primary value makes all others non-primary.
  private keepOnePrimary(position: number): void {
    if (!this.node.subAttributes.has('primary')) return
    this.primaries ??= new Set(this.all().filter((other) => isPrimary(this.elements[other])))
    if (!isPrimary(this.elements[position])) return
    for (const other of this.primaries) {
      const element = this.elements[other]
      if (other !== position && isPrimary(element)) {
        this.elements[other] = { ...(element as object), primary: false }
        this.index.enter(other, element)
      }
    }
    this.primaries = new Set([position])
  }
}

/** Whether a value is the named one. For a complex value, only the named members count. */
export function hasValue(
  value: unknown,
  named: unknown,
  node: AttributeNode,
  budget: WorkBudget,
): boolean {
  if (!isJsonObject(named)) return areSameValues(node, value, named, budget)
  return Object.entries(named).every(([name, part]) => {
    if (part === null) return true
    const definition = node.subAttributes.get(fold(name)) ?? null
    const current = isJsonObject(value) ? own(value, name) : undefined
    return areSameValues(definition, current, part, budget)
  })
}

function isString({ type }: AttributeNode): boolean {
  return type === 'string' || type === 'reference'
}

/** Up to this many positions are compared one by one, without another index. */
const FEW = 8

/** The cost of copying a written value, checking it and adding it to the indexes. */
const STEPS_OF_WRITE = 20
