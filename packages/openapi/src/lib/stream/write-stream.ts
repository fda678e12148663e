import type { StreamFormat } from '../spec/stream-spec.ts'

/** How a stream is sent. */
export interface StreamOptions {
  readonly format: StreamFormat
  /** The time (ms) between two comments that keep the connection open. */
  readonly heartbeat: number
  /** Ends the stream: it is aborted if the client goes away, and this function aborts it if the body is cancelled. */
  readonly ending: AbortController
  /** Called before a part is sent. If it throws, the stream fails. */
  readonly check?: ((text: string) => void | Promise<void>) | undefined
  /** Returns the last text of a stream that failed; null if its connection is aborted. */
  readonly fail: (error: unknown) => Promise<string | null>
  /** Receives an error of a source that was ended. */
  readonly onLateError: (error: unknown) => void
}

/**
 * Sends the parts of a source. A part is taken when the client reads, so that a slow client slows the source down.
 * Each chunk is a whole part, so that no part is sent in half.
 */
export function writeStream(
  source: AsyncIterable<unknown>,
  options: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { format, ending, check, fail } = options
  const { signal } = ending
  const encoder = new TextEncoder()
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false
  let stopBeating: (() => void) | undefined

  const finish = (): void => {
    isOver = true
    stopBeating?.()
  }
  const leave = (): void => {
    finish()
    ending.abort()
    // A source that waits ends when it notices the signal.
    void Promise.resolve(iterator.return?.()).catch(options.onLateError)
  }
  const pull = async (controller: Controller): Promise<void> => {
    stopBeating ??= startBeating(controller, format.heartbeat, options.heartbeat)
    try {
      const { done, value } = await iterator.next()
      if (isOver) return
      if (done === true) {
        finish()
        controller.close()
        return
      }
      const text = format.write(value)
      if (check !== undefined) await check(text)
      if (!isOver) controller.enqueue(encoder.encode(text))
    } catch (error) {
      if (isOver) {
        options.onLateError(error)
        return
      }
      leave()
      const last = await fail(error)
      if (last === null) controller.error(error)
      else {
        controller.enqueue(encoder.encode(last))
        controller.close()
      }
    }
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => {
        const abort = (): void => {
          if (isOver) return
          leave()
          // The client has gone. Servers log the error of a body, and this is not one.
          controller.close()
        }
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true })
      },
      pull,
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>

/** Sends comments from time to time. Returns a function that stops it. */
function startBeating(controller: Controller, text: string | null, time: number): () => void {
  if (text === null || time === 0) return () => undefined
  const beat = new TextEncoder().encode(text)
  // One timer for the whole stream, because a timer for each part costs more than the part.
  const timer: unknown = setInterval(() => {
    // One comment that waits for a slow client is enough.
    if ((controller.desiredSize ?? 0) >= 0) controller.enqueue(beat)
  }, time)
  // A stream that a program in Node no longer reads does not keep the process open.
  const { unref } = Object(timer) as { readonly unref?: () => void }
  unref?.call(timer)
  return () => clearInterval(timer as number)
}
