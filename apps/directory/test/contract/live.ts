import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createProvisioningLog,
  type ProvisioningLog,
} from '../../src/features/log/provisioning-log.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'
import { createEventReader } from '../support/live-events.ts'

/** The live view of the provisioning log on every store. */
export function liveContract(storeOf: () => Store): void {
  let log: ProvisioningLog
  let client: Client
  let admin: string
  beforeAll(async () => {
    log = createProvisioningLog({ store: storeOf(), now: Date.now, days: 30, rows: 1_000 })
    client = await connect(storeOf(), { provisioning: log, role: 'admin', token: TOKEN })
    admin = `Bearer ${TOKEN}`
  })
  afterAll(() => log.close())

  const send = async (id: string, by = client) => {
    await by.send('GET', `/Users/${id}`)
    await log.flush()
  }

  const watch = async (
    headers: Record<string, string> = {},
    directory: Pick<Client, 'directory'> = client,
    after = '',
    { tenantId } = client,
  ) => {
    const hangUp = new AbortController()
    const url = `http://localhost/api/requests/live?tenantId=${tenantId}${after}`
    const request = new Request(url, {
      headers: { Authorization: admin, ...headers },
      signal: hangUp.signal,
    })
    const response = await directory.directory.fetch(request)
    return { response, hangUp, next: createEventReader(response) }
  }

  it("a live stream sends each request once, in stored order, with the request's number as id", async () => {
    await send('before')
    const { response, next, hangUp } = await watch()
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    await send('first')
    await send('second')
    const events = [await next(), await next()]
    expect(events.map((event) => event?.data.resourceId)).toEqual(['first', 'second'])
    expect(events.map((event) => event?.id)).toEqual(events.map((event) => event?.data.number))
    const path = `/api/requests?tenantId=${client.tenantId}&count=1`
    expect((await client.send('GET', path)).body.requests).toEqual([events[1]?.data])
    hangUp.abort()
    expect(await next()).toBe(null)
  })

  it('a live stream continues after the Last-Event-ID', async () => {
    const path = `/api/requests?tenantId=${client.tenantId}&count=2`
    await send('third')
    const { body } = await client.send('GET', path)
    const { next, hangUp } = await watch({ 'Last-Event-ID': String(body.requests?.[1]?.number) })
    expect((await next())?.data.resourceId).toBe('third')
    hangUp.abort()
  })

  it('a live stream starts after a request, and still continues after the Last-Event-ID', async () => {
    await send('fourth')
    await send('fifth')
    const path = `/api/requests?tenantId=${client.tenantId}&count=3`
    const { requests } = (await client.send('GET', path)).body
    const after = `&after=${requests?.[2]?.number}`
    const first = await watch({}, client, after)
    expect((await first.next())?.data.resourceId).toBe('fourth')
    const second = await watch({ 'Last-Event-ID': String(requests?.[1]?.number) }, client, after)
    expect((await second.next())?.data.resourceId).toBe('fifth')
    first.hangUp.abort()
    second.hangUp.abort()
  })

  it("a live stream shows another process's requests, and none from another tenant", async () => {
    const otherLog = createProvisioningLog({
      store: { ...storeOf() },
      now: () => Date.now() - 60_000,
      days: 30,
      rows: 1_000,
    })
    const { tenantId } = client
    const elsewhere = await connect(storeOf(), { provisioning: otherLog, tenantId })
    const visitor = await connect(storeOf(), { provisioning: log })
    const { next, hangUp } = await watch()
    await send('stranger', visitor)
    // The clock of the other process is late.
    await elsewhere.send('GET', '/Users/elsewhere')
    await otherLog.close()
    await send('here')
    expect((await next())?.data.resourceId).toBe('elsewhere')
    expect((await next())?.data.resourceId).toBe('here')
    hangUp.abort()
  })

  it("a live stream ends when the client's token is revoked", async () => {
    const created = await client.send('POST', '/api/tokens', { name: 'console', role: 'admin' })
    const { next } = await watch({ Authorization: `Bearer ${created.body.token}` })
    await client.send('DELETE', `/api/tokens/${created.body.id}`)
    expect(await next()).toBe(null)
  })

  it('at most 32 clients can watch, and others when one hangs up', async () => {
    const streams = await Promise.all(Array.from({ length: 32 }, () => watch()))
    expect(streams.map(({ response }) => response.status)).toEqual(Array(32).fill(200))
    expect((await watch()).response.status).toBe(503)
    await streams[0]?.response.body?.cancel().catch(() => undefined)
    streams[1]?.hangUp.abort()
    expect(await streams[1]?.next()).toBe(null)
    const again = await watch()
    expect(again.response.status).toBe(200)
    for (const { hangUp, next } of [...streams.slice(1), again]) {
      hangUp.abort()
      await next()
    }
  })

  it('a stream in the tenant with the most streams ends when a tenant with fewer starts one, up to equal shares', async () => {
    const other = await connect(storeOf())
    const own = []
    while (own.length < 32) own.push(await watch())
    const others = []
    for (let count = 1; count <= 16; count += 1) {
      const stream = await watch({}, client, '', other)
      expect(stream.response.status).toBe(200)
      others.push(stream)
      // The newest stream ends.
      expect(await own.pop()?.next()).toBe(null)
    }
    expect((await watch({}, client, '', other)).response.status).toBe(503)
    expect((await watch()).response.status).toBe(503)
    await send('watched')
    expect((await own[0]?.next())?.data.resourceId).toBe('watched')
    const third = await watch({}, client, '', await connect(storeOf()))
    expect(third.response.status).toBe(200)
    for (const { hangUp, next } of [...own, ...others, third]) {
      hangUp.abort()
      await next()
    }
  })

  it('a live stream ends when the server stops', async () => {
    const stopping = await connect(storeOf(), { token: TOKEN })
    const { next } = await watch({}, stopping)
    stopping.directory.endStreams()
    expect(await next()).toBe(null)
    expect((await watch({}, stopping)).response.status).toBe(503)
  })
}

const TOKEN = 'a-token-of-the-live-view'
