import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Loaded } from '../sockets.ts'
import type { Load } from './client.ts'
import { START_FLAGS, START_PROGRAM } from './start.ts'

/** A process serving requests. */
export interface Server {
  readonly port: number
  readonly child: ChildProcess
}

/** A process sending requests. */
export interface Client {
  readonly child: ChildProcess
  /** Sends requests to a port; returns the responses per second. */
  readonly send: (port: number, kind: Load['kind'], requests: number) => Promise<Rate>
}

/** The result of a load. */
export interface Rate {
  readonly perSecond: number
  /** The last body's length, in bytes. */
  readonly size: number
}

/** Starts a client for a tenant. */
export function startClient({ token, users }: Pick<Load, 'token' | 'users'>): Client {
  const script = fileURLToPath(new URL('client.ts', import.meta.url))
  const child = fork(script, { execArgv: ['--conditions=@plumbline/source'] })
  const send: Client['send'] = async (port, kind, requests) => {
    const order: Load = { port, kind, token, users, requests }
    child.send(order)
    const [loaded] = (await heardFrom(child)) as [Loaded]
    return { perSecond: (requests / loaded.milliseconds) * 1_000, size: loaded.size }
  }
  return { child, send }
}

/** Starts the server like `npm start`. The log is written and discarded. */
export async function startDirectory(
  url: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort()
  const env = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: url,
    DIRECTORY_TOKEN: '',
    ...variables,
  }
  const child = spawn(process.execPath, [...START_FLAGS, START_PROGRAM], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const health = `http://127.0.0.1:${port}/api/health`
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt += 1) {
    if (
      await fetch(health).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { port, child }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await end(child)
  throw new Error('the server does not answer')
}

/** Waits for a child process's next message; rejects if the process exits first. */
export async function heardFrom(child: ChildProcess): Promise<unknown[]> {
  const ended = new AbortController()
  const abort = () => ended.abort()
  child.once('exit', abort)
  try {
    return await once(child, 'message', { signal: ended.signal })
  } finally {
    child.off('exit', abort)
  }
}

/** Returns a port that no server uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  await once(server, 'close')
  return port
}

/** Ends a process, and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
