import type { ReadAnswer } from './read-answer.ts'
import type { StreamCall, StreamOperation } from './stream-request.ts'

/**
 * Sends a request and returns the answer, which can also be iterated. If it is iterated immediately, the request asks
 * for the stream. A client without streams does not load this.
 */
export function callStream(
  operation: StreamOperation,
  call: StreamCall,
): Promise<ReadAnswer> & AsyncIterable<unknown> {
  let isIterated = false
  const loading = import('./open-stream.ts')
  const answer = openNext()
  async function openNext(): Promise<ReadAnswer> {
    // A loop asks for its iterator before this continues.
    await null
    const wanted = isIterated ? 'stream' : 'body'
    const { openStream } = await loading
    return await openStream(operation, call, wanted)
  }
  async function* iterate(): AsyncGenerator<unknown, void> {
    const { iterateAnswer } = await loading
    yield* iterateAnswer(answer, call)
  }
  return Object.assign(answer, {
    [Symbol.asyncIterator]: () => {
      isIterated = true
      return iterate()
    },
  })
}
