import { expect, it } from 'vitest'
import { clientAddress, isLoopback } from '../../../src/kernel/rate-limit/client-address.ts'
import { createRateLimit } from '../../../src/kernel/rate-limit/rate-limit.ts'
import { readRateLimit } from '../../../src/kernel/rate-limit/settings.ts'

/** A limit of ten actions per second, five of them without a pause, with a clock that the test sets. */
function limitOf(most?: number) {
  const clock = { time: 1_000 }
  const now = () => clock.time
  const options = most === undefined ? { now } : { now, most }
  return { clock, limit: createRateLimit({ perSecond: 10, burst: 5 }, options) }
}

it('a key may act five times without a pause, and then ten times per second', () => {
  const { clock, limit } = limitOf()
  const take = () => limit.take('a')
  expect([take(), take(), take(), take(), take(), take(), take()]).toEqual([
    0, 0, 0, 0, 0, 100, 100,
  ])
  clock.time += 99
  expect(take()).toBeCloseTo(1)
  clock.time += 1
  expect([take(), take()]).toEqual([0, 100])
  clock.time += 60_000
  expect([take(), take(), take(), take(), take(), take()]).toEqual([0, 0, 0, 0, 0, 100])
})

it('a key does not limit another', () => {
  const { limit } = limitOf()
  for (let at = 0; at < 6; at += 1) limit.take('a')
  expect(limit.take('a')).toBe(100)
  expect(limit.take('__proto__')).toBe(0)
})

it('actions that have already happened may exceed the limit, and then cost at most two bursts', () => {
  const { clock, limit } = limitOf()
  expect(limit.isIdle()).toBe(true)
  for (let at = 0; at < 4; at += 1) limit.charge('a')
  expect([limit.isIdle(), limit.waitOf('a'), limit.waitOf('b')]).toEqual([false, 0, 0])
  for (let at = 0; at < 1_000; at += 1) limit.charge('a')
  expect(limit.waitOf('a')).toBe(600)
  clock.time += 600
  expect(limit.waitOf('a')).toBe(0)
})

it('a rate that is not a whole number of milliseconds is exact on average', () => {
  let time = 0
  const limit = createRateLimit({ perSecond: 3, burst: 1 }, { now: () => time })
  let count = 0
  for (; time < 60_000; time += 1) count += limit.take('a') === 0 ? 1 : 0
  expect(count).toBeGreaterThanOrEqual(179)
  expect(count).toBeLessThanOrEqual(181)
})

it('an acting key is remembered while many others act once', () => {
  const { limit } = limitOf(10)
  for (let at = 0; at < 5; at += 1) limit.take('a')
  for (let at = 0; at < 1_000; at += 1) {
    limit.charge(`other-${at}`)
    limit.charge('a')
  }
  expect(limit.waitOf('a')).toBeGreaterThan(0)
})

it('at most two key generations are remembered', () => {
  const { limit } = limitOf(10)
  for (let at = 0; at < 6; at += 1) limit.charge('a')
  for (let at = 0; at < 21; at += 1) limit.charge(`other-${at}`)
  expect(limit.waitOf('a')).toBe(0)
})

const DIRECT = { proxies: 0, isBehindProxy: false }
const NEAR = { proxies: 1, isBehindProxy: true }

