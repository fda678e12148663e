import { isIPv6 } from 'node:net'

/** How client addresses reach the server. */
export interface AddressOptions {
  /** How many proxies in front of the server add their client's address to `X-Forwarded-For`. */
  readonly proxies: number
  /** Whether the server is behind a proxy not counted in `proxies`. */
  readonly isBehindProxy: boolean
}

/**
 * Returns a request's client address; null if it isn't known.
 *
 * Clients can send any `X-Forwarded-For`. Only the last addresses in it are believed: those the server's own proxies
 * added. Without such proxies, it is the connection's address, unless clients share it: a proxy's or the loopback. For
 * IPv6, the result is the network: a client has the 2^64 addresses in a /64.
 */
export function clientAddress(
  { headers }: Pick<Request, 'headers'>,
  connection: string | null,
  { proxies, isBehindProxy }: AddressOptions,
): string | null {
  if (proxies > 0) {
    const forwarded = headers.get('X-Forwarded-For')?.split(',') ?? []
    const address = forwarded.at(-proxies)?.trim() ?? ''
    return address === '' || address.length > MAX_ADDRESS_LENGTH ? null : networkOf(address)
  }
  if (connection === null || isBehindProxy || isLoopback(connection)) return null
  return networkOf(connection)
}

/** Whether a host or address is the machine itself. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  // Some proxies add the connection's port.
  const host = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)
  const [unscoped = ''] = (host?.[1] ?? host?.[2] ?? address).split('%', 1)
  // An IPv4 address on an IPv6 socket (RFC 4291 §2.5.5.2).
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(unscoped)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(unscoped)) return unscoped.toLowerCase()
  // URL writes an address in one form (RFC 5952).
  const written = new URL(`http://[${unscoped}]`).hostname.slice(1, -1)
  const [start = '', end] = written.split('::')
  const first = start === '' ? [] : start.split(':')
  const last = end === undefined || end === '' ? [] : end.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

/** An IPv6 address with a zone and a port is shorter. */
const MAX_ADDRESS_LENGTH = 80
