import { createWork, defined, isExaminedWhole } from '@plumbline/base'
import { type CheckedExchange, type Found, isCounted } from '@plumbline/openapi/internal'
import type { ReadPart } from '@plumbline/openapi/streams'
import type { RecordedContext } from '@plumbline/openapi/testing'
import {
  type CountedExchange,
  copyRequest,
  countsBody,
  coverExchange,
  readKept,
  readSent,
} from '../members/cover.ts'
import { hasMembers, planMembers } from '../members/plan.ts'
import { coverSlot } from '../members/slot.ts'
import type { Item } from '../report.ts'
import type { Source, SourceOperation } from '../source.ts'
import { type Counts, countCut, countExchange, countItem } from './counts.ts'

/** A request before it is answered. */
export interface Received extends Pick<RecordedContext, 'request' | 'readBytes'> {
  readonly found: Found<SourceOperation> | null
  /** A copy whose body is read if the request is accepted. */
  readonly copy: Request | null
}

/** Keeps what is needed from a request after it is answered. */
export function receiveRequest(
  source: Source,
  { request, readBytes }: RecordedContext,
  found: Found<SourceOperation> | null,
): Received {
  if (found === null || readBytes !== undefined)
    return defined({ request, found, copy: null, readBytes })
  return { request, found, copy: copyRequest(planMembers(source)(found.value), request) }
}

/** The values in an exchange, which may cover items. */
export interface ReadExchange {
  readonly operation: SourceOperation | null
  /** The exchange to count for the operation; null if it does not count. */
  readonly counted: CountedExchange | null
  /** Whether a body whose members count was not read. */
  readonly isCut: boolean
}

/** How much of an exchange is read. */
export interface Reading {
  /** Whether the response body is read; defaults to true. */
  readonly isRead?: boolean
  /** Whether the time for the check is over; never by default. */
  readonly isOver?: () => boolean
}

/** Reads the values in a checked exchange. */
export async function readExchange(
  source: Source,
  { request, found, copy, readBytes }: Received,
  { violations, problem, content }: CheckedExchange,
  response: Response,
  { isRead = true, isOver = () => false }: Reading = {},
): Promise<ReadExchange> {
  const uncounted = { counted: null, isCut: false }
  if (found === null) return { operation: null, ...uncounted }
  const { value: operation, params } = found
  if (!isCounted(operation, request)) return { operation, ...uncounted }
  const members = violations.length === 0 ? planMembers(source)(operation) : null
  const isAccepted = members !== null && response.status < 400
  const isSent = isAccepted && countsBody(members, request)
  const isWanted = isSent && !isOver()
  if (!isWanted) void copy?.body?.cancel().catch(() => undefined)
  // Without a body, an extra promise costs 5 % of the check.
  const kept = isWanted ? (readBytes?.() ?? null) : null
  const sent =
    kept !== null
      ? await readKept(operation, request, kept)
      : isWanted && copy !== null
        ? await readSent(operation, copy)
        : null
  const isUnread = isSent && sent === null && hasMembers(members, 'request')
  const isUnseen = !isRead && members !== null && hasMembers(members, content?.key ?? '')
  const exchange = { operation, request, params, response, problem, members, content, sent }
  return { operation, counted: exchange, isCut: isUnread || isUnseen }
}

/** Counts an exchange after its values were read. */
export function countChecked(
  counts: Counts,
  { operation, counted, isCut }: ReadExchange,
  isOver?: () => boolean,
): void {
  counts.exchanges += 1
  if (operation === null || counted === null) return
  const work = createWork(undefined, isOver)
  countExchange(counts, operation, (covered) => coverExchange(counted, covered), { isCut, work })
}

/** Creates a function that counts one stream's parts, each item once. */
export function createPartCounter(
  source: Source,
  operation: SourceOperation,
  counts: Counts,
): (part: ReadPart, key: string) => void {
  const counted = new Set<Item>()
  const add = (item: Item): void => {
    if (!counted.has(item)) countItem(counts, operation, item)
    counted.add(item)
  }
  let isCut = false
  return ({ name, value }, key) => {
    const slot = planMembers(source)(operation).responses.get(key)?.parts.get(name)
    if (slot === undefined) return
    const isWhole = isExaminedWhole(() => coverSlot(slot, value, { add, work: createWork() }))
    if (!isWhole && !isCut) countCut(counts, operation)
    isCut ||= !isWhole
  }
}
