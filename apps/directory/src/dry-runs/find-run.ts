import { createReadStream } from 'node:fs'
import { parseRun, type Run } from '@plumbline/doctor'
import { isFailure, unwrap } from '@plumbline/result'
import { keepValues } from '../recordings/pseudonyms.ts'
import { readStoredRun } from '../recordings/stored-run.ts'
import { findRecording } from '../store/recordings/recordings.ts'
import type { Store } from '../store/store.ts'

/** A recording that cannot be replayed. */
export class RunError extends Error {
  override readonly name: string = 'RunError'
}

/** Finds a run: any tenant's stored recording by its id, with its real values, or a file. Rejects with a RunError. */
export async function findRun(store: Store, recording: string): Promise<Run> {
  const run = RECORDING_ID.test(recording)
    ? await readRecording(store, recording)
    : await readFile(recording)
  if (run.steps.length > MOST_STEPS) {
    throw new RunError(`the run has more than ${MOST_STEPS} requests`)
  }
  return run
}

async function readRecording(store: Store, id: string): Promise<Run> {
  const row = await store.read((db) => findRecording(db, id))
  if (row === null) throw new RunError(`recording ${id} not found`)
  const options = { tenantId: row.tenant_id, recordingId: id, pseudonyms: keepValues() }
  const run = await readStoredRun(store, options)
  if (run === null) throw new RunError(`recording ${id} does not have requests to replay`)
  return unwrap(parseRun(run))
}

async function readFile(file: string): Promise<Run> {
  const run = parseRun(parseJson(await readText(file)))
  if (isFailure(run)) throw new RunError(run.error.message)
  return run.data
}

async function readText(file: string): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of createReadStream(file)) {
    chunks.push(chunk)
    length += chunk.length
    if (length > LARGEST) throw new RunError(`the run is larger than ${LARGEST / 2 ** 20} MiB`)
  }
  return Buffer.concat(chunks).toString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RunError('the run is not valid JSON')
  }
}

/** A stored recording's id. */
const RECORDING_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const LARGEST = 64 * 2 ** 20
/** Twice a stored recording's maximum number of requests. */
const MOST_STEPS = 10_000
