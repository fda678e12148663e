import { createWork, isExaminedWhole } from '@plumbline/base'
import type { DocumentOperations } from '../document/builder.ts'
import type { RouteMatch } from '../routing/route-match.ts'
import { checkExchange, findDeclaredResponse, findStream, undocumented } from './check.ts'
import { createPartChecker } from './check-parts.ts'
import { type Counts, countCut, countExchange, countItem } from './counts.ts'
import {
  type CountedExchange,
  copyRequest,
  countsBody,
  coverExchange,
  readKept,
  readSent,
} from './members/cover.ts'
import { hasMembers, planMembers } from './members/plan.ts'
import { coverSlot } from './members/slot.ts'
import { observeStream } from './observe-stream.ts'
import type { Item } from './report.ts'
import type { Contract } from './responses.ts'
import type { Violation } from './violation.ts'

/** A request before it is answered. */
export interface Received {
  readonly request: Request
  readonly found: Pick<RouteMatch<Contract>, 'value' | 'params'> | null
  /** A copy whose body is read if the request is accepted. */
  readonly copy: Request | null
  /** Returns the body's bytes as the handler reads them, without a copy; undefined if it does not keep them. */
  readonly readBytes?: ReadBytes | undefined
}

type ReadBytes = () => ArrayBuffer | null

/** Keeps what is needed from a request after it is answered. */
export function receiveRequest(
  document: DocumentOperations,
  request: Request,
  found: Received['found'],
  readBytes?: ReadBytes,
): Received {
  const copy =
    found === null || readBytes !== undefined
      ? null
      : copyRequest(planMembers(document)(found.value), request)
  return { request, found, copy, readBytes }
}

/** A checked exchange, before it is counted. */
export interface CheckedResponse {
  readonly violations: readonly Violation[]
  readonly contract: Contract | null
  /** The exchange to count for the operation; null if it does not count. */
  readonly counted: CountedExchange | null
  /** Whether a body whose members count was not read. */
  readonly isCut: boolean
}

/** How much of an exchange is checked. */
export interface Checking {
  /** Whether the response body is read; defaults to true. */
  readonly isRead?: boolean
  /** Whether the time for the check is over; never by default. */
  readonly isOver?: () => boolean
}

/** Checks a response, and reads what the exchange may cover. */
export async function checkReceived(
  document: DocumentOperations,
  { request, found, copy, readBytes }: Received,
  response: Response,
  { isRead = true, isOver = () => false }: Checking = {},
): Promise<CheckedResponse> {
  const uncounted = { counted: null, isCut: false }
  if (found === null) {
    return { violations: [undocumented(request)], contract: null, ...uncounted }
  }
  const { value: contract, params } = found
  const checked = await checkExchange(contract, request, response, isRead)
  const { violations, problem, content } = checked
  // A response to HEAD does not cover the body GET declares.
  if (request.method === 'HEAD' && contract.method !== 'head') {
    return { violations, contract, ...uncounted }
  }
  const members = violations.length === 0 ? planMembers(document)(contract) : null
  const isAccepted = members !== null && response.status < 400
  const isSent = isAccepted && countsBody(members, request)
  const isWanted = isSent && !isOver()
  if (!isWanted) void copy?.body?.cancel().catch(() => undefined)
  // Without a body, an extra promise costs 5 % of the check.
  const kept = isWanted ? (readBytes?.() ?? null) : null
  const sent =
    kept !== null
      ? await readKept(contract, request, kept)
      : isWanted && copy !== null
        ? await readSent(contract, copy)
        : null
  const isUnread = isSent && sent === null && hasMembers(members, 'request')
  const isUnseen = !isRead && members !== null && hasMembers(members, content?.key ?? '')
  const exchange = { contract, request, params, response, problem, members, content, sent }
  return { violations, contract, counted: exchange, isCut: isUnread || isUnseen }
}

/** Counts a checked exchange. */
export function countChecked(
  counts: Counts,
  { contract, counted, isCut }: CheckedResponse,
  isOver?: () => boolean,
): void {
  counts.exchanges += 1
  if (contract === null || counted === null) return
  const work = createWork(undefined, isOver)
  countExchange(counts, contract, (covered) => coverExchange(counted, covered), { isCut, work })
}

/** Checks a response's events while the client reads them, and counts those without violations. */
export function followStream(
  document: DocumentOperations,
  { request, found }: Received,
  response: Response,
  counts: Counts,
  onViolations: (violations: readonly Violation[]) => void,
): Response {
  if (found === null) return response
  const { value: contract } = found
  const stream = findStream(contract, request, response)
  if (stream === null) return response
  const { key } = Object(findDeclaredResponse(contract, response)) as { readonly key: string }
  const slots = planMembers(document)(contract).responses.get(key)?.parts
  const check = createPartChecker(contract.operationId, stream)
  const counted = new Set<Item>()
  const add = (item: Item): void => {
    if (!counted.has(item)) countItem(counts, contract, item)
    counted.add(item)
  }
  let isCut = false
  return observeStream(response, stream, async (part) => {
    const violations = await check(part)
    const slot = slots?.get(part.name)
    if (violations.length > 0) return onViolations(violations)
    if (slot === undefined) return
    const isWhole = isExaminedWhole(() => coverSlot(slot, part.value, { add, work: createWork() }))
    if (!isWhole && !isCut) countCut(counts, contract)
    isCut ||= !isWhole
  })
}
