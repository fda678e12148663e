import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisioningProcessesContract } from '../contract/provisioning-processes.ts'
import { client } from '../support/spawned-server.ts'
import { type Pair, patch, scim, spread, startPair, statusesOf } from '../support/two-processes.ts'

// Distributed engines use the stricter isolation, under which conflicting transactions are retried.
describe.each(['read committed', 'serializable'] as const)(
  'two processes on one empty PostgreSQL, %s',
  (isolation) => {
    let pair: Pair
    beforeAll(async () => {
      pair = await startPair(isolation)
    })
    afterAll(() => pair.stop())

    it('two processes have created one schema, one demo person, and one token for both', async () => {
      const shown = pair.servers.map(({ token }) => token).filter((token) => token !== null)
      expect(shown).toHaveLength(1)
      for (const { origin } of pair.servers) {
        const send = client({ origin, token: shown[0] ?? '' })
        expect((await send('GET', '/api/tokens')).body.tokens).toHaveLength(1)
        expect((await send('GET', '/Users')).body.totalResults).toBe(1)
      }
      const { rows } = await pair.database.query('select count(*)::int as n from settings')
      expect(rows).toEqual([{ n: 6 }])
    })

    it("each process accepts the other's session, and rejects it after the token is revoked", async () => {
      const created = await pair.admin('POST', '/api/tokens', { name: 'console', role: 'admin' })
      const [one, other] = pair.servers
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      const body = new URLSearchParams({ token: String(created.body.token) })
      const signIn = { method: 'POST', headers, body, redirect: 'manual' } as const
      const answer = await fetch(`${one.origin}/console/sign-in`, signIn)
      const [cookie = ''] = (answer.headers.get('Set-Cookie') ?? '').split(';')
      const statusesOfPages = async () =>
        await Promise.all(
          [one, other].map(async ({ origin }) => {
            const init = { headers: { Cookie: cookie }, redirect: 'manual' } as const
            const page = await fetch(`${origin}/console/about`, init)
            const api = await fetch(`${origin}/api/about`, init)
            return [page.status, api.status]
          }),
        )
      expect(await statusesOfPages()).toEqual([
        [200, 200],
        [200, 200],
      ])
      expect((await pair.admin('DELETE', `/api/tokens/${created.body.id}`)).status).toBe(204)
      expect(await statusesOfPages()).toEqual([
        [303, 401],
        [303, 401],
      ])
    })

    it('two processes accept one out of twenty creates with the same userName; the others get 409 (RFC 7644 §3.3)', async () => {
      const { senders } = await pair.tenantOf('creates')
      const answers = await spread(20, senders, (send, at) =>
        send('POST', '/Users', { userName: at % 3 === 0 ? 'ANNA' : 'anna' }),
      )
      expect(statusesOf(answers)).toEqual({ 201: 1, 409: 19 })
      for (const { status, body } of answers) {
        if (status === 409) expect({ status, body }).toMatchObject(scim(409, 'uniqueness'))
      }
      for (const send of senders) expect((await send('GET', '/Users')).body.totalResults).toBe(1)
    })

    it('two processes keep all forty added members (RFC 7644 §3.5.2.1)', async () => {
      const { senders } = await pair.tenantOf('members')
      const users = await spread(40, senders, (send, at) =>
        send('POST', '/Users', { userName: `user-${at}` }),
      )
      const ids = users.map(({ body }) => String(body.id))
      const group = await senders[0]('POST', '/Groups', { displayName: 'all' })
      const path = `/Groups/${group.body.id}`
      const answers = await spread(40, senders, (send, at) =>
        send('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value: ids[at] }] })),
      )
      expect(statusesOf(answers)).toEqual({ 204: 40 })
      for (const send of senders) {
        const { body } = await send('GET', path)
        expect((body.members ?? []).map(({ value }) => String(value)).sort()).toEqual(ids.sort())
      }
    })

    it.each(['/Users', '/Groups'])(
      'two processes accept one PUT to %s with an entity tag, and reject the others with 412 (RFC 7644 §3.14)',
      async (type) => {
        const { senders } = await pair.tenantOf(`tags-${type.slice(1).toLowerCase()}`)
        const content = (text: string) => ({ userName: text, displayName: text })
        const { body } = await senders[0]('POST', type, content('first'))
        const headers = { 'If-Match': String(body.meta?.version) }
        const path = `${type}/${body.id}`
        const answers = await spread(20, senders, (send, at) =>
          send('PUT', path, content(`name-${at}`), headers),
        )
        expect(statusesOf(answers)).toEqual({ 200: 1, 412: 19 })
        const won = answers.find(({ status }) => status === 200)
        for (const send of senders) {
          const { displayName, meta } = (await send('GET', path)).body
          expect(displayName).toBe(won?.body.displayName)
          expect(meta?.version).toBe(won?.headers.get('ETag'))
        }
      },
    )

    it('two processes do not keep a user in a group if the user was deleted while it was added (RFC 7643 §4.2)', async () => {
      const { senders } = await pair.tenantOf('leaving')
      const [one, other] = senders
      const group = await one('POST', '/Groups', { displayName: 'all' })
      const path = `/Groups/${group.body.id}`
      const users = await spread(60, senders, (send, at) =>
        send('POST', '/Users', { userName: `user-${at}` }),
      )
      const ids = users.map(({ body }) => String(body.id))
      const [added, deleted] = await Promise.all([
        Promise.all(
          ids.map((value) =>
            one('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value }] })),
          ),
        ),
        Promise.all(ids.map((id) => other('DELETE', `/Users/${id}`))),
      ])
      expect(statusesOf(deleted)).toEqual({ 204: 60 })
      // A PATCH that adds a user after it was deleted is rejected.
      for (const { status, body } of added) {
        if (status !== 204) expect({ status, body }).toMatchObject(scim(400, 'invalidValue'))
      }
      expect((await one('GET', path)).body.members ?? []).toEqual([])
    })

    provisioningProcessesContract(() => pair)

    it('two processes accept each other’s cursors (RFC 9865 §2)', async () => {
      const { senders } = await pair.tenantOf('cursors')
      await spread(7, senders, (send, at) => send('POST', '/Users', { userName: `user-${at}` }))
      const seen: string[] = []
      let cursor = ''
      for (let page = 0; page < 4; page += 1) {
        const send = senders[page % 2 === 0 ? 0 : 1]
        const { body } = await send('GET', `/Users?sortBy=userName&count=2&cursor=${cursor}`)
        seen.push(...(body.Resources ?? []).map(({ userName }) => String(userName)))
        cursor = String(body.nextCursor ?? '')
      }
      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((at) => `user-${at}`))
      expect(cursor).toBe('')
    })

    it('both processes reject a token when it expires', async () => {
      await pair.tenantOf('expired')
      const expiresAt = new Date(Date.now() + 2_000)
      const body = { tenantId: 'expired', name: 'a', expiresAt: expiresAt.toISOString() }
      const { token } = (await pair.admin('POST', '/api/tokens', body)).body
      const senders = pair.servers.map((server) => client({ ...server, token: String(token) }))
      for (const send of senders) await send('GET', '/Users')
      await setTimeout(expiresAt.getTime() - Date.now() + 1)
      for (const send of senders) expect(await send('GET', '/Users')).toMatchObject(scim(401))
    })

    it.each([
      ['deleted', 'DELETE', '', undefined],
      ['rotated', 'POST', '/rotate', { overlapSeconds: 0 }],
    ])(
      "two processes accept each other's access tokens until the client is %s (RFC 6749 §4.4)",
      async (...row) => {
        const [name, method, path, body] = row
        const tenantId = `oauth-${name}`
        await pair.tenantOf(tenantId)
        const created = (await pair.admin('POST', '/api/clients', { tenantId, name })).body
        const [one, other] = pair.servers
        const issued = await fetch(`${one.origin}/scim/oauth/token`, {
          method: 'POST',
          headers: { Authorization: `Basic ${btoa(`${created.id}:${created.secret}`)}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        })
        const { access_token: token } = (await issued.json()) as { readonly access_token: string }
        const senders = [one, other].map((server) => client({ ...server, token }))
        for (const send of senders) expect((await send('GET', '/Users')).status).toBe(200)
        const answer = await pair.admin(method, `/api/clients/${created.id}${path}`, body)
        expect(answer.status).toBeLessThan(300)
        await setTimeout(1_000)
        for (const send of senders) expect(await send('GET', '/Users')).toMatchObject(scim(401))
      },
    )

    it('two processes rotate a token once if both do so at the same time', async () => {
      const { tokenId } = await pair.tenantOf('rotated-at-both')
      const token = pair.servers.map((server) => server.token).find((one) => one !== null) ?? ''
      const senders = pair.servers.map(({ origin }) => client({ origin, token }))
      const answers = await spread(10, senders, (send) =>
        send('POST', `/api/tokens/${tokenId}/rotate`, {}),
      )
      expect(statusesOf(answers)).toEqual({ 201: 1, 409: 9 })
    })
  },
)
