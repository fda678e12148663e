import type { PartReader, ReadPart } from '../spec/stream-spec.ts'

/** Receives each part of a stream before the client does. */
export type OnPart = (part: ReadPart) => Promise<void>

/**
 * Returns the same response, and observes the parts as the client reads them. It keeps only the unfinished part in
 * memory, and never reads ahead of the client.
 */
export function observeStream(response: Response, parts: PartReader, onPart: OnPart): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const source = body.getReader()
  const observe = async (read: Iterable<ReadPart>): Promise<void> => {
    for (const part of read) await onPart(part)
  }
  const observed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const { done, value } = await source.read()
        if (done) {
          await observe(parts.end())
          controller.close()
          return
        }
        await observe(parts.read(value))
        controller.enqueue(value)
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(observed, { status, statusText, headers })
}
