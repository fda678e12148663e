import pg from 'pg'
import { expect } from 'vitest'
import type { Answer, Client } from './harness.ts'
import { client, type Serving, serve } from './spawned-server.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Two processes on one PostgreSQL database that no other test uses. */
export interface Pair {
  readonly servers: readonly [Serving, Serving]
  /** A direct connection to their database. */
  readonly database: pg.Client
  /** Opens another connection. */
  connect(): Promise<pg.Client>
  /** Sends requests of the administrator to the first process. */
  readonly admin: Client['send']
  /** Creates a tenant and a token, and returns a sender of requests to each process. */
  tenantOf(id: string): Promise<Tenant>
  /** Stops the processes, and drops the database. */
  stop(): Promise<void>
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
  const env = { DATABASE_URL: own.href }
  const servers = await Promise.all([serve(env), serve(env)])
  const database = await connected(own.href)
  const token = servers[0].token ?? servers[1].token
  const admin = client({ origin: servers[0].origin, token })
  return {
    servers,
    database,
    connect: () => connected(own.href),
    admin,
    tenantOf: async (id) => {
      expect((await admin('POST', '/api/tenants', { id, name: id })).status).toBe(201)
      const { status, body } = await admin('POST', '/api/tokens', { tenantId: id, name: id })
      expect(status).toBe(201)
      const made = String(body.token)
      const [one, other] = servers
      const senders = [client({ ...one, token: made }), client({ ...other, token: made })] as const
      return { senders, token: made, tokenId: String(body.id) }
    },
    stop: async () => {
      for (const { child, ended } of servers) {
        child.kill('SIGKILL')
        await ended
      }
      await database.end()
      await cluster.query(`drop database ${name} with (force)`)
      await cluster.end()
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
  const made = new pg.Client({ connectionString })
  await made.connect()
  return made
}
