/**
 * Reads a cloned body chunk by chunk until it ends, `isEnough` returns true, or the time (ms) is over. Returns whether
 * the body has ended. Also checks the clock, because an always ready stream does not let timers run.
 */
export async function readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  patience: number,
  isEnough: (piece: Uint8Array<ArrayBuffer>) => boolean,
): Promise<boolean> {
  const reader = body?.getReader()
  if (reader === undefined) return true
  const deadline = Date.now() + patience
  const read = async () => {
    while (Date.now() < deadline) {
      const { done, value } = await reader.read()
      if (done) return true
      if (isEnough(value)) return false
    }
    return false
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patience, false)
  })
  try {
    return await Promise.race([read(), late])
  } finally {
    clearTimeout(timer)
    // Cancels only this branch of the clone; the client reads the other one.
    void reader.cancel().catch(() => undefined)
  }
}

/** Joins chunks. The only one is returned as it is. */
export function concatenate(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): Uint8Array<ArrayBuffer> {
  const [only, ...others] = chunks
  if (only && others.length === 0) return only
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
