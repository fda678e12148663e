import type { OperationFacts } from './manifest.ts'
import type { ReadAnswer } from './read-answer.ts'
import type { SendRequest, StreamCall } from './stream-request.ts'

/** Sends a request and returns its answer, which can also be iterated. A client without streams does not load this. */
export function callStream(
  streams: NonNullable<OperationFacts['streams']>,
  send: SendRequest,
  call: StreamCall,
): Promise<ReadAnswer> & AsyncIterable<unknown> {
  const loading = import('./open-stream.ts')
  const answer = loading.then(({ openStream }) => openStream(streams, send, call))
  return Object.assign(answer, {
    async *[Symbol.asyncIterator]() {
      const { iterateAnswer } = await loading
      yield* iterateAnswer(answer, call.signal)
    },
  })
}
