import type { Client } from './harness.ts'
import { client, type Serving, serve } from './spawned-server.ts'
import type { Processes } from './two-processes.ts'

/** A server, and senders of requests to it. */
export interface Source {
  readonly origin: string
  /** Sends requests of the administrator. */
  readonly admin: Client['send']
  /** Sends requests of the tenant's client. */
  readonly scim: Client['send']
}

/** Processes on one database, which are killed at random. */
export interface KilledProcesses {
  /** How many processes were killed. */
  readonly kills: number
  /** One of the servers, which may be dead. */
  source(): Source
  /** Kills one process or all, and starts others. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Makes processes on a database replaceable. */
export function createKilledProcesses(
  { url, servers, adminToken }: Processes,
  token: string,
): KilledProcesses {
  const sourceOf = ({ origin }: Serving): Source => ({
    origin,
    admin: client({ origin, token: adminToken }),
    scim: client({ origin, token }),
  })
  const running = servers.map((server) => ({ server, source: sourceOf(server) }))
  let kills = 0
  const end = async ({ child, ended }: Serving): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    get kills() {
      return kills
    },
    source: () => randomOf(running).source,
    kill: async () => {
      const killed = Math.random() < 0.3 ? running : [randomOf(running)]
      await Promise.all(
        killed.map(async (place) => {
          kills += 1
          await end(place.server)
          place.server = await serve({ DATABASE_URL: url })
          place.source = sourceOf(place.server)
        }),
      )
    },
    stop: async () => {
      for (const { server } of running) await end(server)
    },
  }
}

/** A random element of a list that is not empty. */
function randomOf<Value>(list: readonly Value[]): Value {
  const found = list[Math.floor(Math.random() * list.length)]
  if (found === undefined) throw new TypeError('the list is empty')
  return found
}
