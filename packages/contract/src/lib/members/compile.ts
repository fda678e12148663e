import { type Components, isJsonObject, type JsonObject } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import type { Item } from '../report.ts'
import {
  type Alternatives,
  alternativesOf,
  distinct,
  fixedValues,
  labelsOf,
  labelValue,
  testsOf,
} from './branches.ts'
import { flatten } from './flatten.ts'
import { type Content, createContent, type Slot } from './slot.ts'

/** Compiles one operation's schemas to slots, and collects their items. */
export interface SlotCompiler {
  /** Adds a place, such as `200` or `query:page`. The items there begin with this name. */
  add(place: string, schema: unknown, options?: PlaceOptions): Slot
  /** Compiles all added places. Returns the items, ordered by place. */
  finish(): { readonly items: readonly Item[]; readonly isCut: boolean }
}

/** How a place receives its value. */
export interface PlaceOptions {
  /** Whether absence and presence are items; neither by default. */
  readonly optional?: 'absent' | 'present' | 'both' | undefined
  /** Whether it is text, which cannot be an empty list. */
  readonly isText?: boolean
}

/** Where a schema is used. */
interface At extends PlaceOptions {
  readonly place: string
  readonly pointer: string
  /** The components that contain it, with their contents. */
  readonly within: ReadonlyMap<string, Content>
}

/** Creates a compiler. If there are too many items, it keeps those nearest to the root of a value. */
export function createSlotCompiler(components: Components): SlotCompiler {
  const compiling: Compiling = {
    components,
    items: new Map(),
    places: new Map(),
    waiting: [],
    isCut: false,
  }
  const { places, items, waiting } = compiling
  return {
    add: (place, schema, options = {}) => {
      places.set(place, [])
      return slotOf(compiling, schema, { place, pointer: '', within: new Map(), ...options })
    },
    finish: () => {
      // The list grows while it is read, so the nearest schemas come first.
      for (const next of waiting) next()
      items.clear()
      return { items: [...places.values()].flat(), isCut: compiling.isCut }
    },
  }
}

/** A compiler's state. */
interface Compiling {
  readonly components: Components
  readonly items: Map<string, Item>
  /** The items by place. */
  readonly places: Map<string, Item[]>
  /** Tasks that fill the remaining contents. */
  readonly waiting: (() => void)[]
  isCut: boolean
}

function itemOf(compiling: Compiling, { place, pointer }: At, kind: string): Item | null {
  const { items, places } = compiling
  const name = [place, pointer, kind].filter((part) => part !== '').join(' ')
  const known = items.get(name)
  if (known) return known
  if (items.size >= MAX_ITEMS) {
    compiling.isCut = true
    return null
  }
  const item: Item = { kind: 'members', name }
  items.set(name, item)
  places.get(place)?.push(item)
  return item
}

function slotOf(compiling: Compiling, schema: unknown, at: At): Slot {
  const found = alternativesOf(schema, compiling.components)
  const isNullable = found?.isNullable === true
  const { optional } = at
  const isCounted = isNullable || optional === 'both' || optional === 'present'
  const present = at.pointer === '' && optional !== 'present' ? 'present' : ''
  return {
    present: isCounted ? itemOf(compiling, at, present) : null,
    absent: optional === 'absent' || optional === 'both' ? itemOf(compiling, at, 'absent') : null,
    null: isNullable ? itemOf(compiling, at, 'null') : null,
    content: found === null ? createContent() : contentOf(compiling, found, at),
  }
}

function contentOf(compiling: Compiling, { unions, names }: Alternatives, at: At): Content {
  const { waiting } = compiling
  for (const name of names) {
    const known = at.within.get(name)
    if (known) return known
  }
  const content = createContent()
  if (unions.some((branches) => branches.length === 0)) return content
  if (waiting.length >= MAX_SCHEMAS) {
    compiling.isCut = true
    return content
  }
  const added = [...names].map((name) => [name, content] as const)
  const inner = added.length === 0 ? at : { ...at, within: new Map([...at.within, ...added]) }
  const [[only, ...alternatives] = [], ...others] = unions
  waiting.push(() =>
    only !== undefined && alternatives.length === 0 && others.length === 0
      ? fillContent(compiling, content, only.flat, inner)
      : fillUnions(compiling, content, unions, inner),
  )
  return content
}

/** Adds the branches of all unions. A union with one branch is what the value also contains, and not an item. */
function fillUnions(
  compiling: Compiling,
  content: Content,
  unions: Alternatives['unions'],
  at: At,
): void {
  const tests = unions.flatMap((branches) => testsOf(branches, compiling.components))
  const labels = labelsOf(unions)
  const isItem = unions.flatMap((branches) => branches.map(() => branches.length > 1))
  content.branches = unions.flat().map((branch, index) => ({
    item: isItem[index] === true ? itemOf(compiling, at, labels[index] ?? '') : null,
    accepts: tests[index] ?? (() => false),
    slot: slotOf(compiling, branch.schema, { ...at, optional: undefined }),
  }))
}

function fillContent(compiling: Compiling, content: Content, flat: JsonObject, at: At): void {
  const { items, prefixItems, additionalProperties, patternProperties } = flat
  const within = (step: string | number, schema: unknown, isOptional = false) => {
    const optional = isOptional ? ('both' as const) : undefined
    const pointer = `${at.pointer}${pointerOf([step])}`
    return slotOf(compiling, schema, { ...at, pointer, optional })
  }
  content.values = valuesOf(compiling, flat, at)
  if (mayBeEmptyOrNot(flat) && at.isText !== true) {
    content.empty = itemOf(compiling, at, 'empty')
    content.nonEmpty = itemOf(compiling, at, 'non-empty')
  }
  const first = Array.isArray(prefixItems) ? prefixItems : []
  content.first = first.map((part, index) => within(index, part))
  content.rest = isJsonObject(items) ? within('*', items) : null
  const required = new Set(Array.isArray(flat.required) ? flat.required : [])
  content.members = new Map(
    Object.entries(Object(flat.properties))
      .filter(([, part]) => flatten(part, compiling.components) !== null)
      .map(([name, part]) => [name, within(name, part, !required.has(name))]),
  )
  const [pattern] = Object.values(Object(patternProperties))
  const others = isJsonObject(additionalProperties) ? additionalProperties : pattern
  content.others = isJsonObject(others) ? within('*', others) : null
}

/** Creates one item per value for an enum with at least two values. */
function valuesOf(compiling: Compiling, flat: JsonObject, at: At): Content['values'] {
  const fixed = fixedValues(flat)?.filter((value) => value !== null) ?? []
  if (fixed.length < 2) return new Map()
  const labels = distinct(fixed.map(labelValue))
  return new Map(
    fixed.flatMap((value, index) => {
      const item = itemOf(compiling, at, labels[index] ?? '')
      return item === null ? [] : [[value, item] as const]
    }),
  )
}

function mayBeEmptyOrNot({ type, items, minItems, maxItems, prefixItems }: JsonObject): boolean {
  const isList = type === 'array' || (type === undefined && items !== undefined)
  const hasMore = maxItems !== 0 && !(items === false && prefixItems === undefined)
  return isList && (minItems ?? 0) === 0 && hasMore
}

/** How many members count for one operation. */
export const MAX_ITEMS = 500
/** How many schemas are entered for one operation: a schema without items may contain others many times. */
const MAX_SCHEMAS = 5_000
