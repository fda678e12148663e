import { setTimeout } from 'node:timers/promises'
import { createDatabase, type Database } from '@remix-run/data-table'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import pg from 'pg'
import { migrate } from './migrations.ts'
import { faultOf, type Store, StoreUnavailableError } from './store.ts'

/** How a pool is used. */
export interface PostgresOptions {
  /** How many connections at most; 10 by default. */
  readonly connections?: number
  /** How long a statement is waited for, in milliseconds; 30 seconds by default. */
  readonly answerTimeout?: number
}

/** Opens a PostgreSQL database, migrated where it has to be. */
export async function openPostgres(
  url: string,
  { connections = 10, answerTimeout = 30_000 }: PostgresOptions = {},
): Promise<Store> {
  const options = { connectionString: url, connectionTimeoutMillis: 5_000 }
  // Migrations hold a lock of the session, which a pool of one connection keeps.
  const single = createPool({ ...options, max: 1 })
  try {
    await migrate(createPostgresDatabaseAdapter(single))
  } finally {
    await single.end()
  }
  // A server that has fallen silent is not waited for until the network gives it up.
  const patient = { ...options, query_timeout: answerTimeout, keepAlive: true, pipeline: true }
  const pool = createPool({ ...patient, max: connections, types: { getTypeParser } })
  // What stops statements must not wait for the connections that these hold.
  const stopping = createPool({ ...patient, max: 1 })
  const databaseOf = createDatabases()
  const read: Store['read'] = (work, signal) =>
    withRetries(async () => {
      signal?.throwIfAborted()
      const client = await pool.connect()
      const wait = signal ? cancelWhenAborted(signal, stopping, client) : undefined
      const begun = async () => {
        signal?.throwIfAborted()
        return await work(databaseOf(client))
      }
      return await inTransaction(client, READING, begun, wait)
    })
  return {
    dialect: 'postgres',
    read,
    scan: read,
    write: (work) =>
      withRetries(async () => {
        const client = await pool.connect()
        return await inTransaction(client, WRITING, () => work(databaseOf(client)))
      }),
    close: async () => {
      await Promise.all([pool.end(), stopping.end()])
    },
  }
}

function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  // A connection that breaks while it is idle is taken out of the pool; the next request gets another.
  pool.on('error', () => undefined)
  // One that breaks between two statements of a transaction says so at the next of them.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** What gave way to another transaction is done again; the work starts from what it reads anew. */
async function withRetries<Value>(attempt: () => Promise<Value>): Promise<Value> {
  const end = performance.now() + PATIENCE
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'busy' && performance.now() < end) {
        // At the same time as the others it would meet them again.
        await setTimeout(Math.random() * Math.min(2 ** count, LONGEST_PAUSE))
        continue
      }
      if (fault !== 'busy' && fault !== 'unavailable') throw error
      throw new StoreUnavailableError('the database does not answer', { cause: error })
    }
  }
}

/**
 * Does work on a connection, and lets go of it. The query library's own transactions keep a connection
 * that fails as it begins one, and say nothing of why a commit failed.
 */
async function inTransaction<Value>(
  client: pg.PoolClient,
  begin: string,
  work: () => Promise<Value>,
  wait: () => Promise<void> = async () => undefined,
): Promise<Value> {
  // The first statement follows the beginning without waiting for it: the connection is a pipeline.
  const begun = client.query(begin)
  begun.catch(() => undefined)
  let value: Value
  try {
    value = await work()
    await begun
  } catch (error) {
    await letGo(client, wait, error)
    throw error
  }
  const released = client.query('commit').then(
    () => letGo(client, wait),
    async (error) => {
      await letGo(client, wait, error)
      throw error
    },
  )
  // A commit keeps nothing of what was only read: nobody waits for it.
  if (begin === READING) released.catch(() => undefined)
  else await released
  return value
}

/** Lets go of a connection, after an error only if it can be used on. */
async function letGo(
  client: pg.PoolClient,
  wait: () => Promise<void>,
  error?: unknown,
): Promise<void> {
  // Over a connection that is gone, or does not answer, there is nothing to say any more.
  const isUsable =
    error === undefined || (faultOf(error) !== 'unavailable' && (await isDone(client, 'rollback')))
  // Else a cancellation might meet what the connection does next.
  await wait()
  client.release(!isUsable)
}

/** Runs a statement; tells whether it was done. */
async function isDone(client: pg.PoolClient, statement: string): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch {
    return false
  }
}

/**
 * The databases as seen over each connection. The server plans a statement that has a name once for a
 * connection, and to plan takes longer than to find a row. It keeps as many plans as there are names:
 * only the first short texts get one.
 */
function createDatabases(): (client: pg.PoolClient) => Database {
  const names = new Map<string, string>()
  const databases = new WeakMap<pg.PoolClient, Database>()
  const nameOf = (text: string): string | undefined => {
    // A plan that gives all columns would not outlive a migration.
    const isNameable = text.length <= LONGEST_NAMED && !text.includes('*')
    if (isNameable && names.size < MOST_NAMES && !names.has(text)) {
      names.set(text, `directory_${names.size}`)
    }
    return names.get(text)
  }
  return (client) => {
    const known = databases.get(client)
    if (known) return known
    const query = (text: string, values: unknown[]) => {
      const name = nameOf(text)
      return client.query(name === undefined ? { text, values } : { name, text, values })
    }
    // The adapter asks a connection for nothing else.
    const db = createDatabase(createPostgresDatabaseAdapter({ query } as unknown as pg.PoolClient))
    databases.set(client, db)
    return db
  }
}

/**
 * Lets the server give up what a connection does once nobody waits for it; returns what ends this, and
 * waits for a cancellation under way.
 */
function cancelWhenAborted(
  signal: AbortSignal,
  pool: pg.Pool,
  client: pg.PoolClient,
): () => Promise<void> {
  let isOver = false
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    // The number of the server's process is what a cancellation names; the types leave it out.
    const process = Number(Object(client).processID)
    // One that comes between two statements stops neither.
    for (; !isOver; await setTimeout(20)) {
      await pool.query('select pg_cancel_backend($1)', [process]).catch(() => undefined)
    }
  }
  const begin = (): void => {
    stopped = stop()
  }
  signal.addEventListener('abort', begin)
  return async () => {
    isOver = true
    signal.removeEventListener('abort', begin)
    await stopped
  }
}

/** Whole numbers of 64 bits are times in milliseconds and counts here, which a number holds. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}

const READING = 'begin isolation level repeatable read read only'
const WRITING = 'begin'
const INT8 = 20
const MOST_NAMES = 500
const LONGEST_NAMED = 500
/** For how long work that gives way is done again, and between times not, in milliseconds. */
const PATIENCE = 10_000
const LONGEST_PAUSE = 100
