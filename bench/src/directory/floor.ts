/**
 * Reads a request's user and the user's groups with the driver, and returns the stored JSON without tokens, log and
 * SCIM. With the argument `layer`, a `fetch` handler runs on the directory's HTTP layer; otherwise a bare `node:http`
 * server runs. With `transaction`, each request reads from PostgreSQL in one transaction.
 */
import { unwrap } from '@plumbline/result'
import { readConfig } from '../../../apps/directory/src/commands/config.ts'
import { DEFAULT_TENANT } from '../../../apps/directory/src/kernel/access/tenant-store.ts'
import { type Bare, GROUPS_OF, openBare, openTransactions } from './bare.ts'
import { serveBare, serveFetch } from './serve.ts'

const [, , url, layer] = process.argv
const { database } = unwrap(readConfig({ DATABASE_URL: url }))
const bare = await openBare(database)
const BY_ID = 'select id, resource from users where tenant_id = $1 and id = $2'
const BY_NAME = 'select id, resource from users where tenant_id = $1 and user_name_key = $2'
const prepared = new Map([BY_ID, BY_NAME, GROUPS_OF].map((text) => [text, bare.prepare(text)]))
const inTransaction = layer === 'transaction' ? openTransactions(database) : null
const type = 'application/scim+json'

if (layer === 'layer') {
  serveFetch(async (request) => {
    const text = await read(request.url)
    return new Response(text, { status: statusOf(text), headers: { 'Content-Type': type } })
  })
} else {
  serveBare(async (request, response) => {
    const text = await read(request.url ?? '')
    const body = Buffer.from(text ?? '')
    response.writeHead(statusOf(text), { 'Content-Type': type, 'Content-Length': body.length })
    response.end(body)
  })
}

/** Reads the stored user a URL or path refers to; null if it does not exist. */
async function read(url: string): Promise<string | null> {
  const readWith = (prepare: Bare['prepare']) => readUser(url, prepare)
  return await (inTransaction === null
    ? readWith((text) => prepared.get(text) ?? bare.prepare(text))
    : inTransaction(readWith))
}

async function readUser(url: string, prepare: Bare['prepare']): Promise<string | null> {
  const [path = '', search] = url.split('?')
  const [, name = ''] = decodeURIComponent(search ?? '').split('"')
  const found =
    search === undefined
      ? prepare(BY_ID)(DEFAULT_TENANT, path.slice(path.lastIndexOf('/') + 1))
      : prepare(BY_NAME)(DEFAULT_TENANT, name.toLowerCase())
  const [row] = (await found) as { readonly id: string; readonly resource: string }[]
  if (row === undefined) return null
  await prepare(GROUPS_OF)(DEFAULT_TENANT, row.id)
  return row.resource
}

function statusOf(text: string | null): number {
  return text === null ? 404 : 200
}
