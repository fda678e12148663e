import type { DocumentOperations } from '../document/builder.ts'
import type { RouteMatch } from '../routing/route-match.ts'
import { checkExchange, findDeclaredResponse, findStream, undocumented } from './check.ts'
import { createPartChecker } from './check-parts.ts'
import { type Counts, countExchange, countItem } from './counts.ts'
import {
  type CountedExchange,
  copyRequest,
  countsBody,
  coverExchange,
  readKept,
  readSent,
} from './members/cover.ts'
import { planMembers } from './members/plan.ts'
import { coverSlot, type Tally } from './members/slot.ts'
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
  /** Returns the body's bytes as read by the handler, without a copy; undefined if it does not keep them. */
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
  /** The exchange to count for its operation; null if it does not count. */
  readonly counted: CountedExchange | null
}

/** Checks a response, and reads what the exchange may cover. Without `isRead`, the response body is not read. */
export async function checkReceived(
  document: DocumentOperations,
  { request, found, copy, readBytes }: Received,
  response: Response,
  isRead = true,
): Promise<CheckedResponse> {
  if (found === null) return { violations: [undocumented(request)], contract: null, counted: null }
  const { value: contract, params } = found
  const checked = await checkExchange(contract, request, response, isRead)
  const { violations, problem, content } = checked
  // A response to HEAD does not cover the body declared by GET.
  if (request.method === 'HEAD' && contract.method !== 'head') {
    return { violations, contract, counted: null }
  }
  const members = violations.length === 0 ? planMembers(document)(contract) : null
  const isAccepted = members !== null && response.status < 400
  if (!isAccepted) void copy?.body?.cancel().catch(() => undefined)
  // Without a body, an extra promise costs 5 % of the check.
  const kept = isAccepted && countsBody(members, request) ? (readBytes?.() ?? null) : null
  const sent =
    kept !== null
      ? await readKept(contract, request, kept)
      : isAccepted && copy !== null
        ? await readSent(contract, copy)
        : null
  const exchange = { contract, request, params, response, problem, members, content, sent }
  return { violations, contract, counted: exchange }
}

/** Counts a checked exchange. */
export function countChecked(counts: Counts, { contract, counted }: CheckedResponse): void {
  counts.exchanges += 1
  if (contract === null || counted === null) return
  countExchange(counts, contract, (covered) => coverExchange(counted, covered))
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
  const covered: Tally = {
    add: (item) => {
      if (!counted.has(item)) countItem(counts, contract, item)
      counted.add(item)
    },
  }
  return observeStream(response, stream, async (part) => {
    const violations = await check(part)
    const slot = slots?.get(part.name)
    if (violations.length > 0) onViolations(violations)
    else if (slot) coverSlot(slot, part.value, covered)
  })
}
