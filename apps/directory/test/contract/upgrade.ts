import { raw } from '@plumbline/scim/internal'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/kernel/store/open.ts'
import { client, type Serving, serve, start } from '../support/spawned-server.ts'

/** The tokens of the database of version 2026.11.21 in `test/fixtures`: an administrator's, and one of the profile okta. */
export interface EarlierTokens {
  readonly admin: string
  readonly client: string
}

/** The upgrade of a database of version 2026.11.21, as UPGRADING.md describes it; `create` creates one. */
export function upgradeContract(create: () => Promise<string>, tokens: EarlierTokens): void {
  const started = async (url: string): Promise<Serving> => {
    const server = await serve({ DATABASE_URL: url })
    onTestFinished(async () => {
      server.child.kill('SIGKILL')
      await server.ended
    })
    return server
  }

  it('users, groups and tokens are kept if two processes with this version start at the same time', async () => {
    const url = await create()
    const servers = await Promise.all([started(url), started(url)])
    for (const server of servers) {
      expect(server.token).toBeNull()
      const send = client({ ...server, token: tokens.client })
      const { body: users } = await send('GET', '/Users?sortBy=userName')
      expect(users.Resources).toMatchObject(
        ['anna', 'bjorn', 'chloe'].map((displayName) => ({
          userName: `${displayName}@example.com`,
          displayName,
          emails: [{ value: `${displayName}@work.example`, primary: true }, { type: 'home' }],
          groups: [{ display: 'All' }],
        })),
      )
      for (const filter of [
        'emails.value eq "BJORN@work.example"',
        'emails[type eq "home" and value sw "bjorn@"]',
        'phoneNumbers.value eq "+1-555-5" and userName sw "bjorn"',
      ]) {
        const { body } = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
        expect(body.Resources).toMatchObject([{ displayName: 'bjorn' }])
      }
      const { body: groups } = await send('GET', '/Groups')
      expect(groups.Resources).toMatchObject([{ displayName: 'All', members: [{}, {}, {}] }])
      const admin = client({ ...server, token: tokens.admin })
      const { body } = await admin('GET', '/api/tenants')
      expect(body.tenants).toMatchObject([{ id: 'default' }, { id: 'acme' }])
      expect((await admin('GET', '/Users')).body.totalResults).toBe(0)
    }
    const [one, other] = servers.map((server) => client({ ...server, token: tokens.client }))
    const created = await one?.('POST', '/Users', { userName: 'after the upgrade' })
    expect(created?.status).toBe(201)
    expect((await other?.('GET', `/Users/${created?.body.id}`))?.status).toBe(200)
  })

  it("an upgrade cannot be reverted: a version does not start on a newer one's database", async () => {
    const url = await create()
    const store = await openStore(url)
    const later = `insert into migrations (id, name, checksum, batch, applied_at)
      select '20991231000000', 'of a newer version', checksum, batch, applied_at
      from migrations where id = '20261121000000'`
    await store.write((db) => db.exec(raw(later)))
    await store.close()
    const { ended, errors } = start({ DATABASE_URL: url, PORT: '0' })
    // systemd does not start it again.
    expect(await ended).toBe(78)
    expect(errors()).toContain('a newer version of the directory has migrated the database')
  })
}
