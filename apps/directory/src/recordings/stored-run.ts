import { profileOf } from '../profiles.ts'
import { readRecorded } from '../store/recordings/recordings.ts'
import type { Store } from '../store/store.ts'
import { listTokens } from '../store/tokens.ts'
import type { RecordedExchange } from './exchange.ts'
import { buildSteps } from './run.ts'

/** The recording to build a run from. */
export interface StoredRunOptions {
  readonly tenantId: string
  readonly recordingId: string
  readonly signal?: AbortSignal
}

/** Builds the run for a stored recording; null if no request can be replayed. */
export async function readStoredRun(
  store: Store,
  { tenantId, recordingId, signal }: StoredRunOptions,
) {
  const read = { ...(signal && { signal }) }
  const texts = await store.scan((db) => readRecorded(db, tenantId, recordingId), read)
  const exchanges = texts.map((text): RecordedExchange => JSON.parse(text))
  const { steps, omitted } = buildSteps(exchanges)
  if (steps.length === 0) return null
  const tokens = await store.read((db) => listTokens(db, tenantId))
  const token = tokens.find(({ id }) => exchanges.some(({ tokenId }) => tokenId === id))
  const source = `a recording of ${exchanges.length} requests, of which ${omitted} were left out`
  return { profile: profileOf(token?.profile ?? 'standard'), source, steps: [...steps] }
}
