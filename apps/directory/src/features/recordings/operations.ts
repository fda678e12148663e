import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { NO_QUERY, profile, tenantId } from '../../shell/api/schemas.ts'

/** Routes for recordings. */
export const recordingRoutes = createRoutes('/api/tenants/:tenantId/recordings', {
  listRecordings: get('/'),
  startRecording: post('/'),
  stopRecording: post('/:recordingId/stop'),
  deleteRecording: del('/:recordingId'),
  getRun: get('/:recordingId/run'),
})

const recordingId = z.uuid()

const Recording = z
  .object({
    id: recordingId,
    createdAt: z.iso.datetime(),
    startsAt: z.iso.datetime().meta({
      description:
        'From when every server process records. The process that started the recording records from `createdAt`.',
    }),
    endsAt: z.iso.datetime().meta({ description: 'When the recording stops by itself' }),
    isActive: z.boolean(),
    requests: z.int().meta({ description: 'How many requests were recorded' }),
    length: z.int().meta({ description: 'The size of these requests, in code units' }),
  })
  .meta({ id: 'Recording' })

const headers = z.record(z.string(), z.string()).optional()

const Run = z
  .object({
    profile,
    source: z.string(),
    steps: z.array(
      z.object({
        name: z.string(),
        request: z.object({
          method: z.string(),
          path: z.string(),
          headers,
          body: z.unknown().optional(),
        }),
        expect: z.object({ status: z.int(), body: z.unknown().optional() }),
        save: z.record(z.string(), z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'Run' })

const params = z.object({ tenantId, recordingId })
const tags = ['recordings']

/** Operations for recordings. */
export const recordingOperations = {
  listRecordings: defineOperation('listRecordings', recordingRoutes.listRecordings, {
    summary: 'List the recordings of a tenant',
    tags,
    params: z.object({ tenantId }),
    query: NO_QUERY,
    responses: {
      200: {
        description: 'The recordings, the oldest first',
        body: z.object({ recordings: z.array(Recording) }),
      },
    },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  startRecording: defineOperation('startRecording', recordingRoutes.startRecording, {
    summary: 'Record the requests of a tenant',
    description:
      'Stores the bodies of the next SCIM requests of the tenant and of their answers, without sensitive values. A recording stops after 15 minutes, about 5,000 requests or 20 Mi code units. The process that answers records the next request, and the others start within a second, at `startsAt`. A tenant has one active recording, and up to 5 of them.',
    tags,
    params: z.object({ tenantId }),
    query: NO_QUERY,
    responses: { 201: { description: 'The recording', body: Recording } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'notAllowed'],
  }),
  stopRecording: defineOperation('stopRecording', recordingRoutes.stopRecording, {
    summary: 'Stop a recording',
    description: 'A recording that has stopped is not changed.',
    tags,
    params,
    query: NO_QUERY,
    responses: { 200: { description: 'The recording', body: Recording } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  deleteRecording: defineOperation('deleteRecording', recordingRoutes.deleteRecording, {
    summary: 'Delete a recording with its requests',
    tags,
    params,
    query: NO_QUERY,
    responses: { 204: { description: 'The recording is deleted' } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  getRun: defineOperation('getRun', recordingRoutes.getRun, {
    summary: 'Read a recording as a run that can be replayed',
    description:
      'The requests in their order, with the answers to expect from an empty tenant. Every value is replaced, the same value by the same replacement, so that references and filters still match. Requests on resources that existed before the recording are left out.',
    tags,
    params,
    query: NO_QUERY,
    responses: { 200: { description: 'The run', body: Run } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'notAllowed'],
  }),
}
