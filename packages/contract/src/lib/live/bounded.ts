import { concatenate, mediaTypeOf, readPieces } from '@plumbline/base'

/**
 * Reads a copy of a message up to 256 KiB. Returns null for a longer body, an event stream, or a body that does not end
 * within two seconds; the rest is then not read.
 */
export async function readBounded(
  copy: Request | Response,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const type = mediaTypeOf(copy.headers.get('Content-Type') ?? '')
  if (isLong(copy.headers) || type === 'text/event-stream') {
    void copy.body?.cancel().catch(() => undefined)
    return null
  }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const hasEnded = await readPieces(copy.body, TIMEOUT_MS, (piece) => {
    pieces.push(piece)
    length += piece.byteLength
    return length > MAX_BYTES
  }).catch(() => false)
  return hasEnded ? concatenate(pieces, length) : null
}

/** Whether a message is too long to read, according to the `Content-Length`. */
export function isLong(headers: Headers): boolean {
  return Number(headers.get('Content-Length')) > MAX_BYTES
}

const MAX_BYTES = 256 * 1_024
const TIMEOUT_MS = 2_000
