import { expect, it } from 'vitest'
import { createEventReader, type LiveEvent } from '../support/live-events.ts'
import { client } from '../support/spawned-server.ts'
import { type Processes, scim, spread } from '../support/two-processes.ts'

/** The provisioning log and the tokens of two processes, on every database. */
export function provisioningProcessesContract(processesOf: () => Processes): void {
  /** Watches the requests of a tenant at a process. */
  const watch = async (at: 0 | 1, tenantId: string, token = processesOf().adminToken) => {
    const hangUp = new AbortController()
    const { origin } = processesOf().servers[at]
    const response = await fetch(`${origin}/api/requests/live?tenantId=${tenantId}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: hangUp.signal,
    })
    expect(response.status).toBe(200)
    return { next: createEventReader(response), hangUp }
  }

  it("both processes log their requests, and each shows the other's live and in the list", async () => {
    const { servers, adminToken, tenantOf } = processesOf()
    const { senders } = await tenantOf('logged')
    const streams = [await watch(0, 'logged'), await watch(1, 'logged')]
    await spread(20, senders, (send, at) => send('GET', `/Users/user-${at}`))
    const sent = Array.from({ length: 20 }, (_, at) => `/Users/user-${at}`).sort()
    for (const [at, { next, hangUp }] of streams.entries()) {
      const events: (LiveEvent | null)[] = []
      while (events.length < 20) events.push(await next())
      hangUp.abort()
      expect(events.map((event) => event?.data.path).sort()).toEqual(sent)
      const send = client({ origin: servers[at]?.origin ?? '', token: adminToken })
      const { body } = await send('GET', '/api/requests?tenantId=logged')
      expect(body.requests).toEqual(events.map((event) => event?.data).reverse())
    }
  })

  it.each([
    ['revoked', 'DELETE', '', undefined],
    ['rotated', 'POST', '/rotate', { overlapSeconds: 0 }],
  ])(
    'both processes reject a token within a second after it was %s at the other',
    async (...row) => {
      const [name, method, path, body] = row
      const { admin, tenantOf } = processesOf()
      const { senders, tokenId } = await tenantOf(name)
      for (const send of senders) expect((await send('GET', '/Users')).status).toBe(200)
      expect((await admin(method, `/api/tokens/${tokenId}${path}`, body)).status).toBeLessThan(300)
      const changed = Date.now()
      const [, other] = senders
      for (;;) {
        const queried = Date.now()
        const answer = await other('GET', '/Users')
        if (answer.status === 401) return expect(answer).toMatchObject(scim(401))
        // Only the time at which a request was sent counts, and not that of its answer.
        expect(queried - changed).toBeLessThan(1_000)
      }
    },
  )

  it('a live view ends when the token is revoked at the other process', async () => {
    const { admin } = processesOf()
    const created = await admin('POST', '/api/tokens', { name: 'console', role: 'admin' })
    const { next } = await watch(1, 'default', String(created.body.token))
    expect((await admin('DELETE', `/api/tokens/${created.body.id}`)).status).toBe(204)
    expect(await next()).toBe(null)
  })
}
