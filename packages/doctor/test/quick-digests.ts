import { hash } from 'node:crypto'
import { afterAll, beforeAll, vi } from 'vitest'

/**
 * Computes SHA-256 on this thread while a file's tests run. Web Crypto wakes another thread for each entity tag, which
 * takes a third of the processor time of an examination. The tests of `version` use Web Crypto.
 */
export function useQuickDigests(): void {
  beforeAll(() => {
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (algorithm, bytes) => {
      if (algorithm !== 'SHA-256') return digest(algorithm, bytes)
      const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(bytes)
        ? bytes
        : new Uint8Array(bytes)
      const data = new Uint8Array(buffer, byteOffset, byteLength)
      return Uint8Array.from(hash('sha256', data, 'buffer')).buffer
    })
  })
  afterAll(() => vi.restoreAllMocks())
}
