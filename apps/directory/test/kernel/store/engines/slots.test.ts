import { getEventListeners } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { RECALLED, type Turn } from '../../../../src/kernel/store/engines/turn.ts'
import { createSlots, type Slots } from '../../../../src/kernel/store/engines/worker-pool.ts'

/** Acquires slots, and records the order in which tenants receive them. */
function watch(slots: Slots<number>) {
  const order: string[] = []
  const take = async (tenantId: string, signal?: AbortSignal): Promise<Turn<number>> => {
    const turn = await slots.take(tenantId, signal)
    order.push(tenantId)
    return turn
  }
  return { order, take, settle: () => new Promise((resolve) => setImmediate(resolve)) }
}

/** Replaces the clock of the process until the test ends. */
function useClock(): { now: number } {
  const clock = { now: 0 }
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  onTestFinished(() => spy.mockRestore())
  return clock
}

it('one tenant may hold all slots while no other tenant waits', async () => {
  const { order, take } = watch(createSlots([1, 2]))
  const turns = await Promise.all([take('a'), take('a')])
  expect(order).toEqual(['a', 'a'])
  expect(turns.map(({ recalled }) => recalled.aborted)).toEqual([false, false])
})

it('slots over half of all are recalled, the newest first, when another tenant waits', async () => {
  const slots = createSlots([1, 2, 3, 4])
  const { order, take, settle } = watch(slots)
  const [first, second, third, fourth] = await Promise.all([
    take('a'),
    take('a'),
    take('a'),
    take('a'),
  ])
  void take('a')
  void take('b')
  void take('b')
  await settle()
  const turns = [first, second, third, fourth]
  expect(turns.map(({ recalled }) => recalled.reason)).toEqual([
    undefined,
    undefined,
    undefined,
    RECALLED,
  ])
  slots.giveBack(fourth)
  await settle()
  expect(order.slice(4)).toEqual(['b'])
  slots.giveBack(third)
  await settle()
  expect(order.slice(4)).toEqual(['b', 'b'])
})

it('slots go to waiting tenants in turn, however many slots one of them requests', async () => {
  const slots = createSlots([1])
  const { order, take, settle } = watch(slots)
  const first = await take('a')
  for (const tenantId of ['a', 'a', 'a', 'b', 'b', 'c']) void take(tenantId).then(slots.giveBack)
  slots.giveBack(first)
  await settle()
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

it('slots are not reserved for a client no longer waiting', async () => {
  const slots = createSlots([1])
  const { order, take, settle } = watch(slots)
  const turn = await take('a')
  const reason = new Error('the client hung up')
  const client = new AbortController()
  const left = take('b', client.signal)
  void take('c')
  client.abort(reason)
  await expect(left).rejects.toBe(reason)
  slots.giveBack(turn)
  await settle()
  expect(order).toEqual(['a', 'c'])
})

it("slots remove their listener from a client's signal", async () => {
  const slots = createSlots([1])
  const client = new AbortController()
  const turn = await slots.take('a', client.signal)
  expect(getEventListeners(client.signal, 'abort')).toEqual([])
  const left = slots.take('b', client.signal)
  expect(getEventListeners(client.signal, 'abort')).toHaveLength(1)
  client.abort(new Error('the client hung up'))
  await expect(left).rejects.toThrow('the client hung up')
  expect(getEventListeners(client.signal, 'abort')).toEqual([])
  slots.giveBack(turn)
})

it("slots over one tenant's limit stay free for others", async () => {
  const { order, take, settle } = watch(createSlots([1, 2, 3], { most: 2 }))
  for (const tenantId of ['a', 'a', 'a', 'b']) void take(tenantId)
  await settle()
  expect(order).toEqual(['a', 'a', 'b'])
})

it('slots for tenants with a hanging node are at most half of all, and others go on', async () => {
  const clock = useClock()
  const slots = createSlots([1, 2, 3, 4])
  const { order, take, settle } = watch(slots)
  const hanging = await Promise.all(['a', 'b', 'c', 'd'].map((tenantId) => take(tenantId)))
  clock.now = 2_000
  for (const turn of hanging) slots.giveBack(turn)
  for (const tenantId of ['a', 'b', 'c', 'd']) void take(tenantId)
  await settle()
  expect(order.slice(4)).toEqual(['a', 'b'])
  for (const tenantId of ['e', 'f', 'e']) slots.giveBack(await take(tenantId))
  expect(order.slice(6)).toEqual(['e', 'f', 'e'])
})

it('slots go to a tenant without limit again after a fast turn', async () => {
  const clock = useClock()
  const slots = createSlots([1, 2, 3, 4])
  const { order, take, settle } = watch(slots)
  const slow = await take('a')
  clock.now = 2_000
  slots.giveBack(slow)
  const other = await take('b')
  slots.giveBack(await take('a'))
  for (const tenantId of ['a', 'a', 'a']) void take(tenantId)
  await settle()
  expect(order).toEqual(['a', 'b', 'a', 'a', 'a', 'a'])
  slots.giveBack(other)
})

it('slots all go to the only tenant, even a slow one', async () => {
  const clock = useClock()
  const slots = createSlots([1, 2, 3, 4])
  const { order, take } = watch(slots)
  await take('a')
  clock.now = 2_000
  await Promise.all([take('a'), take('a'), take('a')])
  expect(order).toEqual(['a', 'a', 'a', 'a'])
})

it('slots are available again after a pause, which waits until all of them are free', async () => {
  let isDue = false
  let paused = 0
  let endPause = (): void => undefined
  const pause = async (): Promise<void> => {
    paused += 1
    isDue = false
    await new Promise<void>((resolve) => {
      endPause = resolve
    })
  }
  const slots = createSlots([1, 2], { pauses: { isDue: () => isDue, pause } })
  const { order, take, settle } = watch(slots)
  const [one, two] = [await take('a'), await take('b')]
  isDue = true
  const third = take('c')
  slots.giveBack(one)
  await settle()
  expect({ paused, order }).toEqual({ paused: 0, order: ['a', 'b'] })
  slots.giveBack(two)
  void take('d')
  await settle()
  expect({ paused, order }).toEqual({ paused: 1, order: ['a', 'b'] })
  endPause()
  await settle()
  expect({ paused, order }).toEqual({ paused: 1, order: ['a', 'b', 'c', 'd'] })
  slots.giveBack(await third)
  void take('e')
  await settle()
  expect({ paused, order }).toEqual({ paused: 1, order: ['a', 'b', 'c', 'd', 'e'] })
})
