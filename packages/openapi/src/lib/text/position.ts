import { EVENT_ID, type Event, getScalarValue, parseEvents } from 'js-yaml'
import type { Step } from '../json-schema/walk.ts'
import type { Position } from './errors.ts'

/** The line and column of an offset, from 1. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/**
 * Finds where in a text of YAML or JSON, which YAML includes, the value stands that `path` leads to;
 * null where the text cannot tell.
 */
export function positionOf(text: string, path: readonly Step[]): Position | null {
  let events: readonly Event[]
  try {
    events = parseEvents(text, { maxDepth: 1_000 })
  } catch {
    return null
  }
  const offset = offsetOf(text, events, path)
  return offset === null ? null : positionAt(text, offset)
}

/** Follows the path through the flat list of events; a path that ends early ends where it got to. */
function offsetOf(text: string, events: readonly Event[], path: readonly Step[]): number | null {
  let at = 1
  let found: number | null = null
  for (const step of [...path, null]) {
    const event = events[at]
    const start = event === undefined ? null : startOf(event)
    if (event === undefined || start === null) return found
    found = start
    if (step === null) return found
    if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) return found
    const child = childOf(text, events, at, step)
    if (child === null) return found
    at = child
  }
  return found
}

/** Where the member or element `step` of the collection at `at` begins. */
function childOf(text: string, events: readonly Event[], at: number, step: Step): number | null {
  const isMapping = events[at]?.type === EVENT_ID.MAPPING
  let index = 0
  for (let child = at + 1; events[child] && events[child]?.type !== EVENT_ID.POP; index += 1) {
    const event = events[child]
    if (!isMapping && String(index) === String(step)) return child
    const next = endOf(events, child)
    if (isMapping) {
      const isKey = event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === String(step)
      if (isKey) return next
      child = endOf(events, next)
    } else child = next
  }
  return null
}

/** The event behind the value that begins at `at`. */
function endOf(events: readonly Event[], at: number): number {
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
      // A quoted value begins at its quote.
      return event.style === 1 ? event.valueStart : event.valueStart - 1
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1
    default:
      return null
  }
}
