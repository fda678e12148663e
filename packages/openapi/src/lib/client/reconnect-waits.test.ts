import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clientOf, collect, params, progress, type Served, stream } from './streams.cases.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const refused = () => new TypeError('fetch failed')
const stop = () => new Response(null, { status: 204 })

/** The times (ms) that a client waits between these connections. */
async function waitsOf(...connections: Served[]): Promise<readonly number[]> {
  const times: number[] = []
  const noted = connections.map((connection) => () => {
    times.push(Date.now())
    if (connection instanceof Error) throw connection
    return typeof connection === 'function' ? connection({}) : connection
  })
  const { client } = clientOf(...noted)
  const reading = collect(client.watch({ params }, { reconnect: 'always' })).catch(() => undefined)
  for (const _ of connections) await vi.runAllTimersAsync()
  await reading
  return times.slice(1).map((time, index) => time - (times[index] ?? 0))
}

it('a client waits a second, doubles the wait after each failure, and waits 30 s at most', async () => {
  const failures = Array.from({ length: 7 }, refused)
  expect(await waitsOf(stream([progress(1), new Error('reset')]), ...failures, stop())).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ])
})

it('losing a connection without a byte is a failure, and one byte resets the wait', async () => {
  const [silent, alive] = [
    () => stream([new Error('reset')]),
    () => stream([':\n\n', new Error('reset')]),
  ]
  expect(await waitsOf(alive(), silent(), silent(), alive(), silent(), stop())).toEqual([
    1_000, 2_000, 4_000, 1_000, 2_000,
  ])
})

it.each<[retry: string, waits: readonly number[]]>([
  ['0', [100, 100, 200]],
  ['500', [500, 500, 1_000]],
  ['3600000', [3_600_000, 3_600_000, 3_600_000]],
  ['4294967296000', [2_147_483_647, 2_147_483_647, 2_147_483_647]],
  ['9'.repeat(400), [2_147_483_647, 2_147_483_647, 2_147_483_647]],
])('a client waits within bounds after "retry: %s"', async (retry, waits) => {
  const ended = stream([`retry: ${retry}\n\n${progress(1)}`])
  expect(await waitsOf(ended, refused(), refused(), stop())).toEqual(waits)
})

it.each<[after: string, wait: number]>([
  ['60', 60_000],
  ['0', 2_000],
  ['9'.repeat(400), 2_147_483_647],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 59_000],
  ['Thu, 01 Jan 2015 00:00:00 GMT', 2_000],
  ['soon', 2_000],
])('a client that receives 503 with "Retry-After: %s" waits %i ms', async (after, wait) => {
  vi.setSystemTime('2026-01-01T00:00:00Z')
  const busy = () => new Response(null, { status: 503, headers: { 'Retry-After': after } })
  const waits = await waitsOf(stream([progress(1), new Error('reset')]), busy, stop())
  expect(waits).toEqual([1_000, wait])
})

it('a client waits the same time each time a server ends the stream', async () => {
  const ended = () => stream([])
  expect(await waitsOf(ended(), ended(), ended(), ended(), stop())).toEqual([
    1_000, 1_000, 1_000, 1_000,
  ])
})

it('a client rejects with the error of the 21st failure in a row', async () => {
  const error = refused()
  let calls = 0
  const fail = () => {
    calls += 1
    throw error
  }
  const failures = Array.from({ length: 30 }, () => fail)
  const { client } = clientOf(stream([progress(1)]), ...failures)
  const reading = expect(collect(client.watch({ params }, { reconnect: 'always' }))).rejects.toBe(
    error,
  )
  await vi.runAllTimersAsync()
  await reading
  expect(calls).toBe(21)
})

it('a client keeps reading a quiet stream that a proxy cuts repeatedly', async () => {
  const quiet = () => stream([':\n\n', new Error('reset')])
  const waits = await waitsOf(...Array.from({ length: 25 }, quiet), stop())
  expect(waits).toEqual(Array.from({ length: 25 }, () => 1_000))
})
