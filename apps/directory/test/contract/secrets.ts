import { raw } from '@plumbline/scim/internal'
import { beforeAll, expect, it } from 'vitest'
import { createProvisioningLog } from '../../src/features/log/provisioning-log.ts'
import { createRecorder } from '../../src/features/recordings/recorder.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'
import { OWN_SCHEMA, type SecretRequest, secretRequests } from './secrets.cases.ts'

/** The rows of a database after a day of requests with secrets, on every store. */
export function secretContract(storeOf: () => Store): void {
  let day: SecretDay
  beforeAll(async () => {
    day = await spendDay(storeOf())
  })

  it("no table has a secret from a request, except those in the user's attributes", async () => {
    const found: string[] = []
    for (const [table, text] of await rowsOf(storeOf())) {
      for (const [secret, place] of day.secrets) {
        const isStored = place.startsWith('stored: ')
        // The attributes that a definition never returns are not copied into the changes.
        const isHidden = place.includes('an own') || place.includes(':door')
        const isKept = isStored && (table === 'users' || (table === 'changes' && !isHidden))
        if (!isKept && text.includes(secret)) found.push(`${table}: ${place}`)
      }
    }
    expect(found).toEqual([])
  })

  it('the log and the recording have the requests themselves', async () => {
    const rows = await rowsOf(storeOf())
    expect(rows.get('requests')?.includes('"password":"***"')).toBe(true)
    expect(rows.get('recorded_requests')?.includes('"door":"***"')).toBe(true)
    expect(day.statuses.size).toBeGreaterThan(5)
  })
}

/** A day of requests with secrets: the places of the secrets, and the statuses of the answers. */
export interface SecretDay {
  readonly secrets: ReadonlyMap<string, string>
  readonly statuses: ReadonlySet<number>
  readonly client: Client
}

/** Sends the requests of a day to a directory that logs and records them. */
export async function spendDay(store: Store): Promise<SecretDay> {
  let time = Date.parse('2026-11-24T12:00:00Z')
  const now = () => {
    time += 1
    return time
  }
  const provisioning = createProvisioningLog({ store, now, days: 30, rows: 10_000 })
  const recorder = createRecorder({ store, now })
  const client = await connect(store, { role: 'admin', now, provisioning, recorder })
  const { send, tenantId } = client
  const schema = await send('POST', `/api/tenants/${tenantId}/schemas`, OWN_SCHEMA)
  expect(schema.status).toBe(201)
  const recording = await send('POST', `/api/tenants/${tenantId}/recordings`)
  expect(recording.status).toBe(201)
  time += 2_000
  const user = await send('POST', '/Users', { userName: 'target' })
  const secrets = new Map<string, string>()
  const run = crypto.randomUUID().slice(0, 8)
  const requests = secretRequests((place) => {
    const secret = `S3cr3t${run}n${secrets.size}n`
    secrets.set(secret, place)
    return secret
  })
  const statuses = new Set<number>()
  for (const request of requests) {
    const facts = { id: String(user.body.id), tenantId, token: client.token }
    const response = await client.directory.fetch(requestOf(request, facts))
    await response.text()
    statuses.add(response.status)
  }
  secrets.set(client.token, 'the token of the client')
  for (const path of [`/Users/${client.token}`, `/Users?x=${client.token}`]) await send('GET', path)
  await send('POST', '/Users', { title: client.token })
  await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${client.token}"`)}`)
  await provisioning.flush()
  await recorder.flush()
  return { secrets, statuses, client }
}

function requestOf(
  { method, path, type = 'application/scim+json', body, headers = {} }: SecretRequest,
  facts: { readonly id: string; readonly tenantId: string; readonly token: string },
): Request {
  const sent = new Headers(body === undefined ? {} : { 'Content-Type': type })
  sent.set('Authorization', `Bearer ${facts.token}`)
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') sent.delete(name)
    else sent.set(name, value)
  }
  const url = path.replace('{id}', facts.id).replace('{tenant}', facts.tenantId)
  return new Request(`http://localhost${url}`, { method, headers: sent, body: body ?? null })
}

/** All rows of each table, as text. */
async function rowsOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>()
  const select = async (text: string) => {
    const answer = await store.scan((db) => db.exec(raw(text)))
    return answer.rows ?? []
  }
  for (const { name } of await select(TABLES[store.dialect.name])) {
    const all = await select(`select * from ${name}`)
    rows.set(String(name), all.map((row) => Object.values(row).join('\n')).join('\n'))
  }
  return rows
}

const TABLES = {
  sqlite: `select name from sqlite_master where type = 'table'`,
  postgres: `select table_name as name from information_schema.tables
    where table_schema = current_schema()`,
}
