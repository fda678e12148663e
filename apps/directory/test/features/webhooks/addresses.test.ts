import { expect, it } from 'vitest'
import { createReceivers, isAllowEntry } from '../../../src/features/webhooks/addresses.ts'

const reach = (address: string, allow: readonly string[] = []) =>
  createReceivers({ allow, resolve: async () => [address] })
    .addressesOf(new URL('https://hooks.test/'))
    .then(
      () => 'reached',
      (error: unknown) => Object(error).name,
    )

it.each([
  ['0.0.0.0', 'unspecified'],
  ['127.0.0.2', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['169.254.169.254', 'the metadata of most clouds'],
  ['100.100.100.200', 'the metadata of Alibaba Cloud, and carrier-grade NAT'],
  ['168.63.129.16', 'the metadata of Azure'],
  ['192.0.0.192', 'the metadata of Oracle Cloud'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['fe80::1', 'link-local'],
  ['fd00:ec2::254', 'the metadata of AWS'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'mapped IPv4 (RFC 4291 §2.5.5.2)'],
  ['::ffff:8.8.8.8', 'mapped IPv4 (RFC 4291 §2.5.5.2)'],
  ['::127.0.0.1', 'compatible IPv4 (RFC 4291 §2.5.5.1)'],
  ['64:ff9b::7f00:1', 'NAT64 (RFC 6052 §2.1)'],
  ['64:ff9b:1::7f00:1', 'local NAT64 (RFC 8215)'],
  ['2002:7f00:1::', '6to4 (RFC 3056)'],
  ['2001:0:7f00:1::', 'Teredo (RFC 4380)'],
])('a host with the address %s is not reached: %s', async (address) => {
  expect(await reach(address)).toBe('ReceiverError')
})

it.each(['93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1'])(
  'a host with the public address %s is reached',
  async (address) => {
    expect(await reach(address)).toBe('reached')
  },
)

it('one private address among several is enough not to reach a host', async () => {
  const resolve = async () => ['93.184.216.34', '10.0.0.1']
  const { addressesOf } = createReceivers({ resolve })
  await expect(addressesOf(new URL('https://hooks.test/'))).rejects.toThrow('10.0.0.1')
})

it('a host without an address is not reached', async () => {
  const { addressesOf } = createReceivers({ resolve: async () => [] })
  await expect(addressesOf(new URL('https://hooks.test/'))).rejects.toThrow('not have an address')
})

it('a WEBHOOK_ALLOW range permits the private addresses in it, and no others', async () => {
  const allow = ['10.1.0.0/16', 'fd00::/8', '192.168.0.7']
  expect(await reach('10.1.2.3', allow)).toBe('reached')
  expect(await reach('fd00::1', allow)).toBe('reached')
  expect(await reach('192.168.0.7', allow)).toBe('reached')
  expect(await reach('10.2.0.1', allow)).toBe('ReceiverError')
  expect(await reach('192.168.0.8', allow)).toBe('ReceiverError')
})

it('a WEBHOOK_ALLOW name permits its addresses and http, also in another letter case', async () => {
  const { check } = createReceivers({ allow: ['Hooks.test', '10.0.0.0/8'] })
  expect(await reach('10.9.9.9', ['Hooks.test'])).toBe('reached')
  expect(check('http://hooks.test:8080/a')).toBe(null)
  expect(check('http://HOOKS.TEST./a')).toBe(null)
  expect(check('http://10.0.0.1/')).toBe(null)
  expect(check('http://other.test/')).toBe('must start with https://')
  expect(check('https://other.test/')).toBe(null)
})

it.each([
  ['localhost', true],
  ['hooks.internal', true],
  ['my_host', true],
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['fd00::/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['fd00::/129', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/', false],
  ['https://hooks.internal', false],
  ['hooks.internal:80', false],
  ['hooks.internal/8', false],
  ['*.internal', false],
  ['', false],
])('%j is an entry in WEBHOOK_ALLOW: %s', (entry, isValid) => {
  expect(isAllowEntry(entry)).toBe(isValid)
})
