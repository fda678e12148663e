import { expect, it } from 'vitest'
import type { Deadline } from './deadline.ts'
import { createLock } from './locks.ts'

const never: Deadline = {
  end: () => undefined,
  signal: new AbortController().signal,
  watchClient: () => undefined,
  throwIfOver: () => undefined,
  onOver: () => () => undefined,
}

/** Runs work in its turn. */
function createRunner() {
  const lock = createLock()
  return async <Value>(key: string, work: () => Promise<Value>): Promise<Value> => {
    const release = await lock(key, never)
    try {
      return await work()
    } finally {
      release()
    }
  }
}

it('tasks with one key run one after another, also after a failure, and other keys do not wait', async () => {
  const run = createRunner()
  const log: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) => async () => {
    log.push(`${name} starts`)
    await new Promise<void>((resolve) => open.push(resolve))
    log.push(`${name} ends`)
    if (name === 'a') throw new Error('a')
    return name
  }
  const a = run('1', work('a'))
  const b = run('1', work('b'))
  const c = run('2', work('c'))
  await nextTask()
  expect(log).toEqual(['a starts', 'c starts'])
  for (const resolve of open.splice(0)) resolve()
  await expect(a).rejects.toThrow('a')
  expect(await c).toBe('c')
  await nextTask()
  expect(log).toContain('b starts')
  for (const resolve of open.splice(0)) resolve()
  expect(await b).toBe('b')
})

it('a task started after others with this key have ended waits for the running ones', async () => {
  const run = createRunner()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} starts`)
    await Promise.resolve()
    log.push(`${name} ends`)
  }
  const a = run('1', work('a'))
  const b = run('1', work('b'))
  const c = a.then(() => run('1', work('c')))
  await Promise.all([b, c])
  expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]))
})

/** Lets all work run that does not wait. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
