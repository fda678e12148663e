import type { Outbox } from '@plumbline/scim/endpoint'

/** Options for `streamJson`. */
export interface StreamOptions {
  readonly outbox: Outbox
  /** The key under which the client's unread responses are counted. */
  readonly client: string
  /** Aborts if the client closes the connection. */
  readonly signal: AbortSignal
}

/**
 * Returns JSON as a body that is sent as fast as the client reads, and that is counted until then. Null if too much has
 * not been read yet. `Body` is the type of the JSON: `reply` sends bytes as they are, but the types do not know it.
 */
export function streamJson<Body>(
  pieces: readonly string[],
  { outbox, client, signal }: StreamOptions,
): Body | null {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const release = hold(outbox, client, length)
  if (release === null) return null
  // Then the server neither reads nor cancels the body.
  signal.addEventListener('abort', release, { once: true })
  if (signal.aborted) release()
  const chunks = chunksOf(pieces)
  const body: unknown = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = chunks.next()
      if (!done) return controller.enqueue(value)
      release()
      controller.close()
    },
    cancel: release,
  })
  return body as Body
}

function hold(outbox: Outbox, client: string, length: number): (() => void) | null {
  try {
    return outbox.hold(client, length)
  } catch {
    return null
  }
}

/** The bytes of the pieces, in chunks that a socket can buffer. Short pieces share one. */
function* chunksOf(pieces: readonly string[]): Generator<Uint8Array, undefined> {
  let waiting = ''
  for (const piece of pieces) {
    waiting += piece
    if (waiting.length < CHUNK) continue
    yield* cut(waiting)
    waiting = ''
  }
  yield* cut(waiting)
}

function* cut(text: string): Generator<Uint8Array, undefined> {
  const bytes = encoder.encode(text)
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

const encoder = new TextEncoder()
/** In bytes. */
const CHUNK = 64 * 1024
