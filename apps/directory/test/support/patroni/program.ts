import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { asPostgres } from '../postgres-cluster.ts'

/** A program that can be stopped and started again, such as Patroni. */
export interface Program {
  /** Starts it, and waits until it is ready. */
  start(): Promise<void>
  /** Sends a signal to all processes of its group. */
  signal(name: NodeJS.Signals): void
  /** Kills all processes of its group by SIGKILL. */
  kill(): Promise<void>
}

/** Prepares a program that runs as the user of PostgreSQL, and writes its output to a file in the folder. */
export function createProgram(
  folder: string,
  [name, ...options]: readonly [string, ...string[]],
  isReady: () => Promise<boolean>,
): Program {
  const log = join(folder, `${name}.log`)
  let child: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const signal = (sent: NodeJS.Signals): void => {
    if (isRunning()) process.kill(-Number(child?.pid), sent)
  }
  return {
    start: async () => {
      const [first, others] = asPostgres(name, ...options)
      const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LC_ALL: 'C.UTF-8' }
      const output = openSync(log, 'a')
      // Detached, it has a group of its own.
      const started = { env, cwd: folder, detached: true } as const
      child = spawn(first, others, { ...started, stdio: ['ignore', output, output] })
      closeSync(output)
      ended = once(child, 'close')
      while (!(await isReady().catch(() => false))) {
        if (!isRunning()) throw new Error(`${name} has ended: ${readFileSync(log, 'utf8')}`)
        await setTimeout(50)
      }
    },
    signal,
    kill: async () => {
      signal('SIGKILL')
      await ended
    },
  }
}
