import { Worker } from 'node:worker_threads'
import { createDatabase, type Database, type DatabaseAdapter } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter, type SqliteDatabase } from '@remix-run/data-table-sqlite'
import { findInCauses } from '../../fault.ts'
import { type Store, StoreUnavailableError } from '../../store.ts'
import { createFairScans, type RunScan } from '../fair-scans.ts'
import { createSlots, type Pauses } from '../worker-pool.ts'
import { faultOf } from './faults.ts'
import type { Answer, Order, Place, Statement } from './scan-worker.ts'
import { namedRows } from './sqlite-file.ts'

/** Reads a SQLite file on worker threads. */
export interface Scans {
  readonly scan: Store['scan']
  /** Waits for running scans, and ends the threads. */
  close(): Promise<void>
}

export interface ScanOptions {
  readonly pauses: Pauses
  /** The time limit of a scan, in milliseconds. */
  readonly limit: number
}

/**
 * Scans a SQLite file on up to two threads, each of which runs one scan at a time. A thread starts with
 * its first scan, and is kept. In a pause, no thread reads the file.
 */
export function createScans(place: Place, { pauses, limit }: ScanOptions): Scans {
  const all: readonly Slot[] = Array.from({ length: MOST_THREADS }, () => ({ thread: null }))
  const pause = async (): Promise<void> => {
    // The result of a scan is returned before its transaction has ended.
    await Promise.all(all.map(({ thread }) => thread?.ended()))
    await pauses.pause()
  }
  const slots = createSlots(all, { pauses: { ...pauses, pause } })
  const run: RunScan<Slot> = async (slot, work, signal) => {
    signal.throwIfAborted()
    if (!slot.thread?.isAlive()) slot.thread = startThread(place)
    return await slot.thread.scan(work, signal)
  }
  const scan = createFairScans(slots, run, limit)
  let isClosed = false
  return {
    scan: async (work, options) => {
      if (isClosed) throw new Error('the database is closed')
      return await scan(work, options)
    },
    close: async () => {
      isClosed = true
      await Promise.all(all.map(() => slots.take('')))
      await Promise.all(all.map(({ thread }) => thread?.close()))
    },
  }
}

/** The place of a thread; null until its first scan. */
interface Slot {
  thread: Thread | null
}

interface Thread {
  isAlive(): boolean
  scan<Value>(work: (db: Database) => Promise<Value>, signal: AbortSignal): Promise<Value>
  close(): Promise<void>
  /** Waits until the transaction of the last scan has ended. */
  ended(): Promise<unknown>
}

function startThread(place: Place): Thread {
  /** The number of the scan to stop; later scans are not affected. */
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), {
    workerData: { ...place, stopped },
    // The thread does not need the command line options of the process, and may not support them.
    execArgv: [],
  })
  const asked: Asked[] = []
  let death: StoreUnavailableError | null = null
  let cause: unknown
  worker.on('message', (answer: Answer) => asked.shift()?.resolve(answer))
  worker.once('error', (error) => {
    cause = error
  })
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      death = new StoreUnavailableError('the scan thread ended unexpectedly', { cause })
      for (const { reject } of asked.splice(0)) reject(death)
      resolve()
    })
  })
  // The thread keeps the process alive only while a statement runs.
  worker.unref()
  const tell = (order: Order): void => worker.postMessage(order)
  const ask = (order: Statement | 'end'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (death) throw death
      tell(order)
      asked.push({ resolve, reject })
    })
  let scan = 0
  let end: Promise<unknown> = Promise.resolve()
  let current: AbortSignal | undefined
  const db = databaseOver(async (text, values) => {
    current?.throwIfAborted()
    return rowsOf(await ask({ scan, text, values }))
  })
  return {
    isAlive: () => death === null,
    ended: () => end,
    scan: async (work, signal) => {
      scan = (scan % LAST_SCAN) + 1
      current = signal
      const stop = (): void => {
        Atomics.store(stopped, 0, scan)
      }
      signal.addEventListener('abort', stop)
      worker.ref()
      try {
        return await work(db)
      } catch (error) {
        signal.throwIfAborted()
        if (death) throw death
        if (findInCauses(error, faultOf) !== 'busy') throw error
        throw new StoreUnavailableError('the database is busy', { cause: error })
      } finally {
        signal.removeEventListener('abort', stop)
        // The transaction of a thread that ended has ended too.
        end = ask('end').catch(() => undefined)
        worker.unref()
      }
    },
    close: async () => {
      worker.ref()
      tell('close')
      await ended
    },
  }
}

/** The promise of a statement's result. Results arrive in the order of the statements. */
interface Asked {
  resolve(answer: Answer): void
  reject(error: Error): void
}

type Row = Record<string, unknown>

/** A database whose statements run on another thread. */
function databaseOver(
  run: (text: string, values: Statement['values']) => Promise<Row[]>,
): Database {
  const adapter = createSqliteDatabaseAdapter(READ_ONLY)
  const execute: DatabaseAdapter['execute'] = async ({ operation }) => {
    const [statement] = adapter.compileSql(operation)
    if (statement === undefined) return {}
    // The adapter writes only values that SQLite can bind.
    const values = statement.values.map((value) => value ?? null) as Statement['values']
    return { rows: await run(statement.text, values) }
  }
  return createDatabase(Object.assign(adapter, { execute }))
}

function rowsOf(answer: Answer): Row[] {
  if ('message' in answer) {
    const { message, errcode } = answer
    throw Object.assign(new Error(message), { errcode })
  }
  return namedRows(answer.names, answer.rows)
}

/** The methods of an adapter that a scan does not need. */
const READ_ONLY: SqliteDatabase = {
  prepare: () => refuse(),
  exec: () => refuse(),
}

function refuse(): never {
  throw new Error('a scan only reads')
}

const MOST_THREADS = 2
const LAST_SCAN = 2 ** 31 - 1
