import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { prepare } from '../../../src/commands/seed/bootstrap.ts'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import { listen } from '../../../src/server.ts'
import { connect, recorder } from '../../support/harness.ts'
import { parsePrometheusText, type Sample } from '../../support/prometheus-text.ts'
import { client, type Serving } from '../../support/spawned-server.ts'

const TOKEN = 'a-token-of-the-environment'
const folder = mkdtempSync(join(tmpdir(), 'directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Scrapes a server as Prometheus does. */
async function scrape(server: Pick<Serving, 'origin' | 'token'>): Promise<readonly Sample[]> {
  const headers = { Authorization: `Bearer ${server.token}` }
  const response = await fetch(`${server.origin}/metrics`, { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return parsePrometheusText(await response.text())
}

/** The values of the series with a name, keyed by the values of their labels. */
function valuesOf(samples: readonly Sample[], name: string): Readonly<Record<string, number>> {
  const found = samples.filter((sample) => sample.name === name)
  return Object.fromEntries(found.map(({ labels, value }) => [Object.values(labels).join(), value]))
}

describe('/metrics', () => {
  it('/metrics counts requests and durations by method, pattern and status, in the Prometheus format', async () => {
    const store = await openSqlite(join(folder, 'counted.db'))
    onTestFinished(() => store.close())
    await prepare(store, { token: TOKEN }, Date.now())
    const directory = createDirectory({ store, token: TOKEN, isProcess: true })
    const { origin, stop } = await listen(directory, { host: '127.0.0.1', port: 0 })
    onTestFinished(stop)
    const server = { origin, token: TOKEN }
    const send = client(server)
    const { body } = await send('POST', '/Users', { userName: 'anna' })
    for (const path of [`/Users/${body.id}`, '/Users/unknown', '/Nothing', '/Users?count=1']) {
      await send('GET', path)
    }
    await fetch(`${server.origin}/api/health`)
    await fetch(`${server.origin}/a/path/that/does/not/exist`)
    await scrape(server)
    const samples = await scrape(server)
    expect(valuesOf(samples, 'directory_http_requests_total')).toEqual({
      'POST,/scim/v2/Users,201': 1,
      'GET,/scim/v2/Users/:id,200': 1,
      'GET,/scim/v2/Users/:id,404': 1,
      'GET,unknown,404': 2,
      'GET,/scim/v2/Users,200': 1,
      'GET,/api/health,200': 1,
      'GET,/metrics,200': 1,
    })
    expect(valuesOf(samples, 'directory_http_request_duration_seconds_count')).toMatchObject({
      'GET,/scim/v2/Users/:id': 2,
      'GET,unknown': 2,
    })
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(valuesOf(samples, name)).toEqual({ '': expect.any(Number) })
    }
    expect(valuesOf(samples, 'directory_build_info')).toEqual({
      [`2026.11.21,${process.version},sqlite`]: 1,
    })
  })

  it("/metrics describes only its own server's requests and work, without tenant names", async () => {
    const store = await openSqlite(':memory:')
    onTestFinished(() => store.close())
    const one = await connect(store, { role: 'admin', token: TOKEN })
    const other = await connect(store, { role: 'admin', token: TOKEN })
    for (let count = 0; count < 3; count += 1) await one.send('GET', '/Users')
    const textOf = async ({ directory }: typeof one) => {
      const headers = { Authorization: `Bearer ${TOKEN}` }
      const request = new Request('http://localhost/metrics', { headers })
      return await (await directory.fetch(request)).text()
    }
    const name = 'directory_http_requests_total'
    expect(valuesOf(parsePrometheusText(await textOf(one)), name)).toEqual({
      'GET,/scim/v2/Users,200': 3,
    })
    expect(valuesOf(parsePrometheusText(await textOf(other)), name)).toEqual({})
    expect(await textOf(one)).not.toContain(one.tenantId)
  })

  it('/metrics puts unknown methods into one series', async () => {
    const { directory } = await connect(await memoryStore(), { token: TOKEN })
    for (const method of ['PROPFIND', 'X-ONE', 'X-TWO']) {
      await directory.fetch(new Request('http://localhost/scim/v2/Users', { method }))
    }
    const headers = { Authorization: `Bearer ${TOKEN}` }
    const response = await directory.fetch(new Request('http://localhost/metrics', { headers }))
    const samples = parsePrometheusText(await response.text())
    const keys = Object.keys(valuesOf(samples, 'directory_http_requests_total'))
    expect(keys).toEqual([expect.stringMatching(/^other,/)])
  })

  it('/metrics counts the requests the provisioning log stores and drops', async () => {
    const store = await memoryStore()
    const provisioning = {
      add: () => undefined,
      flush: async () => undefined,
      close: async () => undefined,
      counts: () => ({ waiting: 3, stored: 20, dropped: 7 }),
    }
    const directory = createDirectory({ store, token: TOKEN, provisioning })
    const headers = { Authorization: `Bearer ${TOKEN}` }
    for (let count = 0; count < 2; count += 1) {
      const response = await directory.fetch(new Request('http://localhost/metrics', { headers }))
      const samples = parsePrometheusText(await response.text())
      expect(valuesOf(samples, 'directory_request_log_waiting')).toEqual({ '': 3 })
      expect(valuesOf(samples, 'directory_request_log_stored_total')).toEqual({ '': 20 })
      expect(valuesOf(samples, 'directory_request_log_dropped_total')).toEqual({ '': 7 })
    }
  })

  it.each([
    ['without a token', null, 401],
    ['with an unknown token', 'unknown.token', 401],
    ['with the token of a client', { role: 'client', access: 'write' }, 403],
    ['with the token of an administrator', { role: 'admin', access: 'write' }, 200],
    ['with a read-only token of an administrator', { role: 'admin', access: 'read' }, 200],
  ] as const)('%s answers %s with %i', async (_, sent, status) => {
    const { directory, store, tenantId } = await connect(await memoryStore())
    const token =
      sent === null || typeof sent === 'string'
        ? sent
        : await store.write(async (db) => {
            const owner = sent.role === 'admin' ? null : tenantId
            const base = { name: 'metrics', profile: 'standard', now: Date.now() } as const
            return (await createToken(db, { ...base, ...sent, tenantId: owner })).text
          })
    const headers = new Headers(token === null ? {} : { Authorization: `Bearer ${token}` })
    const request = new Request('http://localhost/metrics', { headers })
    const response = await recorder.middleware({ request }, () => directory.fetch(request))
    expect(response.status).toBe(status)
  })

  it("/metrics accepts the environment's token while the database is unavailable", async () => {
    const inner = await memoryStore()
    const store: Store = { ...inner, read: () => Promise.reject(new StoreUnavailableError('gone')) }
    const directory = createDirectory({ store, token: TOKEN })
    const statusWith = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      const request = new Request('http://localhost/metrics', { headers })
      return (await recorder.middleware({ request }, () => directory.fetch(request))).status
    }
    expect(await statusWith(TOKEN)).toBe(200)
    expect(await statusWith('1.stored-in-the-database')).toBe(503)
  })
})

async function memoryStore(): Promise<Store> {
  const store = await openSqlite(':memory:')
  onTestFinished(() => store.close())
  return store
}

describe('the strict format reader', () => {
  it.each([
    ['a sample before its type', 'a 1\n'],
    ['a type without a help', '# TYPE a gauge\na 1\n'],
    ['a missing line feed', '# HELP a b\n# TYPE a gauge\na 1'],
    ['a duplicate', '# HELP a b\n# TYPE a gauge\na{b="1"} 1\na{b="1"} 2\n'],
    ['a label without quotes', '# HELP a b\n# TYPE a gauge\na{b=1} 1\n'],
    ['a line break in a label', '# HELP a b\n# TYPE a gauge\na{b="\n"} 1\n'],
    ['a counter without its suffix', '# HELP a b\n# TYPE a counter\na 1\n'],
    [
      'a histogram without its last bucket',
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
    ],
  ])('the reader rejects %s', (_, text) => {
    expect(() => parsePrometheusText(text)).toThrow()
  })
})
