import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePorts } from '../free-port.ts'
import { isListening } from '../is-listening.ts'
import { createFolder } from '../postgres-cluster.ts'
import { haproxyFile } from './documented-files.ts'
import { createMember, type Member } from './member.ts'
import { createProgram, type Program } from './program.ts'

/** Three PostgreSQL servers that Patroni manages with etcd, behind HAProxy. */
export interface PatroniCluster {
  /** The address of HAProxy, which leads to the primary. */
  readonly url: string
  readonly etcd: Program
  /** Waits for a primary, a synchronous standby of it and another standby, and returns the primary. */
  whole(): Promise<Member>
  /** Makes the synchronous standby the primary. */
  switchover(): Promise<void>
  /** Kills everything, and deletes the data. */
  remove(): Promise<void>
}

/** Starts a cluster with the files of docs/operate.md. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const folder = await createFolder()
  const [port = 0, etcdPort = 0, peerPort = 0, ...others] = await freePorts(9)
  const etcd = createEtcd(folder, etcdPort, peerPort)
  const members: Member[] = []
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    const [postgres = 0, rest = 0] = others.slice(2 * at)
    members.push(await createMember({ name, postgres, rest, etcd: etcdPort }))
  }
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    haproxyFile(
      port,
      members.map(({ addresses }) => addresses),
    ),
  )
  const haproxy = createProgram(folder, ['haproxy', '-db', '-f', file], () => isListening(port))
  const remove = async (): Promise<void> => {
    for (const member of members) await member.remove()
    for (const program of [haproxy, etcd]) await program.kill()
    rmSync(folder, { recursive: true })
  }
  try {
    await etcd.start()
    // The first creates the database, and the others copy it.
    for (const member of members) await member.start()
    await haproxy.start()
  } catch (error) {
    await remove()
    throw error
  }
  const whole = async (): Promise<Member> => {
    for (;;) {
      const roles = await rolesOf(members)
      const primary = members.find(({ name }) => roles.get(name) === 'leader')
      if (primary && [...roles.values()].sort().join() === WHOLE) return primary
      await setTimeout(100)
    }
  }
  return {
    url: `postgres://postgres:a-password@127.0.0.1:${port}/postgres`,
    etcd,
    whole,
    switchover: async () => {
      const { name, addresses } = await whole()
      const body = JSON.stringify({ leader: name })
      const address = `http://127.0.0.1:${addresses.rest}/switchover`
      const response = await fetch(address, { method: 'POST', body })
      if (response.status !== 200) throw new Error(await response.text())
    },
    remove,
  }
}

function createEtcd(folder: string, port: number, peerPort: number): Program {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const options = [
    '--enable-v2',
    '--data-dir',
    join(folder, 'etcd'),
    '--name',
    'a',
    '--initial-cluster',
    `a=${peers}`,
    '--listen-client-urls',
    clients,
    '--advertise-client-urls',
    clients,
    '--listen-peer-urls',
    peers,
    '--initial-advertise-peer-urls',
    peers,
  ]
  const isReady = async () => (await fetch(`${clients}/health`)).status === 200
  return createProgram(folder, ['etcd', ...options], isReady)
}

/** The roles of the running members, as the first that answers knows them. */
async function rolesOf(members: readonly Member[]): Promise<ReadonlyMap<string, string>> {
  for (const { addresses } of members) {
    try {
      const signal = AbortSignal.timeout(2_000)
      const response = await fetch(`http://127.0.0.1:${addresses.rest}/cluster`, { signal })
      const cluster: Cluster = await response.json()
      const running = cluster.members.filter(({ state }) => RUNNING.has(state))
      return new Map(running.map(({ name, role }) => [name, role]))
    } catch {
      // This member does not run.
    }
  }
  return new Map()
}

/** The part of an answer of Patroni that is read. */
interface Cluster {
  readonly members: readonly {
    readonly name: string
    readonly role: string
    readonly state: string
  }[]
}

const WHOLE = 'leader,replica,sync_standby'

const RUNNING = new Set(['running', 'streaming'])
