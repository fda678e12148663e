import type { Store } from '../../kernel/store/store.ts'
import type { AnsweredRequest } from '../log/entry.ts'
import { exchangeText } from './exchange.ts'
import { addRecorded, listActive, type RecordingRow } from './store.ts'

/** Records requests in tenants an administrator chose. */
export interface Recorder {
  /** Looks up which tenants are recorded, if the last look-up is a second old. Never rejects. */
  refresh(): Promise<void>
  /** Looks up immediately which tenants are recorded, after this process has changed it. Never rejects. */
  lookUp(): Promise<void>
  /** Returns the response to send. Records its body while the client reads it, if the tenant is recorded. */
  record(answered: AnsweredRequest, response: Response): Response
  /** Stores waiting requests; resolves even if the database is unavailable. */
  flush(): Promise<void>
}

/** Options for `createRecorder`. */
export interface RecorderOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** Creates a process's recorder. The recordings are in the database, so every process adds to them. */
export function createRecorder({ store, now }: RecorderOptions): Recorder {
  let active: ReadonlyMap<string, RecordingRow> = new Map()
  let lookedUp = Number.NEGATIVE_INFINITY
  let running: Promise<void> = Promise.resolve()
  const queue = createQueue(store)
  const read = async (): Promise<void> => {
    const rows = await store.jobs.attempt(
      'recording-look-up',
      () => store.read((db) => listActive(db, lookedUp)),
      { otherwise: [] },
    )
    active = new Map(rows.map((row) => [row.tenant_id, row]))
  }
  const lookUp = (): Promise<void> => {
    lookedUp = now()
    // One after another, so that an older result does not replace a newer one.
    running = running.then(read)
    return running
  }
  return {
    // Requests wait for a look-up that another request has started.
    refresh: () => (Math.abs(now() - lookedUp) < LOOK_UP_AFTER ? running : lookUp()),
    lookUp,
    record: (answered, response) => {
      const recording = active.get(answered.tenantId ?? '')
      if (recording === undefined) return response
      return withText(response, (answer) => queue.add(recording, answered, answer))
    },
    flush: queue.flush,
  }
}

/** Passes a body on, and reports it as text at its end; null if it is large. */
function withText(response: Response, report: (text: string | null) => void): Response {
  if (response.body === null) {
    report('')
    return response
  }
  const chunks: Uint8Array[] = []
  let length = 0
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      length += chunk.byteLength
      if (length <= MAX_ANSWER_LENGTH) chunks.push(chunk)
      controller.enqueue(chunk)
    },
    flush: () => report(length > MAX_ANSWER_LENGTH ? null : Buffer.concat(chunks).toString()),
  })
  return new Response(response.body.pipeThrough(tap), response)
}

/** Creates a queue for exchanges, stored in batches off the requests' path. */
function createQueue(store: Store) {
  let waiting = new Map<RecordingRow, string[]>()
  let length = 0
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const storeAll = async (): Promise<void> => {
    const batch = waiting
    waiting = new Map()
    length = 0
    for (const [recording, exchanges] of batch) {
      // A recording is for diagnosis: it loses requests rather than slow down others.
      await store.jobs.attempt(
        'recordings',
        () => store.background((db) => addRecorded(db, recording, exchanges)),
        { otherwise: undefined, tenantId: recording.tenant_id },
      )
    }
  }
  const flush = (): Promise<void> => {
    timer = null
    // Batches are stored one after another, so requests keep their order.
    running = running.then(storeAll)
    return running
  }
  return {
    flush,
    add: (recording: RecordingRow, answered: AnsweredRequest, answer: string | null): void => {
      if (length > MAX_WAITING) return
      const text = textOf(store, answered, answer)
      if (text === null) return
      length += text.length
      const exchanges = waiting.get(recording) ?? []
      exchanges.push(text)
      waiting.set(recording, exchanges)
      if (timer === null) timer = setTimeout(flush, INTERVAL).unref()
    },
  }
}

/** A recorder failure must not change an answer. */
function textOf({ jobs }: Store, answered: AnsweredRequest, answer: string | null): string | null {
  try {
    return exchangeText(answered, answer)
  } catch (error) {
    jobs.failed('recordings', error, answered.tenantId)
    return null
  }
}

/** How long (ms) after its start another process may not record the requests of a tenant yet. */
export const LOOK_UP_AFTER = 1_000
const INTERVAL = 250
const MAX_ANSWER_LENGTH = 256 * 1024
/** The most code units waiting to be stored. */
const MAX_WAITING = 4 * 2 ** 20
