import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import type { Answer, Client } from './harness.ts'
import { client, type Serving, serve } from './spawned-server.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Two processes on one database that no other test uses. */
export interface Processes {
  /** The URL of the database. */
  readonly url: string
  readonly servers: readonly [Serving, Serving]
  /** The token of the administrator, which one of the processes has created. */
  readonly adminToken: string
  /** Sends requests of the administrator to the first process. */
  readonly admin: Client['send']
  /** Creates a tenant and a token, and returns a sender of requests to each process. */
  tenantOf(id: string): Promise<Tenant>
  /** Stops the processes, and deletes the database. */
  stop(): Promise<void>
}

/** Two processes on one PostgreSQL database. */
export interface Pair extends Processes {
  /** A direct connection to their database. */
  readonly database: pg.Client
  /** Opens another connection. */
  connect(): Promise<pg.Client>
}

interface Tenant {
  readonly senders: readonly [Client['send'], Client['send']]
  readonly token: string
  readonly tokenId: string
}

/** Creates an empty database, and starts two servers on it at the same time. */
export async function startPair(
  isolation: 'read committed' | 'serializable' = 'read committed',
): Promise<Pair> {
  const url = process.env.PLUMBLINE_TEST_POSTGRES_URL
  if (!url) throw new Error('PLUMBLINE_TEST_POSTGRES_URL must name a server; see .ci/servers')
  const name = `processes_${crypto.randomUUID().replaceAll('-', '')}`
  const cluster = await connected(url)
  await cluster.query(`create database ${name}`)
  await cluster.query(`alter database ${name} set default_transaction_isolation to '${isolation}'`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const processes = await startProcesses(own.href)
  const database = await connected(own.href)
  return {
    ...processes,
    database,
    connect: () => connected(own.href),
    stop: async () => {
      await processes.stop()
      await database.end()
      await cluster.query(`drop database ${name} with (force)`)
      await cluster.end()
    },
  }
}

/** Starts two servers on a new SQLite file at the same time. */
export async function startSqlitePair(): Promise<Processes> {
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  const processes = await startProcesses(`file:${join(folder, 'directory.db')}`)
  return {
    ...processes,
    stop: async () => {
      await processes.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts two servers on an empty database at the same time. */
export async function startProcesses(url: string): Promise<Processes> {
  const env = { DATABASE_URL: url }
  const servers = await Promise.all([serve(env), serve(env)])
  const [one, other] = servers
  const adminToken = one.token ?? other.token ?? ''
  const admin = client({ origin: one.origin, token: adminToken })
  return {
    url,
    servers,
    adminToken,
    admin,
    tenantOf: async (id) => {
      expect((await admin('POST', '/api/tenants', { id, name: id })).status).toBe(201)
      const { status, body } = await admin('POST', '/api/tokens', { tenantId: id, name: id })
      expect(status).toBe(201)
      const token = String(body.token)
      const senders = [client({ ...one, token }), client({ ...other, token })] as const
      return { senders, token, tokenId: String(body.id) }
    },
    stop: async () => {
      for (const { child, ended } of servers) {
        child.kill('SIGKILL')
        await ended
      }
    },
  }
}

/** Sends this many requests concurrently, to each process in turn. */
export async function spread(
  count: number,
  senders: readonly Client['send'][],
  request: (send: Client['send'], at: number) => Promise<Answer>,
): Promise<Answer[]> {
  const sent = Array.from({ length: count }, (_, at) => {
    const send = senders[at % senders.length]
    if (send === undefined) throw new Error('no process to send to')
    return request(send, at)
  })
  return await Promise.all(sent)
}

/** The number of responses with each status. */
export function statusesOf(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The body of a PATCH with these operations (RFC 7644 §3.5.2). */
export function patch(...Operations: readonly object[]) {
  return { schemas: [PATCH_OP], Operations }
}

/** An error document (RFC 7644 §3.12). */
export function scim(status: number, scimType?: string) {
  const body = { schemas: [ERROR], status: String(status) }
  return { status, body: scimType === undefined ? body : { ...body, scimType } }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString })
  await connection.connect()
  return connection
}
