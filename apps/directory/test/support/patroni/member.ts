import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder, killServer, signalServer } from '../postgres-cluster.ts'
import { type Addresses, patroniFile } from './documented-files.ts'
import { createProgram } from './program.ts'

/** A machine with PostgreSQL and Patroni. */
export interface Member {
  readonly name: string
  readonly addresses: Addresses
  /** Starts Patroni, which starts PostgreSQL. */
  start(): Promise<void>
  /** Kills all processes by SIGKILL. */
  kill(): Promise<void>
  /** Stops all processes without ending them, and returns a function that continues them. */
  hang(): () => void
  /** Kills everything, and deletes the data. */
  remove(): Promise<void>
}

/** Prepares a member with a folder of its own. */
export async function createMember(ports: Omit<Addresses, 'data'>): Promise<Member> {
  const folder = await createFolder()
  const data = join(folder, 'data')
  const addresses = { ...ports, data }
  const { name, rest } = addresses
  const file = join(folder, 'config.yml')
  writeFileSync(file, patroniFile(addresses))
  // The probe of a member that serves as a primary or as a standby.
  const isReady = async () => (await fetch(`http://127.0.0.1:${rest}/health`)).status === 200
  const patroni = createProgram(folder, ['patroni', file], isReady)
  const kill = async (): Promise<void> => {
    await patroni.kill()
    if (existsSync(join(data, 'postmaster.pid'))) killServer(data)
  }
  return {
    name,
    addresses,
    start: patroni.start,
    kill,
    hang: () => {
      for (const stop of [patroni.signal, (signal: NodeJS.Signals) => signalServer(data, signal)]) {
        stop('SIGSTOP')
      }
      return () => {
        signalServer(data, 'SIGCONT')
        patroni.signal('SIGCONT')
      }
    },
    remove: async () => {
      await kill()
      rmSync(folder, { recursive: true })
    },
  }
}
