import { isJsonObject, own } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { stringifyCanonical } from '../values/canonical.ts'
import { fold } from '../values/fold.ts'
import { spendOnText, type WorkBudget } from '../work-budget.ts'
import type { Operation } from './types.ts'

/** The key that finds a value: a sub-attribute, or the whole value. */
export type KeyPart = AttributeNode | null

/**
 * Finds the positions of the values in a list whose part is a given string. Each part has an index, created on first
 * use. The value at a position may have changed since, so the caller compares it again.
 */
export class PositionIndex {
  private readonly elements: readonly unknown[]
  private readonly budget: WorkBudget
  /** The folded strings in a sub-attribute's index; null if it contains all. */
  private wanted: ReadonlySet<string> | null
  private readonly indexes = new Map<KeyPart, Map<string, number[]>>()

  /** @param wanted The folded strings to be searched for. Any other string costs one more pass. */
  constructor(
    elements: readonly unknown[],
    wanted: ReadonlySet<string> | null,
    budget: WorkBudget,
  ) {
    this.elements = elements
    this.wanted = wanted
    this.budget = budget
  }

  /** Returns the positions of values with this string now or before. */
  find(part: KeyPart, text: string): readonly number[] {
    if (part !== null && this.wanted !== null && !this.wanted.has(text)) {
      this.wanted = null
      this.indexes.clear()
    }
    return this.index(part).get(text) ?? []
  }

  /** Adds a position's value, formerly `before`, to the existing indexes. */
  enter(position: number, before?: unknown): void {
    const element = this.elements[position]
    for (const [part, index] of this.indexes) {
      const isKept = part !== null && ownPart(before, part) === ownPart(element, part)
      if (!isKept) this.enterInto(index, part, position)
    }
  }

  private index(part: KeyPart): Map<string, number[]> {
    const known = this.indexes.get(part)
    if (known) return known
    const index = new Map<string, number[]>()
    this.indexes.set(part, index)
    for (let position = 0; position < this.elements.length; position += 1)
      this.enterInto(index, part, position)
    return index
  }

  private enterInto(index: Map<string, number[]>, part: KeyPart, position: number): void {
    const element = this.elements[position]
    const text =
      part === null
        ? keyOfWhole(element)
        : keyOfPart(isJsonObject(element) ? element[part.name] : undefined)
    if (text === undefined) return
    spendOnText(this.budget, text)
    if (part !== null && this.wanted !== null && !this.wanted.has(text)) return
    const known = index.get(text)
    if (known === undefined) index.set(text, [position])
    else if (known.at(-1) !== position) known.push(position)
  }
}

/** Returns the string that finds a value; undefined if the value lacks the part. */
export function keyOf(element: unknown, part: KeyPart, budget: WorkBudget): string | undefined {
  const key = part === null ? keyOfWhole(element) : keyOfPart(ownPart(element, part))
  if (key !== undefined) spendOnText(budget, key)
  return key
}

function keyOfWhole(element: unknown): string | undefined {
  return isJsonObject(element) ? stringifyCanonical(element) : keyOfPart(element)
}

/** Folds a string, a number or a boolean to a string. */
export function keyOfPart(value: unknown): string | undefined {
  if (typeof value === 'string') return fold(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function ownPart(element: unknown, { name }: AttributeNode): unknown {
  return isJsonObject(element) ? own(element, name) : undefined
}

/**
 * Collects the keys of strings, numbers and booleans in the operations' values and filters. Operations may search for
 * them among an attribute's values. Values nested deeper than any attribute are excluded, and so are filters in the
 * keys of a value without a path.
 */
export function collectSearchedTexts(operations: readonly Operation[]): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const { path, value } of operations) {
    collect(value, 0, texts)
    if (path !== null) collect(path.filter, 0, texts)
  }
  return texts
}

function collect(value: unknown, depth: number, texts: Set<string>): void {
  const key = keyOfPart(value)
  if (key !== undefined) texts.add(key)
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const part of Object.values(value)) collect(part, depth + 1, texts)
  }
}

/** An extension, an attribute, a list, an element, a part, a list again, an element. */
const MAX_DEPTH = 8
