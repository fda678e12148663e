import { afterEach, expect, it, vi } from 'vitest'
import { createTurns } from './turns.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a turn waits for a timer after 5 ms, and then starts a new time slice', async () => {
  let now = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const nextTurn = createTurns()
  const waits = async (): Promise<boolean> => {
    let timers = 0
    setTimeout(() => {
      timers += 1
    }, 0)
    await nextTurn()
    return timers === 1
  }
  expect(await waits()).toBe(false)
  now = 1_004.9
  expect(await waits()).toBe(false)
  now = 1_005
  expect(await waits()).toBe(true)
  now = 1_009.9
  expect(await waits()).toBe(false)
  now = 1_010
  expect(await waits()).toBe(true)
})
