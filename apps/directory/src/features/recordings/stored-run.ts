import { listTokens } from '../../kernel/access/token-store.ts'
import { profileOf } from '../../kernel/profiles.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { RecordedExchange } from './exchange.ts'
import { createSteps } from './run.ts'
import { readRecorded } from './store.ts'

/** The recording to build a run from. */
export interface StoredRunOptions {
  readonly tenantId: string
  readonly recordingId: string
  readonly signal?: AbortSignal
}

/**
 * Builds the JSON of the run for a stored recording, in pieces; null if no request can be replayed. Other requests are served
 * meanwhile, because a recording has up to 20 Mi code units.
 */
export async function readStoredRun(
  store: Store,
  { tenantId, recordingId, signal }: StoredRunOptions,
): Promise<readonly string[] | null> {
  const read = { ...(signal && { signal }) }
  const texts = await store.scan((db) => readRecorded(db, tenantId, recordingId), read)
  const stepFor = createSteps()
  const pieces: string[] = []
  const tokenIds = new Set<unknown>()
  let length = 0
  for (const text of texts) {
    length += text.length
    if (length > LARGE) {
      await store.turns.next(tenantId)
      length = text.length
      signal?.throwIfAborted()
    }
    const exchange: RecordedExchange = JSON.parse(text)
    tokenIds.add(exchange.tokenId)
    const step = stepFor(exchange)
    if (step !== null) pieces.push(`${pieces.length === 0 ? '' : ','}${JSON.stringify(step)}`)
  }
  if (pieces.length === 0) return null
  const tokens = await store.read((db) => listTokens(db, tenantId))
  const token = tokens.find(({ id }) => tokenIds.has(id))
  const omitted = texts.length - pieces.length
  const source = `a recording of ${texts.length} requests, of which ${omitted} were left out`
  const facts = JSON.stringify({ profile: profileOf(token?.profile ?? 'standard'), source })
  return [`${facts.slice(0, -1)},"steps":[`, ...pieces, ']}']
}

/** In code units: requests up to this total length take a few milliseconds. */
const LARGE = 64 * 1024
