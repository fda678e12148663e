// Lists users by cursor (RFC 9865). Here the cursor is the id after which the next page begins.

import { unwrap } from '@plumbline/result'
import { errorResponse, listResponse, parseListQuery, ScimError } from '@plumbline/scim'

const stored = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, userName: `${id}@example.com` }))

function listUsers(url: URL): Response {
  const { cursor = '', count } = unwrap(parseListQuery(url, { maxCount: 200 }))
  if (!/^[a-z]?$/.test(cursor)) {
    const unknown = new ScimError(400, 'unknown cursor', { scimType: 'invalidCursor' })
    return errorResponse(unknown)
  }
  const following = stored.filter(({ id }) => id > cursor)
  const resources = following.slice(0, count)
  const last = resources.at(-1)
  const more = last !== undefined && following.length > count ? { nextCursor: last.id } : {}
  return listResponse({ resources, ...more }, (user) => user)
}

const first = await listUsers(new URL('https://example.com/Users?cursor&count=3')).json()
first.nextCursor //=> 'c'
const url = new URL(`https://example.com/Users?cursor=${first.nextCursor}&count=3`)
const second = await listUsers(url).json()
second.itemsPerPage //=> 2
'nextCursor' in second //=> false
