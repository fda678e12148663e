// Lists users with filter, sorting, projection and paging, from one record of schema definitions.

import { unwrap } from '@plumbline/result'
import { compareResources, listResponse, parseListQuery, project } from '@plumbline/scim'
import { ENTERPRISE_USER_DEFINITION, schemas, USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter } from '@plumbline/scim/filter'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const stored = [
  { id: '1', userName: 'bjensen', password: 'x', emails: [{ value: 'b@example.com' }] },
  { id: '2', userName: 'Alice', [ENTERPRISE_USER_DEFINITION.id]: { department: 'HR' } },
]

function listUsers(url: URL): Response {
  const query = unwrap(parseListQuery(url, { maxCount: 200, attributes: definitions }))
  const matches = query.filter ? unwrap(compileFilter(query.filter, { definitions })) : () => true
  const found = stored.filter(matches).sort(compareResources(query, definitions))
  const resources = found.slice(query.startIndex - 1).slice(0, query.count)
  const page = { resources, totalResults: found.length, startIndex: query.startIndex }
  return listResponse(page, (user) => project(user, query, definitions))
}

const url = new URL('https://example.com/Users?sortBy=userName&attributes=userName')
const { totalResults, Resources } = await listUsers(url).json()
totalResults //=> 2
Resources //=> [{ id: '2', userName: 'Alice' }, { id: '1', userName: 'bjensen' }]
url.searchParams.set('filter', 'department eq "hr"')
const filtered = await listUsers(url).json()
filtered.totalResults //=> 1
schemas(definitions).totalResults //=> 2
