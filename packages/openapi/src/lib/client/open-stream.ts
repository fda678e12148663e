import { BOOLEAN, type Forms, oneOf, requireOptions } from '@plumbline/base'
import { canSendId, readLastEventId } from '../stream/last-event-id.ts'
import type { ReadAnswer } from './read-answer.ts'
import { readParts } from './read-parts.ts'
import { formatsOf, initOf, notAStream, type Reading, typesOf } from './reading.ts'
import { connectAgain, countFailure } from './reconnect.ts'
import { ResponseError } from './response-error.ts'
import type { StreamInit } from './stream-init.ts'
import type { StreamCall, StreamOperation } from './stream-request.ts'

/** Sends a request. A stream's body is an async iterable over its parts. */
export async function openStream(
  operation: StreamOperation,
  call: StreamCall,
  wanted: 'stream' | 'body',
): Promise<ReadAnswer> {
  const { check, reconnect } = call
  requireOptions<StreamInit>('the client', { check, reconnect }, FORMS)
  if (check === true && call.spec === null) {
    throw new TypeError('a client of a manifest cannot check events; create it from the operations')
  }
  const reading = { operation, call, lastId: '', retry: SECOND, count: 0, failures: 0 }
  const { fetch, facts, send } = operation
  const answer = await send(
    initOf(call),
    (url, init) => {
      // The caller may resume a stream of another process.
      reading.lastId = readLastEventId(new Headers(init.headers)) ?? ''
      return fetch(url, init)
    },
    typesOf(facts, wanted),
  )
  if (formatsOf(facts, answer) === null) return answer
  return { ...answer, body: readAll(reading, answer) }
}

/** Yields the parts of an awaited answer; none if the request was aborted, or if there is nothing to reconnect to. */
export async function* iterateAnswer(
  answering: Promise<ReadAnswer>,
  { signal, reconnect }: StreamCall,
): AsyncGenerator<unknown, void> {
  const isStop = (status: number) => reconnect !== undefined && status === NO_CONTENT
  let answer: ReadAnswer
  try {
    answer = await answering
  } catch (error) {
    if (signal?.aborted) return
    if (error instanceof ResponseError && isStop(error.response.status)) return
    throw error
  }
  const { body, status } = answer
  if (isStop(status)) return
  if (!isAsyncIterable(body) || body instanceof ReadableStream) throw notAStream(answer)
  yield* body
}

async function* readAll(reading: Reading, first: ReadAnswer): AsyncGenerator<unknown, void> {
  const { signal, reconnect } = reading.call
  let answer: ReadAnswer | null = first
  while (answer !== null) {
    const failure: unknown = yield* readParts(reading, answer)
    const isOver = failure === null ? reconnect !== 'always' : reconnect === undefined
    if (signal?.aborted || (isOver && failure === null)) return
    if (isOver || isAbort(failure)) throw failure
    if (!canSendId(reading.lastId)) {
      throw new ResponseError(
        'malformed',
        'the last event ID is not a header value',
        answer.response,
      )
    }
    if (failure === null) reading.failures = 0
    else countFailure(reading, failure)
    answer = await connectAgain(reading)
  }
}

/** A `fetch` with a signal of its own was aborted. */
function isAbort(error: unknown): boolean {
  return Object(error).name === 'AbortError'
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

const FORMS: Forms<StreamInit> = { check: BOOLEAN, reconnect: oneOf('on-failure', 'always') }
const SECOND = 1_000
const NO_CONTENT = 204