it.each([
  ['that of the connection', '192.0.2.1', null, DIRECT, '192.0.2.1'],
  ['IPv4 on an IPv6 socket (RFC 4291 §2.5.5.2)', '::ffff:192.0.2.1', null, DIRECT, '192.0.2.1'],
  ['the first 64 bits of IPv6', '2001:db8:0:1:2:3:4:5', null, DIRECT, '2001:db8:0:1'],
  ['IPv6 with zeros left out (RFC 5952)', '2001:db8::5', null, DIRECT, '2001:db8:0:0'],
  ['IPv6 with a zone', 'fe80::1%eth0', null, DIRECT, 'fe80:0:0:0'],
  ['not known without a connection', null, null, DIRECT, null],
  ['not known on the loopback', '127.0.0.1', null, DIRECT, null],
  ['not known on the loopback, IPv6', '::1', null, DIRECT, null],
  ['not known on the loopback, mapped', '::ffff:127.0.0.1', null, DIRECT, null],
  ['not believed without a proxy', '192.0.2.1', '198.51.100.9', DIRECT, '192.0.2.1'],
  ['not that of a proxy', '192.0.2.1', '198.51.100.9', { ...DIRECT, isBehindProxy: true }, null],
  [
    'the last one that the proxy adds',
    '127.0.0.1',
    '203.0.113.7, 198.51.100.9',
    NEAR,
    '198.51.100.9',
  ],
  [
    'the last but one of two proxies',
    '::1',
    '1.1.1.1, 198.51.100.9,10.0.0.1',
    { ...NEAR, proxies: 2 },
    '198.51.100.9',
  ],
  ['not known if a proxy is missing', '::1', '198.51.100.9', { ...NEAR, proxies: 2 }, null],
  ['not known without the header', '192.0.2.1', null, NEAR, null],
  ['not known if it is empty', '192.0.2.1', '198.51.100.9, ', NEAR, null],
  ['not known if it is too long', '192.0.2.1', 'x'.repeat(81), NEAR, null],
  ['without a port', '::1', '198.51.100.9:4711', NEAR, '198.51.100.9'],
  ['without a port, IPv6', '::1', '[2001:db8::5]:4711', NEAR, '2001:db8:0:0'],
  ['any name that a proxy writes (RFC 7239 §6.3)', '::1', '_Hidden', NEAR, '_hidden'],
])("a client's address is %s", (_, connection, forwarded, options, address) => {
  const headers = new Headers(forwarded === null ? {} : { 'X-Forwarded-For': forwarded })
  expect(clientAddress({ headers }, connection, options)).toBe(address)
})

it.each([
  ['localhost', true],
  ['LocalHost', true],
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.0.2.127', false],
  ['127.example.com', false],
])('%s is the loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

const ON = { requests: { perSecond: 100, burst: 1_000 }, ...DIRECT }

it.each([
  ['off on the loopback', {}, '127.0.0.1', null],
  ['on at any other address', {}, '0.0.0.0', ON],
  ['on by request', { RATE_LIMIT: '100' }, '127.0.0.1', ON],
  ['off by request', { RATE_LIMIT: '0' }, '0.0.0.0', null],
  [
    'with a burst',
    { RATE_LIMIT: '5', RATE_LIMIT_BURST: '7' },
    '::1',
    { ...ON, requests: { perSecond: 5, burst: 7 } },
  ],
  ['with proxies', { TRUSTED_PROXIES: '2' }, '0.0.0.0', { ...ON, proxies: 2 }],
  [
    'behind a proxy',
    { PUBLIC_URL: 'https://a.example' },
    '0.0.0.0',
    { ...ON, isBehindProxy: true },
  ],
  [
    'an error for a fraction',
    { RATE_LIMIT: '0.5' },
    '::1',
    'RATE_LIMIT must be a whole number between 0 and 100000',
  ],
  [
    'an error for too many',
    { RATE_LIMIT: '100001' },
    '::1',
    'RATE_LIMIT must be a whole number between 0 and 100000',
  ],
  [
    'an error for no burst',
    { RATE_LIMIT: '1', RATE_LIMIT_BURST: '0' },
    '::1',
    'RATE_LIMIT_BURST must be a whole number between 1 and 1000000',
  ],
  [
    'an error for proxies',
    { TRUSTED_PROXIES: 'yes' },
    '::1',
    'TRUSTED_PROXIES must be a whole number between 0 and 10',
  ],
] as const)('the rate limit in the environment is %s', (_, env, host, expected) => {
  expect(readRateLimit(env, host)).toEqual(expected)
})
