import { noteReported } from '@plumbline/base'
import type { StreamFormat } from '../spec/stream-spec.ts'

/** How a stream is sent. */
export interface StreamOptions {
  readonly format: StreamFormat
  /** The time (ms) between comments that keep the connection open. */
  readonly heartbeat: number
  /** Ends the stream: it is aborted if the client goes away, and this function aborts it if the body is cancelled. */
  readonly ending: AbortController
  /** Called before a part is sent. If it throws, the stream fails. */
  readonly check?: ((text: string) => void | Promise<void>) | undefined
  /** Returns a failed stream's last text; null if the connection is aborted. */
  readonly fail: (error: unknown) => Promise<string | null>
  /** Receives errors from a source already ended. */
  readonly onLateError: (error: unknown) => void
}

/**
 * Sends a source's parts. A part is taken when the client reads, so a slow client slows the source down. Each chunk is
 * a whole part, so parts are never cut.
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
    // A waiting source ends when it notices the signal.
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
      endFailed(controller, error, last === null ? null : encoder.encode(last))
    }
  }
  const start = (controller: Controller): void => {
    const abort = (): void => {
      if (isOver) return
      leave()
      // The client has disconnected. Servers log body errors, and this isn't one.
      controller.close()
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  }
  return new ReadableStream({ start, pull, cancel: leave }, { highWaterMark: 0 })
}

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>

/** Sends comments from time to time. Returns a function that stops it. */
function startBeating(controller: Controller, text: string | null, time: number): () => void {
  if (text === null || time === 0) return () => undefined
  const beat = new TextEncoder().encode(text)
  // One timer for the whole stream, because a timer for each part costs more than the part.
  const timer: unknown = setInterval(() => {
    // A slow client needs only one pending comment.
    if ((controller.desiredSize ?? 0) >= 0) controller.enqueue(beat)
  }, time)
  // An abandoned stream does not keep a Node process open.
  const { unref } = Object(timer) as { readonly unref?: () => void }
  unref?.call(timer)
  return () => clearInterval(timer as number)
}

/** Ends a failed stream with a last part, or aborts its connection without one. */
function endFailed(
  controller: Controller,
  error: unknown,
  last: Uint8Array<ArrayBuffer> | null,
): void {
  if (last === null) {
    noteReported(error)
    controller.error(error)
  } else {
    controller.enqueue(last)
    controller.close()
  }
}
