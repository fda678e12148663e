import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createFreshDatabase } from '../support/fresh-postgres.ts'
import type { Body, Client } from '../support/harness.ts'
import { client, serve } from '../support/spawned-server.ts'
import { patch } from '../support/two-processes.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const page = readFileSync(new URL('../../docs/cells.md', import.meta.url), 'utf8')
const [, recipe = ''] = page.split('\n## Move a tenant\n')
const [names = '', functions = '', ...steps] = [
  ...recipe.matchAll(/^ {3}```sh\n(.+?)^ {3}```$/gms),
].map(([, commands = '']) => commands)

it.each(['SQLite', 'PostgreSQL'] as const)(
  'the commands in docs/cells.md move a tenant from %s to PostgreSQL, with all ids, and without interrupting others',
  async (engine) => {
    const folder = createFolder()
    const receiver = await startReceiver((_, response) => response.writeHead(204).end())
    onTestFinished(receiver.close)
    const old = await startCell(
      engine === 'SQLite' ? `file:${join(folder, 'old.db')}` : await freshDatabase(),
    )
    const cell = await startCell(await freshDatabase())
    const run = createShell(folder, { old, cell })
    const { send, userId, tokenId } = await fillTenant(old, receiver.url)
    const bystander = await tokenOf(old, 'globex')

    const [create, stopWrites, wait, copy, createOthers, remove] = steps
    await run(create)
    expect((await send('PATCH', `/Users/${userId}`, CHANGE)).status).toBe(200)
    const before = await stateOf(send)
    await run(stopWrites)
    expect((await send('PATCH', `/Users/${userId}`, CHANGE)).status).toBe(403)
    await run(wait)
    const delivered = receiver.accepted.length
    expect(delivered).toBeGreaterThan(USERS)
    await run(copy)
    await run(createOthers)

    const [created] = linesOf(join(folder, 'initech.tokens.jsonl'))
    expect(created).toMatchObject({ name: 'Okta', profile: 'okta', userId, role: 'client' })
    expect(created?.id).not.toBe(tokenId)
    const sendToNew = client({ origin: cell.origin, token: String(created?.token) })
    expect(await stateOf(sendToNew)).toEqual(before)
    expect(await settingsOf(cell)).toEqual(await settingsOf(old))
    // The webhook starts with the changes after the move.
    expect((await sendToNew('POST', '/Users', { userName: 'after' })).status).toBe(201)
    await expect
      .poll(() => receiver.accepted.slice(delivered).map(({ body }) => body.type), PATIENTLY)
      .toEqual(['user.created'])

    await run(remove)
    const deleted = await old.admin('GET', '/api/tenants/initech')
    expect(deleted.body.deletedAt).not.toBeNull()
    expect((await bystander('GET', '/Users')).status).toBe(200)
    expect((await sendToNew('GET', `/Users/${userId}`)).status).toBe(200)
  },
  300_000,
)

/** A server of a cell, and its database. */
interface Cell {
  readonly origin: string
  readonly database: string
  readonly token: string
  readonly admin: Client['send']
}

async function startCell(database: string): Promise<Cell> {
  const env = { DATABASE_URL: database, PUBLIC_URL, WEBHOOK_ALLOW: '127.0.0.1' }
  const { child, ended, origin, token } = await serve(env)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { origin, database, token: token ?? '', admin: client({ origin, token }) }
}

