import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { VictimData } from './victim-thread.ts'

/** A client that repeats its requests while other clients send heavy ones. */
export interface Victim {
  /**
   * The longest waits since the last call, for each path: the processor time (ms) of the server's main thread between
   * a request and its response. It does not depend on the load of the machine.
   */
  longestWaits(): Promise<readonly number[]>
  stop(): Promise<void>
}

/** Starts a victim on a thread of its own. */
export async function startVictim(data: VictimData): Promise<Victim> {
  const worker = new Worker(new URL('./victim-thread.ts', import.meta.url), { workerData: data })
  let failed: unknown = null
  worker.once('error', (error) => {
    failed = error
  })
  const longestWaits = async (): Promise<readonly number[]> => {
    // The requests that were sent during the attack are answered, and so are measured.
    await setTimeout(SETTLE)
    if (failed !== null) throw failed
    worker.postMessage('read')
    const [waits] = await once(worker, 'message')
    return waits
  }
  await longestWaits()
  return {
    longestWaits,
    stop: async () => {
      await worker.terminate()
    },
  }
}

/** In milliseconds. */
const SETTLE = 200
