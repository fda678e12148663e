// Replaces a user only if it did not change since the client read it (RFC 7644 §3.14).
import { errorResponse, matchesVersion, ScimError, scimResponse, version } from '@plumbline/scim'

async function replaceUser(request: Request, stored: object, next: object): Promise<Response> {
  if (!matchesVersion(request, await version(stored))) {
    return errorResponse(new ScimError(412, 'the user has changed'))
  }
  const tag = await version(next)
  return scimResponse({ ...next, meta: { version: tag } }, { headers: { ETag: tag } })
}

const before = { id: '1', userName: 'bjensen' }
const after = { id: '1', userName: 'babs' }
const put = (tag: string) =>
  new Request('https://example.com/Users/1', { method: 'PUT', headers: { 'If-Match': tag } })
const replaced = await replaceUser(put(await version(before)), before, after)
replaced.status //=> 200
const rejected = await replaceUser(put('W/"older"'), before, after)
rejected.status //=> 412
