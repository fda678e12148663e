import { mediaTypeOf } from '../../http/media-types.ts'
import { readPieces } from '../read-content.ts'

/**
 * Reads a copy of a message, of at most 256 KiB. Returns null if it is longer, does not end in time or is a stream of
 * events: then the rest is not read.
 */
export async function readBounded(
  copy: Request | Response,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const type = mediaTypeOf(copy.headers.get('Content-Type') ?? '')
  if (isLong(copy.headers) || type === 'text/event-stream') {
    void copy.body?.cancel().catch(() => undefined)
    return null
  }
  const pieces: Uint8Array[] = []
  let length = 0
  const hasEnded = await readPieces(copy.body, PATIENCE, (piece) => {
    pieces.push(piece)
    length += piece.byteLength
    return length > MOST_BYTES
  }).catch(() => false)
  if (!hasEnded) return null
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

/** Whether the headers say that a message is too long to read. */
export function isLong(headers: Headers): boolean {
  return Number(headers.get('Content-Length')) > MOST_BYTES
}

const MOST_BYTES = 256 * 1_024
const PATIENCE = 2_000
