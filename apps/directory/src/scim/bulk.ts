import { setImmediate as nextTurn } from 'node:timers/promises'
import { unwrap } from '@plumbline/result'
import { MEDIA_TYPE, scimResponse } from '@plumbline/scim'
import { type Bulk, parseBulk, runBulk } from '@plumbline/scim/bulk'
import type { ScimRequest } from './endpoint.ts'
import { BULK_LIMITS } from './limits.ts'

/** Runs the operations of a bulk request (RFC 7644 §3.7), each like a request of its own. */
export async function bulkHandler(scim: Sender): Promise<Response> {
  const bulk = unwrap(parseBulk(await scim.body(), BULK_LIMITS))
  return scimResponse(await runBulk(bulk, (call) => execute(scim, call)))
}

/** The parts of a SCIM request that a bulk request needs. */
type Sender = Pick<ScimRequest, 'base' | 'body' | 'dispatch' | 'fail'>

/** Runs one operation. Its error becomes its result, so that the other results are not lost. */
async function execute(scim: Sender, call: Bulk.Call): Promise<Bulk.Outcome> {
  // A SQLite statement blocks the thread; `runBulk` itself yields every few milliseconds.
  await nextTurn()
  try {
    return await toOutcome(await send(scim, call))
  } catch (error) {
    return await toOutcome(scim.fail(error))
  }
}

async function send(
  { base, dispatch }: Sender,
  { method, path, version, data }: Bulk.Call,
): Promise<Response> {
  const headers = new Headers({ 'Content-Type': MEDIA_TYPE })
  if (version !== undefined) headers.set('If-Match', version)
  const body = data === undefined ? null : JSON.stringify(data)
  return await dispatch(new Request(`${base}${path}`, { method, headers, body }))
}

async function toOutcome(response: Response): Promise<Bulk.Outcome> {
  const location = response.headers.get('Location')
  const tag = response.headers.get('ETag')
  return {
    status: response.status,
    ...(location === null ? {} : { location }),
    ...(tag === null ? {} : { version: tag }),
    // RFC 7644 §3.7.3: only an error has a body; for a success the location is enough.
    ...(response.ok ? {} : { response: await response.json() }),
  }
}