/** Creates everything that a tenant can have, and returns its client. */
async function fillTenant({ origin, admin }: Cell, url: string) {
  const path = '/api/tenants/initech'
  expect((await admin('POST', '/api/tenants', { id: 'initech', name: 'Initech' })).status).toBe(201)
  expect((await admin('POST', `${path}/schemas`, SCHEMA)).status).toBe(201)
  expect((await admin('POST', `${path}/webhooks`, { url })).status).toBe(201)
  const first = await admin('POST', '/api/tokens', { tenantId: 'initech', name: 'first' })
  const fill = client({ origin, token: String(first.body.token) })
  const ids: string[] = []
  for (let at = 0; at < USERS; at += 1) {
    const active = at % 3 > 0
    const [userName, externalId] = [`Üser ${at}`, `e${at}`]
    const { body } = await fill('POST', '/Users', {
      userName,
      externalId,
      active,
      emails: [{ value: `${at}@example.com` }],
      ...(ids[0] !== undefined && { [ENTERPRISE]: { manager: { value: ids[0] } } }),
      [SCHEMA.id]: { costCode: `c${at}` },
    })
    ids.push(String(body.id))
  }
  const members = ids.map((value) => ({ value }))
  const inner = await fill('POST', '/Groups', { displayName: 'inner', members })
  const groupId = String(inner.body.id)
  await fill('POST', '/Groups', { displayName: 'outer', members: [{ value: groupId }] })
  await fill('DELETE', `/Users/${ids.pop()}`)
  const rule = { percent: 50, least: 20, minutes: 5, delay: 1, protectedGroups: [groupId] }
  expect((await admin('PATCH', `${path}/connection`, { rule })).status).toBe(200)
  expect((await admin('DELETE', `/api/tokens/${first.body.id}`)).status).toBe(204)
  const [userId] = ids
  const options = { tenantId: 'initech', name: 'Okta', profile: 'okta', userId }
  const { body } = await admin('POST', '/api/tokens', options)
  const send = client({ origin, token: String(body.token) })
  return { send, userId, tokenId: String(body.id) }
}

async function tokenOf({ origin, admin }: Cell, id: string): Promise<Client['send']> {
  await admin('POST', '/api/tenants', { id, name: id })
  const { body } = await admin('POST', '/api/tokens', { tenantId: id, name: id })
  return client({ origin, token: String(body.token) })
}

/** The users and groups, as a client sees them. */
async function stateOf(send: Client['send']): Promise<readonly Body[]> {
  const read = async (path: string) => (await send('GET', `${path}?count=1000`)).body
  const [users, groups, me] = [
    await read('/Users'),
    await read('/Groups'),
    await send('GET', '/Me'),
  ]
  expect(users.Resources).toHaveLength(USERS - 1)
  expect(groups.Resources).toHaveLength(2)
  return [users, groups, me.body]
}

/** The settings that a move copies. */
async function settingsOf({ admin }: Cell) {
  const read = async (path: string) => (await admin('GET', `/api/tenants/initech${path}`)).body
  const { name } = await read('')
  const { rule } = await read('/connection')
  const hooks = (await read('/webhooks')).webhooks ?? []
  return {
    name,
    rule,
    schemas: await read('/schemas'),
    webhooks: hooks.map(({ url, kinds, format }) => ({ url, kinds, format })),
  }
}

/** Runs a step of the page in a shell, with the names of its first block. */
function createShell(cwd: string, { old, cell }: { readonly old: Cell; readonly cell: Cell }) {
  const values: Readonly<Record<string, string>> = {
    TENANT: 'initech',
    OLD: old.origin,
    OLD_TOKEN: old.token,
    OLD_DATABASE: old.database,
    NEW: cell.origin,
    NEW_TOKEN: cell.token,
    NEW_DATABASE: cell.database,
  }
  const named = [...names.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(Object.keys(values).toSorted())
  const env = { PATH: process.env.PATH, HOME: cwd, PUBLIC_URL, ...values }
  return async (commands = 'false'): Promise<void> => {
    const script = `set -euo pipefail\n${functions}\n${commands}`
    await promisify(execFile)('bash', ['-c', script], { cwd, env, timeout: 200_000 })
  }
}

/** A folder below the repository, where `npm start` finds the repository. */
function createFolder(): string {
  const parent = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url))
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'move-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function freshDatabase(): Promise<string> {
  const { url, drop } = await createFreshDatabase()
  onTestFinished(drop)
  return url
}

function linesOf(file: string): readonly Body[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

const USERS = 12

const PUBLIC_URL = 'https://directory.example.com'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const SCHEMA = {
  resourceType: 'User',
  id: 'urn:ietf:params:scim:schemas:extension:initech:2.0:User',
  name: 'Initech User',
  attributes: [{ name: 'costCode', type: 'string' }],
}

const CHANGE = patch({ op: 'replace', path: 'title', value: 'changed' })

const PATIENTLY = { timeout: 100_000 }
