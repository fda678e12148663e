import pg from 'pg'
import type { Load } from '../../store.ts'

/** A process's connections, divided by the work they do. */
export interface Pools {
  readonly lookups: pg.Pool
  readonly scans: pg.Pool
  /** Health checks must not wait for the other connections. */
  readonly control: pg.Pool
  /** Background work must not use a request's connection. */
  readonly background: pg.Pool
  /** Each pool's connections. */
  load(): readonly Load[]
  end(): Promise<void>
}

/** The number of connections, and the time limits of their statements in milliseconds. */
export interface PoolOptions {
  readonly connections: number
  readonly scanConnections: number
  readonly answerTimeout: number
  readonly scanTimeout: number
}

/** Runs work on one connection, such as migrations, which hold a session lock. */
export async function withConnection<Value>(
  url: string,
  work: (single: pg.Pool) => Promise<Value>,
): Promise<Value> {
  const single = createPool({ ...optionsFor(url), max: 1 })
  try {
    return await work(single)
  } finally {
    await single.end()
  }
}

/** Creates a database's pools. A connection is opened when it is needed. */
export function createPools(
  url: string,
  { connections, scanConnections, answerTimeout, scanTimeout }: PoolOptions,
): Pools {
  const patient = (timeout: number) => ({
    ...optionsFor(url),
    // The server stops a slow statement first. This later limit detects a silent server.
    query_timeout: timeout + SILENCE,
    keepAlive: true,
    idleTimeoutMillis: IDLE,
    pipeline: true,
  })
  const typed = { types: { getTypeParser } }
  const lookups = createPool({ ...patient(answerTimeout), ...typed, max: connections })
  const scans = createPool({ ...patient(scanTimeout), ...typed, max: scanConnections })
  const control = createPool({ ...patient(answerTimeout), max: 1 })
  const background = createPool({ ...patient(answerTimeout), ...typed, max: 1 })
  const all = { lookups, scans, control, background }
  const load = (): readonly Load[] => Object.entries(all).map(([name, pool]) => loadOf(name, pool))
  const end = async (): Promise<void> => {
    await Promise.all(Object.values(all).map((pool) => pool.end()))
  }
  return { ...all, load, end }
}

function loadOf(
  name: string,
  { totalCount, idleCount, waitingCount, options: { max } }: pg.Pool,
): Load {
  return { name, running: totalCount - idleCount, waiting: waitingCount, limit: max }
}

function optionsFor(url: string): pg.PoolConfig {
  return { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT }
}

function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  // A connection that fails while idle is removed from the pool; the next request gets another.
  pool.on('error', () => undefined)
  // If a connection fails between two statements of a transaction, the next statement rejects.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The 64-bit integers here are times in milliseconds and counts, which fit a JavaScript number. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}

const INT8 = 20
/** How long to wait for a connection, in milliseconds. */
export const CONNECT_TIMEOUT = 5_000
/**
 * How long (ms) an idle connection is kept. A new one has to plan its statements again: a read that opens it
 * takes ten times as long as on a warm connection.
 */
const IDLE = 60_000
/** How long the server may take to answer after a statement's time limit, in milliseconds. */
const SILENCE = 1_000
