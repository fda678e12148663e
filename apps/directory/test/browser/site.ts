import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../support/harness.ts'
import { client, serve } from '../support/spawned-server.ts'

/** A running server with an empty database. */
export interface Site {
  readonly origin: string
  /** The administrator's token that it printed. */
  readonly token: string
  /** Sends a request of the administrator to the management API, or to the tenant `default` of the SCIM endpoint. */
  readonly send: Client['send']
  /** Stops the server, and deletes the database. */
  stop(): Promise<void>
}

/** Starts a server as `npm start` does, on a free port. */
export async function startDirectory(env: Readonly<Record<string, string>> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-'))
  const server = await serve({ DATABASE_URL: `file:${join(folder, 'directory.db')}`, ...env })
  const { origin } = server
  const token = server.token ?? ''
  return {
    origin,
    token,
    send: client({ origin, token }),
    stop: async () => {
      server.child.kill('SIGTERM')
      await server.ended
      await rm(folder, { recursive: true })
    },
  }
}
