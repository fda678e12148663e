import type { HandlersOf } from '@plumbline/openapi/server'
import type { Outbox } from '@plumbline/scim/endpoint'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { findTenant } from '../../kernel/access/tenant-store.ts'
import type { Profile } from '../../kernel/profiles.ts'
import { createSlots } from '../../kernel/store/engines/worker-pool.ts'
import type { Store } from '../../kernel/store/store.ts'
import { streamJson } from '../../shell/api/stream-json.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { LOOK_UP_AFTER, type Recorder } from './recorder.ts'
import {
  createRecording,
  deleteRecording,
  isActive,
  listRecordings,
  RECORDING_LIMITS,
  type RecordingRow,
  stopRecording,
} from './store.ts'
import { readStoredRun } from './stored-run.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** The server part that records requests; null if this server does not. */
export interface RecordingSources {
  readonly recorder: Pick<Recorder, 'lookUp'> | null
  readonly outbox: Outbox
}

type RecordingHandlers = Pick<
  ApiHandlers,
  'listRecordings' | 'startRecording' | 'stopRecording' | 'deleteRecording' | 'getRun'
>

/** Handlers for recordings. */
export function recordingHandlers(
  options: AuthOptions,
  { outbox, recorder }: RecordingSources,
): RecordingHandlers {
  const { store, now } = options
  const shown = (row: RecordingRow) => recordingBody(row, now())
  return {
    listRecordings: async ({ params: { tenantId }, reply, problems }) => {
      if (!(await store.read((db) => findTenant(db, tenantId)))) return problems.notFound()
      return reply(200, { recordings: (await rowsOf(store, tenantId)).map(shown) })
    },
    startRecording: async ({ params: { tenantId }, reply, problems }) => {
      if (!(await store.read((db) => findTenant(db, tenantId)))) return problems.notFound()
      const rows = await rowsOf(store, tenantId)
      const isRunning = rows.some((row) => isActive(row, now()))
      if (isRunning) return problems.notAllowed({ detail: 'A recording is already active.' })
      if (rows.length >= RECORDING_LIMITS.count) {
        return problems.notAllowed({ detail: `Delete one of the ${rows.length} recordings first.` })
      }
      const id = crypto.randomUUID()
      await store.write((db) => createRecording(db, { tenantId, id, now: now() }))
      await recorder?.lookUp()
      const row = await find(store, tenantId, id)
      return row === null ? problems.notFound() : reply(201, shown(row))
    },
    stopRecording: async ({ params: { tenantId, recordingId }, reply, problems }) => {
      await store.write((db) => stopRecording(db, tenantId, recordingId, now()))
      await recorder?.lookUp()
      const row = await find(store, tenantId, recordingId)
      return row === null ? problems.notFound() : reply(200, shown(row))
    },
    deleteRecording: async ({ params: { tenantId, recordingId }, reply, problems }) => {
      if ((await find(store, tenantId, recordingId)) === null) return problems.notFound()
      while (await store.write((db) => deleteRecording(db, tenantId, recordingId)));
      return reply(204)
    },
    ...runHandlers(store, outbox),
  }
}

async function find(store: Store, tenantId: string, id: string): Promise<RecordingRow | null> {
  return (await rowsOf(store, tenantId)).find((row) => row.id === id) ?? null
}

function rowsOf(store: Store, tenantId: string): Promise<readonly RecordingRow[]> {
  return store.read((db) => listRecordings(db, tenantId))
}

function runHandlers(store: Store, outbox: Outbox): Pick<RecordingHandlers, 'getRun'> {
  // A run has up to 20 Mi code units, several times in memory while it is built.
  const building = createSlots([null])
  return {
    getRun: async ({ params: { tenantId, recordingId }, signal, reply, problems }) => {
      if ((await find(store, tenantId, recordingId)) === null) {
        const detail =
          'A run needs a recording: the provisioning log does not have the bodies of successful requests.'
        return problems.notFound({ detail })
      }
      const turn = await building.take(tenantId, signal)
      try {
        const run = await readStoredRun(store, { tenantId, recordingId, signal })
        if (run === null) return problems.notAllowed({ detail: NOTHING_TO_REPLAY })
        const client = `runs of ${tenantId}`
        const body = streamJson<EmptyRun>(run, { outbox, client, signal })
        return body === null ? problems.unavailable({ detail: UNREAD }) : reply(200, body)
      } finally {
        building.giveBack(turn)
      }
    },
  }
}

/** The type of a run, whose steps are JSON already. */
type EmptyRun = { profile: Profile; source: string; steps: [] }

function recordingBody(row: RecordingRow, time: number) {
  const { id, created_at, ends_at, stopped_at, requests, length } = row
  return {
    id,
    createdAt: new Date(created_at).toISOString(),
    startsAt: new Date(created_at + LOOK_UP_AFTER).toISOString(),
    endsAt: new Date(stopped_at ?? ends_at).toISOString(),
    isActive: isActive(row, time),
    requests,
    length,
  }
}

const NOTHING_TO_REPLAY = 'The recording does not have requests to replay.'
const UNREAD = 'Too many runs have not been read yet.'
