import { concatenate } from '../read-pieces.ts'
import { type BodyOwner, BodyReadError, checkArrived, checkUnread } from './body-read-error.ts'

/** A stream's bytes; `unreadable` if the client did not send all of them. */
type ReadBytes = Uint8Array<ArrayBuffer> | 'unreadable'

/** Reads the stream of a request's body up to a limit (bytes). Rejects with a BodyReadError if other code has read it. */
export function readStream(request: BodyOwner): Promise<ReadBytes>
export function readStream(request: BodyOwner, limit: number): Promise<ReadBytes | 'too-large'>
export async function readStream(
  request: BodyOwner,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<ReadBytes | 'too-large'> {
  const { body } = request
  if (request.bodyUsed || body?.locked) throw new BodyReadError()
  const reader = body?.getReader()
  if (reader === undefined) {
    checkArrived(request, 0)
    return new Uint8Array()
  }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        checkArrived(request, length)
        return concatenate(chunks, length)
      }
      // A program can make a `Request` from a stream of anything.
      if (!(value instanceof Uint8Array)) return 'unreadable'
      length += value.byteLength
      if (length > limit) {
        void reader.cancel().catch(() => undefined)
        return 'too-large'
      }
      chunks.push(value)
    }
  } catch (error) {
    checkUnread(request, error)
    // A closed connection is not a server error.
    return 'unreadable'
  }
}
