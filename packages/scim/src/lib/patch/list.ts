import { type AttributeNode, fold } from '../attributes.ts'
import { compileElementFilter } from '../filter/compile.ts'
import type { Compare, Expression } from '../filter/tree.ts'
import { isObject } from '../resource/read.ts'
import type { WorkBudget } from '../work-budget.ts'
import { isPrimary, isSame } from './value.ts'

/** Where a value was removed: places never move while a list is being changed. */
const REMOVED = Symbol('removed')

/**
 * The values of a multi-valued attribute while operations change them. Values are found by the text of
 * a sub-attribute through indexes that are made on first use, so that n operations on m values cost
 * one pass over the values and not n.
 */
export class WorkingList {
  changed = false
  private readonly node: AttributeNode
  private readonly elements: unknown[]
  /** The folded texts that are worth an index entry; null where all are. */
  private wanted: ReadonlySet<string> | null
  /** By sub-attribute (null for the elements themselves), then by folded text: places, some of them stale. */
  private readonly indexes = new Map<AttributeNode | null, Map<string, number[]>>()
  private primaries: Set<number> | null = null
  private removed = 0
  private readonly budget: WorkBudget

  /** @param wanted The texts, folded, that will be looked for; another one costs a further pass. */
  constructor(
    node: AttributeNode,
    values: readonly unknown[],
    wanted: ReadonlySet<string>,
    budget: WorkBudget,
  ) {
    this.node = node
    this.budget = budget
    this.elements = [...values]
    this.wanted = wanted
  }

  /** How many values there are. */
  get size(): number {
    return this.elements.length - this.removed
  }

  values(): unknown[] {
    if (this.removed === 0) return [...this.elements]
    return this.elements.filter((element) => element !== REMOVED)
  }

  at(place: number): unknown {
    return this.elements[place]
  }

  places(): number[] {
    this.budget.spend(this.elements.length)
    return [...this.elements.keys()].filter((place) => this.elements[place] !== REMOVED)
  }

  /** The places of the values that a filter selects. */
  matching(filter: Expression): number[] {
    const test = compileElementFilter(filter, this.node, this.budget)
    return this.candidates(filter).filter((place) => {
      const element = this.elements[place]
      return element !== REMOVED && test(element)
    })
  }

  /** The places of the values that have all the members of `wanted`, or that are it. */
  having(wanted: unknown): number[] {
    return this.similar(wanted).filter((place) => {
      const element = this.elements[place]
      if (!isObject(wanted)) return sameText(element, wanted, this.node)
      const parts = Object.entries(wanted).filter(([, part]) => part !== null)
      return parts.every(([name, part]) => {
        const own = isObject(element) && Object.hasOwn(element, name) ? element[name] : undefined
        return sameText(own, part, this.node.subAttributes.get(fold(name)))
      })
    })
  }

  /**
   * The place of the value that is `wanted` already, or -1: the same `value`, of the same `type` where both
   * have one (RFC 7643 §2.4), or the same members where there is no `value`.
   */
  find(wanted: unknown): number {
    const place = this.similar(wanted).find((candidate) => {
      const element = this.elements[candidate]
      if (!isObject(wanted)) return sameText(element, wanted, this.node)
      if (!isObject(element)) return false
      if (typeof wanted.value !== 'string') return isSame(element, wanted)
      const types = [element.type ?? undefined, wanted.type ?? undefined]
      return types.includes(undefined) || isSame(fold(String(types[0])), fold(String(types[1])))
    })
    return place ?? -1
  }

  append(element: unknown): void {
    const place = this.elements.push(element) - 1
    this.changed = true
    for (const [part, places] of this.indexes) this.enter(places, part, place)
    this.keepOnePrimary(place)
  }

  replace(place: number, element: unknown): void {
    if (isSame(this.elements[place], element)) return
    this.elements[place] = element
    this.changed = true
    for (const [part, places] of this.indexes) this.enter(places, part, place)
    this.keepOnePrimary(place)
  }

  remove(place: number): void {
    if (this.elements[place] === REMOVED) return
    this.elements[place] = REMOVED
    this.removed += 1
    this.changed = true
  }

  /** Every place, or fewer where the filter asks for the text of a sub-attribute. */
  private candidates(filter: Expression): number[] {
    const operands =
      filter.type === 'logical' && filter.operator === 'and' ? filter.operands : [filter]
    for (const operand of operands) {
      const part = operand.type === 'compare' ? this.indexed(operand) : undefined
      if (part !== undefined) return this.lookUp(part, String((operand as Compare).value))
    }
    return this.places()
  }

  private indexed({ path, operator, value }: Compare): AttributeNode | null | undefined {
    if (operator !== 'eq' || typeof value !== 'string' || path.subAttribute !== null)
      return undefined
    if (this.node.type !== 'complex') return null
    const part = this.node.subAttributes.get(fold(path.attribute))
    return part?.type === 'string' || part?.type === 'reference' ? part : undefined
  }

  private similar(wanted: unknown): number[] {
    if (!isObject(wanted))
      return this.node.type === 'complex' ? [] : this.lookUp(null, String(wanted))
    const part = this.node.subAttributes.get('value')
    if (part === undefined || typeof wanted.value !== 'string') return this.places()
    return this.lookUp(part, wanted.value)
  }

  private lookUp(part: AttributeNode | null, text: string): number[] {
    const folded = fold(text)
    const found = this.index(part, folded).get(folded) ?? []
    this.budget.spend(found.length)
    return found.filter((place) => {
      const element = this.elements[place]
      return element !== REMOVED && textOf(element, part) === folded
    })
  }

  /** The index of a sub-attribute, in which `text` is found if any element has it. */
  private index(part: AttributeNode | null, text: string): Map<string, number[]> {
    if (this.wanted !== null && !this.wanted.has(text)) {
      this.wanted = null
      this.indexes.clear()
    }
    const known = this.indexes.get(part)
    if (known) return known
    const places = new Map<string, number[]>()
    this.indexes.set(part, places)
    for (let place = 0; place < this.elements.length; place += 1) this.enter(places, part, place)
    return places
  }

  private enter(places: Map<string, number[]>, part: AttributeNode | null, place: number): void {
    const text = textOf(this.elements[place], part)
    if (text === undefined || this.wanted?.has(text) === false) return
    const known = places.get(text)
    if (known === undefined) places.set(text, [place])
    else if (known.at(-1) !== place) known.push(place)
  }

  // RFC 7644 §3.5.2: a new primary value makes all others non-primary.
  private keepOnePrimary(place: number): void {
    if (!this.node.subAttributes.has('primary')) return
    this.primaries ??= new Set(this.places().filter((other) => isPrimary(this.elements[other])))
    if (!isPrimary(this.elements[place])) {
      this.primaries.delete(place)
      return
    }
    for (const other of this.primaries) {
      const element = this.elements[other]
      if (other !== place && isPrimary(element)) {
        this.elements[other] = { ...(element as object), primary: false }
      }
    }
    this.primaries = new Set([place])
  }
}

/** Whether two values are the same, text as the definition compares it. */
function sameText(a: unknown, b: unknown, node: AttributeNode | undefined): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || node?.caseExact) return isSame(a, b)
  return fold(a) === fold(b)
}

function textOf(element: unknown, part: AttributeNode | null): string | undefined {
  const value = part === null ? element : isObject(element) ? element[part.name] : undefined
  return typeof value === 'string' ? fold(value) : undefined
}
