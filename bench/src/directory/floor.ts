/**
 * A bare server that reads the user of a request, and its groups, with the driver and returns the stored
 * JSON, without tokens, log and SCIM.
 */
import { createServer } from 'node:http'
import { unwrap } from '@plumbline/result'
import { readConfig } from '../../../apps/directory/src/config.ts'
import { DEFAULT_TENANT } from '../../../apps/directory/src/store/tokens.ts'
import { GROUPS_OF, openBare } from './bare.ts'

const { database } = unwrap(readConfig({ DATABASE_URL: process.argv[2] }))
const bare = await openBare(database)
const byId = bare.prepare('select id, resource from users where tenant_id = $1 and id = $2')
const byName = bare.prepare(
  'select id, resource from users where tenant_id = $1 and user_name_key = $2',
)
const groupsOf = bare.prepare(GROUPS_OF)

const server = createServer(async (request, response) => {
  const [path = '', search] = (request.url ?? '').split('?')
  const [, name = ''] = decodeURIComponent(search ?? '').split('"')
  const found =
    search === undefined
      ? byId(DEFAULT_TENANT, path.slice(path.lastIndexOf('/') + 1))
      : byName(DEFAULT_TENANT, name.toLowerCase())
  const [row] = (await found) as { readonly id: string; readonly resource: string }[]
  if (row !== undefined) await groupsOf(DEFAULT_TENANT, row.id)
  const body = Buffer.from(row?.resource ?? '')
  response.writeHead(row === undefined ? 404 : 200, {
    'Content-Type': 'application/scim+json',
    'Content-Length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(Object(server.address()).port)
})
