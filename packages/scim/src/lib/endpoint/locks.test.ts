import { expect, it } from 'vitest'
import type { Deadline } from './deadline.ts'
import { createLock } from './locks.ts'

const never: Deadline = {
  signal: new AbortController().signal,
  watchClient: () => undefined,
  throwIfOver: () => undefined,
  onOver: () => () => undefined,
}

it('work of one key runs one after another, also after a failure, and other keys do not wait', async () => {
  const lock = createLock()
  const log: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) => async () => {
    log.push(`${name} starts`)
    await new Promise<void>((resolve) => open.push(resolve))
    log.push(`${name} ends`)
    if (name === 'a') throw new Error('a')
    return name
  }
  const a = lock('1', never, work('a'))
  const b = lock('1', never, work('b'))
  const c = lock('2', never, work('c'))
  expect(log).toEqual(['a starts', 'c starts'])
  for (const resolve of open.splice(0)) resolve()
  await expect(a).rejects.toThrow('a')
  expect(await c).toBe('c')
  expect(log).toContain('b starts')
  for (const resolve of open.splice(0)) resolve()
  expect(await b).toBe('b')
})

it('work that begins after others of its key have ended waits for those that run', async () => {
  const lock = createLock()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} starts`)
    await Promise.resolve()
    log.push(`${name} ends`)
  }
  const a = lock('1', never, work('a'))
  const b = lock('1', never, work('b'))
  const c = a.then(() => lock('1', never, work('c')))
  await Promise.all([b, c])
  expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]))
})
