import type { Step } from '@plumbline/base'
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml'
import type { Position } from './excerpt.ts'
import { linesOf } from './excerpt.ts'

/** Returns an offset's line and column, from 1. */
export function positionAt(text: string, offset: number): Position {
  const lines = linesOf(text.slice(0, offset))
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Finds the value's position at `path` in YAML text, which includes JSON; null if the text cannot be parsed. */
export function findPosition(text: string, path: readonly Step[]): Position | null {
  const events = readEvents(text)
  const offset = findOffset(text, events, path)
  return offset === null ? null : positionAt(text, offset)
}

/** Finds the position where the last key in `path` is; null if the text cannot be parsed. */
export function findKeyPosition(text: string, path: readonly Step[]): Position | null {
  const events = readEvents(text)
  const offset = findOffset(text, events, path, 'key')
  return offset === null ? null : positionAt(text, offset)
}

/** Finds where the second document starts in YAML text. */
export function findSecondDocument(text: string): Position | null {
  const events = readEvents(text)
  // The first event begins the first document.
  const second = events.findIndex(({ type }, at) => at > 0 && type === EVENT_ID.DOCUMENT)
  const event = second < 0 ? undefined : events[second + 1]
  const offset = event === undefined ? null : startOf(event)
  return offset === null ? null : positionAt(text, offset)
}

/** Finds the first YAML key that is a list or a map. */
export function findComplexKey(text: string): Position | null {
  const events = readEvents(text)
  // Whether each open collection has a key next; null for a collection without keys.
  const expected: (boolean | null)[] = []
  for (const event of events) {
    const { type } = event
    if (type === EVENT_ID.POP) {
      expected.pop()
      continue
    }
    const isCollection = type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE
    const isKey = expected.at(-1) ?? null
    if (isKey && isCollection) return positionAt(text, event.start)
    if (isKey !== null) expected[expected.length - 1] = !isKey
    if (isCollection) expected.push(type === EVENT_ID.MAPPING ? true : null)
  }
  return null
}

/** Returns the text's YAML events; none if it cannot be read. */
function readEvents(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth: 1_000 })
  } catch {
    return []
  }
}

/** Follows the path through the flat event list; stops at the last existing step. */
function findOffset(
  text: string,
  events: readonly Event[],
  path: readonly Step[],
  wanted: 'key' | 'value' = 'value',
): number | null {
  let at = 1
  let found: number | null = null
  for (const [depth, step] of [...path, null].entries()) {
    const event = events[at]
    const start = event === undefined ? null : startOf(event)
    if (event === undefined || start === null) return found
    found = start
    if (step === null) return found
    if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) return found
    const isLast = depth === path.length - 1
    const child = findChild(text, events, at, step, isLast ? wanted : 'value')
    if (child === null) return found
    at = child
  }
  return found
}

/**
 * Finds the member or element `step` in the collection at `at`, or the key. An omitted value has the key's position.
 */
function findChild(
  text: string,
  events: readonly Event[],
  at: number,
  step: Step,
  wanted: 'key' | 'value',
): number | null {
  const isMapping = events[at]?.type === EVENT_ID.MAPPING
  let found: number | null = null
  let index = 0
  for (let child = at + 1; child < events.length; index += 1) {
    const event = events[child]
    if (event === undefined || event.type === EVENT_ID.POP) break
    if (!isMapping && String(index) === String(step)) return child
    const value = skipValue(events, child)
    if (!isMapping) child = value
    else {
      const isKey = event.type === EVENT_ID.SCALAR && getScalarValue(text, event) === String(step)
      const isWritten = events[value] !== undefined && startOf(events[value]) !== null
      // If two members have one name, JSON uses the last.
      if (isKey) found = isWritten && wanted === 'value' ? value : child
      child = skipValue(events, value)
    }
  }
  return found
}

/** Returns the index after the value at `at`. */
function skipValue(events: readonly Event[], at: number): number {
  let depth = 0
  for (let next = at; next < events.length; next += 1) {
    const type = events[next]?.type
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth += 1
    else if (type === EVENT_ID.POP) depth -= 1
    if (depth <= 0) return next + 1
  }
  return events.length
}

function startOf(event: Event): number | null {
  switch (event.type) {
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start
    case EVENT_ID.SCALAR:
      // An omitted value, which is null, does not have a position.
      if (event.valueStart < 0) return null
      // A quoted value begins at the quote, a block scalar at the first line.
      return QUOTED.has(event.style) ? event.valueStart - 1 : event.valueStart
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1
    default:
      return null
  }
}

const QUOTED: ReadonlySet<number> = new Set([
  SCALAR_STYLE.SINGLE_QUOTED,
  SCALAR_STYLE.DOUBLE_QUOTED,
])
