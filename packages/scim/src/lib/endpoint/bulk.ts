import { unwrap } from '@plumbline/result'
import { parseBulk } from '../bulk/parse.ts'
import { isSuccessStatus } from '../bulk/response.ts'
import { runBulk } from '../bulk/run.ts'
import type { BulkResourceType, Call, Outcome } from '../bulk/types.ts'
import { type Answer, addIgnored, type Exchange } from './core/exchange.ts'

/** Answers a bulk operation like a separate request. It does not throw. */
export type Execute<Context> = (exchange: Exchange<Context>, call: Call) => Promise<Answer>

/** Runs a bulk request's operations (RFC 7644 §3.7). Other requests run in between. */
export async function answerBulk<Context>(
  exchange: Exchange<Context>,
  resourceTypes: readonly BulkResourceType[],
  execute: Execute<Context>,
): Promise<Answer> {
  const { bulkOperations, body } = exchange.limits
  const limits = { maxOperations: bulkOperations, maxPayloadSize: body }
  const bulk = unwrap(parseBulk(await exchange.body(), limits))
  const ignored = new Set<string>()
  const run = async (call: Call): Promise<Outcome> => {
    await exchange.turn(0)
    const answer = await execute(exchange, call)
    for (const path of answer.ignored ?? []) addIgnored(ignored, path)
    return toOutcome(answer)
  }
  const response = await runBulk(bulk, run, { resourceTypes, base: exchange.base })
  return { status: 200, headers: {}, body: response, ignored }
}

function toOutcome({ status, headers, body }: Answer): Outcome {
  const { Location: location, ETag: version } = headers
  return {
    status,
    ...(location === undefined ? {} : { location }),
    ...(version === undefined ? {} : { version }),
    // RFC 7644 §3.7.3: only an error has a body; for a success the location is enough.
    ...(isSuccessStatus(status) || body === null ? {} : { response: body }),
  }
}
