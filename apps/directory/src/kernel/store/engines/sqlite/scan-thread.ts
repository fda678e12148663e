import { Worker } from 'node:worker_threads'
import type { Database } from '../../database.ts'
import { findInCauses } from '../../driver-errors.ts'
import { StoreUnavailableError } from '../../store.ts'
import { faultOf } from './faults.ts'
import { openScanDatabase } from './scan-database.ts'
import type { Answer, Order, ScannedFile } from './scan-worker.ts'
import { namedRows } from './sqlite-file.ts'

/** A thread that reads a SQLite file for one scan at a time. */
export interface ScanThread {
  isAlive(): boolean
  scan<Value>(work: (db: Database) => Promise<Value>, signal: AbortSignal): Promise<Value>
  /** Waits until the last scan's transaction has ended. */
  ended(): Promise<unknown>
  close(): Promise<void>
}

/** Starts a thread. It keeps the process alive only while a scan runs. */
export function startScanThread(file: ScannedFile): ScanThread {
  /** The number of the scan to stop; later scans are not affected. */
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(WORKER, {
    workerData: { ...file, stopped },
    // The thread does not need the process's command line options, and may not support them.
    execArgv: [],
  })
  const channel = openChannel(worker)
  const { scan, ended } = createScanner(channel, (number) => Atomics.store(stopped, 0, number))
  return {
    isAlive: () => channel.fault() === null,
    scan: async (work, signal) => {
      worker.ref()
      try {
        return await scan(work, signal)
      } finally {
        worker.unref()
      }
    },
    ended,
    close: async () => {
      worker.ref()
      worker.postMessage('close' satisfies Order)
      await channel.closed
    },
  }
}

/** Sends orders to a thread, which answers them in order. */
interface Channel {
  ask(order: Exclude<Order, 'close'>): Promise<Answer>
  /** The error for every later order after the thread has ended; else null. */
  fault(): StoreUnavailableError | null
  /** Settles when the thread has ended. */
  readonly closed: Promise<void>
}

function openChannel(worker: Worker): Channel {
  const waiting: WaitingOrder[] = []
  let fault: StoreUnavailableError | null = null
  let cause: unknown
  worker.on('message', (answer: Answer) => waiting.shift()?.resolve(answer))
  worker.once('error', (error) => {
    cause = error
  })
  const closed = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      fault = new StoreUnavailableError('the scan thread ended unexpectedly', { cause })
      for (const { reject } of waiting.splice(0)) reject(fault)
      resolve()
    })
  })
  return {
    ask: (order) =>
      new Promise((resolve, reject) => {
        if (fault) throw fault
        worker.postMessage(order)
        waiting.push({ resolve, reject })
      }),
    fault: () => fault,
    closed,
  }
}

interface WaitingOrder {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** Runs scans over a channel, one at a time. `stop` stops the scan with a number. */
function createScanner(
  channel: Channel,
  stop: (number: number) => void,
): Pick<ScanThread, 'scan' | 'ended'> {
  let number = 0
  let end: Promise<unknown> = Promise.resolve()
  let current: AbortSignal | undefined
  const db = openScanDatabase(async (text, values) => {
    current?.throwIfAborted()
    return toRows(await channel.ask({ scan: number, text, values }))
  })
  return {
    ended: () => end,
    scan: async (work, signal) => {
      number = (number % LAST_SCAN) + 1
      current = signal
      const onAbort = (): void => stop(number)
      signal.addEventListener('abort', onAbort)
      try {
        return await work(db)
      } catch (error) {
        signal.throwIfAborted()
        const fault = channel.fault()
        if (fault) throw fault
        if (findInCauses(error, faultOf) !== 'busy') throw error
        throw new StoreUnavailableError('the database is busy', { cause: error })
      } finally {
        signal.removeEventListener('abort', onAbort)
        // When a thread ends, its transaction ends too.
        end = channel.ask('end').catch(() => undefined)
      }
    },
  }
}

function toRows(answer: Answer): Record<string, unknown>[] {
  if ('message' in answer) {
    const { message, errcode } = answer
    throw Object.assign(new Error(message), { errcode })
  }
  return namedRows(answer.names, answer.rows)
}

/** The file with the thread's code, `.ts` or `.js` like this one. */
const WORKER = new URL(import.meta.url.replace(/scan-thread(?=[.]\w+$)/, 'scan-worker'))

/** The largest 32-bit integer. */
const LAST_SCAN = 0x7fff_ffff
