import { isFailure, unwrap } from '@plumbline/result'
import { alreadyRead, isEmptyBody, readBody } from '../message/read-body.ts'
import type { ChangeReports, Exchange, Write } from './exchange.ts'
import { addIgnored } from './ignored.ts'
import type { Answered } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { Target } from './target.ts'

/** An answer's facts, as far as they are known. */
export type Facts<Context> = {
  -readonly [Name in Exclude<keyof Answered<Context>, 'status'>]: Answered<Context>[Name]
}

/** Creates the facts of a new request, before the route is known. */
export function createFacts<Context>(request: Request): Facts<Context> {
  return {
    request,
    context: null,
    route: null,
    id: '',
    error: null,
    body: undefined,
    ignored: [],
  }
}

/** The endpoint parts that all exchanges share. */
export interface ExchangeParts<Context> {
  readonly prepared: Prepared<Context>
  readonly write: Write<Context>
  readonly changes: ChangeReports<Context> | null
  readonly turn: (context: Context, bytes: number) => Promise<void> | undefined
}

/** Creates an authenticated client's exchange. It adds the body and the ignored values to the facts when they are known. */
export function createExchange<Context>(
  service: ExchangeParts<Context>,
  facts: Facts<Context>,
  { origin, query }: Target,
  context: Context,
  isRead = false,
): Exchange<Context> {
  const { prepared, write, changes } = service
  const { request, id } = facts
  const { headers } = request
  const { limits, profileOf, baseOf } = prepared
  const turn = (bytes: number) => service.turn(context, bytes)
  return {
    request,
    context,
    profile: profileOf(context),
    limits,
    base: baseOf(request, origin),
    id,
    query,
    conditions: { ifMatch: headers.get('If-Match'), ifNoneMatch: headers.get('If-None-Match') },
    body: async () => {
      const received = await readBody(request, { limit: limits.body, turn })
      // Node has given a body to a reader, and the request is empty. It is not if the reader has cloned the request.
      if (isRead && isFailure(received) && isEmptyBody(received.error)) throw alreadyRead()
      facts.body = unwrap(received)
      return facts.body
    },
    reportIgnored: (paths) => {
      if (paths.size === 0) return
      // Bulk operations share the list.
      const all = new Set(facts.ignored)
      for (const path of paths) addIgnored(all, path)
      facts.ignored = [...all]
    },
    turn,
    types: prepared.types,
    write,
    changes,
  }
}
