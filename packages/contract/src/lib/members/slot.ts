import { enter, leave, type Work } from '@plumbline/base'
import type { Item } from '../report.ts'

/** A place in a value, with the items it may cover. An item is null if the contract does not contain it. */
export interface Slot {
  /** The item for a non-null value. */
  readonly present: Item | null
  readonly absent: Item | null
  readonly null: Item | null
  readonly content: Content
}

/** The items within a value. A recursive schema is its own content. */
export interface Content {
  /** The enum's items by value. */
  values: ReadonlyMap<unknown, Item>
  empty: Item | null
  nonEmpty: Item | null
  /** The first elements of a list, and all others. */
  first: readonly Slot[]
  rest: Slot | null
  members: ReadonlyMap<string, Slot>
  /** Members the schema does not name. */
  others: Slot | null
  branches: readonly Branch[]
}

/** A union's alternative. */
export interface Branch {
  readonly item: Item | null
  readonly accepts: (value: unknown, work: Work) => boolean
  readonly slot: Slot
}

/** Receives covered items. It may receive an item several times. */
export interface Tally {
  add(item: Item): unknown
  /** The work allowed for covering. */
  readonly work: Work
}

/** A content without items. */
export function createContent(): Content {
  return {
    values: NO_VALUES,
    empty: null,
    nonEmpty: null,
    first: [],
    rest: null,
    members: NO_MEMBERS,
    others: null,
    branches: [],
  }
}

/**
 * Adds the items a value covers. An absent value is undefined. If the work is not enough, the items found so far are
 * added, and `isExaminedWhole` returns false.
 */
export function coverSlot(slot: Slot, value: unknown, covered: Tally): void {
  enter(covered.work)
  if (value === undefined) add(slot.absent, covered)
  else if (value === null && slot.null !== null) covered.add(slot.null)
  else {
    add(slot.present, covered)
    coverContent(slot.content, value, covered)
  }
  leave(covered.work)
}

function coverContent(content: Content, value: unknown, covered: Tally): void {
  const { values, branches } = content
  if (values.size > 0) add(values.get(value) ?? null, covered)
  const isObject = typeof value === 'object' && value !== null
  if (isObject && isCoveredBefore(content, value, covered.work)) return
  if (branches.length > 0) coverBranches(branches, value, covered)
  if (Array.isArray(value)) coverList(content, value, covered)
  else if (isObject) coverMembers(content, value, covered)
}

/** If a value has several branches, inner values have the same content several times: 2^depth times in a recursion. */
function isCoveredBefore(content: Content, value: object, { examined }: Work): boolean {
  if (examined === null) return false
  const contents = examined.get(value) ?? new Set()
  examined.set(value, contents)
  return contents.size === contents.add(content).size
}

function coverBranches(branches: readonly Branch[], value: unknown, covered: Tally): void {
  const { work } = covered
  let isOnly = true
  for (const { item, accepts, slot } of branches) {
    if (!accepts(value, work)) continue
    if (!isOnly) work.examined ??= new WeakMap()
    isOnly = false
    add(item, covered)
    coverSlot(slot, value, covered)
  }
}

function coverList(content: Content, list: readonly unknown[], covered: Tally): void {
  const { empty, nonEmpty, first, rest } = content
  add(list.length === 0 ? empty : nonEmpty, covered)
  if (first.length === 0 && rest === null) return
  for (const [at, element] of list.entries()) {
    const slot = first[at] ?? rest
    if (slot !== null) coverSlot(slot, element, covered)
  }
}

function coverMembers({ members, others }: Content, object: object, covered: Tally): void {
  for (const [name, slot] of members) coverSlot(slot, ownMember(object, name), covered)
  if (others === null) return
  for (const name of Object.keys(object)) {
    if (members.has(name)) continue
    coverSlot(others, ownMember(object, name), covered)
  }
}

function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name as keyof typeof object] : undefined
}

function add(item: Item | null, covered: Tally): void {
  if (item !== null) covered.add(item)
}

/**
 * Writes a pointer's place in values with one of these slots. Elements, record keys and steps the schema does not name
 * become `*`.
 */
export function placeOf(
  slots: readonly Slot[],
  steps: readonly string[],
  write: (steps: readonly string[]) => string,
): string {
  let contents = slots.map(({ content }) => content)
  const place = steps.map((step) => {
    const all = withBranches(contents)
    const named = all.flatMap(({ members }) => members.get(step) ?? [])
    const others = all.flatMap(({ first, rest, others }) => [...first, rest, others])
    const inner = named.length > 0 ? named : others
    contents = inner.flatMap((slot) => (slot === null ? [] : [slot.content]))
    return named.length > 0 ? step : '*'
  })
  return write(place)
}

function withBranches(contents: readonly Content[]): readonly Content[] {
  const all = new Set(contents)
  // The set grows while it is read.
  for (const { branches } of all) for (const { slot } of branches) all.add(slot.content)
  return [...all]
}

const NO_MEMBERS: ReadonlyMap<string, Slot> = new Map()
const NO_VALUES: ReadonlyMap<unknown, Item> = new Map()
