import { MEDIA_TYPE, scimResponse } from '@plumbline/scim'
import { type Bulk, parseBulk, runBulk } from '@plumbline/scim/bulk'
import { accepted, type ScimHandler, type ScimRequest } from './endpoint.ts'
import { BULK_LIMITS } from './limits.ts'

/** Runs many requests at once (RFC 7644 §3.7), each as if it had come by itself. */
export const bulkHandler: ScimHandler = async (scim) => {
  const bulk = accepted(parseBulk(await scim.body(), BULK_LIMITS))
  return scimResponse(await runBulk(bulk, (call) => execute(scim, call)))
}

async function execute(
  { base, dispatch }: ScimRequest,
  { method, path, version, data }: Bulk.Call,
): Promise<Bulk.Outcome> {
  const headers = new Headers({ 'Content-Type': MEDIA_TYPE })
  if (version !== undefined) headers.set('If-Match', version)
  const body = data === undefined ? null : JSON.stringify(data)
  const response = await dispatch(new Request(`${base}${path}`, { method, headers, body }))
  const location = response.headers.get('Location')
  const tag = response.headers.get('ETag')
  return {
    status: response.status,
    ...(location === null ? {} : { location }),
    ...(tag === null ? {} : { version: tag }),
    // RFC 7644 §3.7.3: the body is that of an error; of what went well the location is enough.
    ...(response.ok ? {} : { response: await response.json() }),
  }
}
