import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Thrown if the server must not send a request to a webhook receiver. The message tells the administrator why. */
export class ReceiverError extends Error {
  override readonly name: string = 'ReceiverError'
}

/** Decides which receivers the server may send requests to. */
export interface Receivers {
  /** Returns why a URL is not permitted, as far as the URL itself shows; null if it is. */
  check(url: string): string | null
  /**
   * Resolves a URL's host, and returns its addresses. Rejects with a ReceiverError if any address is not permitted: a
   * name may have another address each time.
   */
  addressesOf(url: URL): Promise<readonly string[]>
}

/** Options for `createReceivers`. */
export interface ReceiverOptions {
  /** The names, addresses and ranges in `WEBHOOK_ALLOW`. */
  readonly allow?: readonly string[]
  /** Returns a name's addresses. Defaults to DNS; names in `allow` use the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** Creates the check for receivers. By default, only public addresses are permitted, and only by https. */
export function createReceivers({ allow = [], resolve }: ReceiverOptions = {}): Receivers {
  const isRange = (entry: string) => isIP(entry.split('/', 1)[0] ?? '') !== 0
  const names = new Set(allow.filter((entry) => !isRange(entry)).map((name) => name.toLowerCase()))
  const ranges = blockListOf(allow.filter(isRange))
  const isPermitted = (address: string) => isPublic(address) || contains(ranges, address)
  const isNamed = (host: string) => names.has(host) || (isIP(host) !== 0 && contains(ranges, host))
  return {
    check: (text) => {
      if (!URL.canParse(text)) return 'must be an absolute URL'
      const url = new URL(text)
      const host = hostOf(url)
      if (url.username !== '' || url.password !== '') return 'must not contain credentials'
      if (url.hash !== '') return 'must not contain a fragment'
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNamed(host))) {
        return 'must start with https://'
      }
      if (isIP(host) === 0 || isNamed(host) || isPublic(host)) return null
      return 'must not be a private address'
    },
    addressesOf: async (url) => {
      const host = hostOf(url)
      if (isIP(host) !== 0) return requirePermitted(host, [host], isPermitted)
      const find = resolve ?? (names.has(host) ? lookUp : queryDns)
      const found = await find(host)
      if (found.length === 0) throw new ReceiverError(`${host} does not have an address`)
      return names.has(host) ? found : requirePermitted(host, found, isPermitted)
    },
  }
}

/** Whether an entry of `WEBHOOK_ALLOW` is a host name, an address or a range. */
export function isAllowEntry(entry: string): boolean {
  const [address = '', bits, more] = entry.split('/')
  const version = isIP(address)
  if (version === 0)
    return /^(?=.{1,253}$)[a-z\d_]([\w-]*[a-z\d])?(\.[a-z\d_]([\w-]*[a-z\d])?)*$/i.test(entry)
  if (bits === undefined) return true
  return more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

function requirePermitted(
  host: string,
  addresses: readonly string[],
  isPermitted: (address: string) => boolean,
): readonly string[] {
  const foreign = addresses.find((address) => !isPermitted(address))
  if (foreign === undefined) return addresses
  throw new ReceiverError(`${host} has the address ${foreign}, which is not public`)
}

/** Returns a URL's host; an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, '')
}

function isPublic(address: string): boolean {
  if (isIP(address) === 6 && !GLOBAL.check(address, 'ipv6')) return false
  return !contains(SPECIAL, address)
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

/** Resolves a name like the system does, for example from `/etc/hosts`. */
async function lookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/**
 * Resolves a name in DNS. While a name server doesn't answer, the system's look-up would occupy one of the process's
 * few threads, and so delay other receivers.
 */
async function queryDns(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** The internet's IPv6 addresses (RFC 4291 §2.4). All others are local, mapped or translated IPv4, or reserved. */
const GLOBAL = blockListOf(['2000::/3'])

/** Addresses outside the internet (RFC 6890 and IANA's registries), and metadata services. */
const SPECIAL = blockListOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The address Azure uses to serve its virtual machines.
  '168.63.129.16/32',
  // Teredo and other tunnels, documentation, and 6to4.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])
