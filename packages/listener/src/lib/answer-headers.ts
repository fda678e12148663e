import { checkFieldValue } from '@plumbline/base'

/**
 * Lists an answer's headers for Node, without those of the connection, which are Node's (RFC 9110 §7.6.1), and without
 * Content-Length. Throws a TypeError for a value HTTP does not permit.
 */
export function listHeaders(headers: Headers, omitted: string | null = null): string[] {
  const connection = headers.get('Connection')?.toLowerCase().split(',') ?? []
  const named = new Set(connection.map((name) => name.trim()))
  const sent: string[] = []
  for (const [name, value] of headers) {
    if (OF_CONNECTION.has(name) || named.has(name) || name === omitted) continue
    checkFieldValue(name, value)
    sent.push(name, value)
  }
  return sent
}

/** The length (bytes) an answer's headers announce; null if they do not. */
export function announcedLength(headers: Headers): number | null {
  const length = headers.get('Content-Length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}

/** Whether an answer is from `fetch`, which decodes content but keeps the headers (Fetch §4.7). */
export function isDecoded({ url, headers }: Response): boolean {
  const codings = headers.get('Content-Encoding')?.toLowerCase().split(',') ?? []
  // A `Response` made by a program does not have a URL.
  return url !== '' && codings.length > 0 && codings.every((coding) => DECODED.has(coding.trim()))
}

// A header such as Proxy-Status is for the client (RFC 9209 §2).
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** The version of Node's `fetch`, which decodes Zstandard from 7.11. */
const [MAJOR = 0, MINOR = 0] = process.versions.undici?.split('.').map(Number) ?? []
const ZSTD = MAJOR > 7 || (MAJOR === 7 && MINOR >= 11) ? ['zstd'] : []
const DECODED: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', ...ZSTD])
