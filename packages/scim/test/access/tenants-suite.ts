import { beforeEach, describe, expect, it } from 'vitest'
import type { Openable, OpenablePool } from '../sql/openers.ts'
import { openApplication } from './application.ts'

type Application = Awaited<ReturnType<typeof openApplication>>

/** Proves that one customer never reaches the accounts of another customer. */
export function proveTenants(name: string, database: Openable | OpenablePool): void {
  describe(`two customers share one endpoint on ${name}`, () => {
    let application: Application
    let a: ReturnType<Application['as']>
    let b: ReturnType<Application['as']>

    beforeEach(async () => {
      application = await openApplication(database)
      const { run, as } = application
      a = as(1)
      b = as(2)
      await run(null, "insert into accounts (email, is_verified) values ('ada@a.example', true)")
      await run(null, "insert into accounts (email, is_verified) values ('eve@a.example', false)")
      await run(null, "insert into accounts (email, is_verified) values ('bob@b.example', true)")
      await run(null, 'insert into sessions select id from accounts')
      return async () => {
        // A mistake of the program would be a 500.
        expect(application.errors).toEqual([])
        await application.close()
      }
    })

    const rows = (sql: string) => application.run(null, sql)
    const sessions = async () =>
      (await rows('select account_id from sessions order by account_id')).map(({ account_id }) =>
        Number(account_id),
      )
    const refused = { status: 409, body: { scimType: 'uniqueness' } }

    it("customer b cannot take over customer a's account, lock the owner out or grant it roles", async () => {
      const taken = await b.createUser('mallory@b.example', 'ada@a.example')
      expect(taken).toMatchObject(refused)
      expect((await b.send('GET', '/Users')).body).toMatchObject({ totalResults: 0 })
      // The owner is not locked out.
      const { status, body: ada } = await a.createUser('ada@a.example')
      expect(status).toBe(201)
      // The group has the external id of a group of customer a.
      const { body: bob } = await b.createUser('bob@b.example')
      await b.createGroup('Finance', [bob.id], { externalId: '00g1' })
      const foreign = await b.createGroup('Finance', [ada.id])
      expect(foreign.status).toBe(400)
      const roles = 'select user_id, role from roles order by role'
      expect(await rows(roles)).toEqual([{ user_id: bob.id, role: 'billing of 2' }])
      // Customer b deactivates and deletes what it can.
      const path = `/Users/${ada.id}`
      const deactivate = { op: 'replace', path: 'active', value: false }
      expect((await b.patch(path, deactivate)).status).toBe(404)
      expect((await b.send('DELETE', path)).status).toBe(404)
      await b.patch(`/Users/${bob.id}`, deactivate)
      expect(await sessions()).toEqual([1, 2])
      await a.createGroup('Admins', [ada.id], { externalId: '00g1' })
      expect(await rows(roles)).toEqual([{ user_id: ada.id, role: 'admin' }])
    })

    it.each([
      ['in capitals', 'ADA@A.EXAMPLE'],
      ['with one capital', 'Ada@a.example'],
      ['with an unverified account', 'eve@a.example'],
    ])("customer b cannot link customer a's address %s", async (_, address) => {
      expect(await b.createUser('mallory@b.example', address)).toMatchObject(refused)
      expect(await b.createUser(address, address)).toMatchObject(refused)
      expect(await rows('select * from links')).toEqual([])
    })

    it('a user with addresses from two accounts is rejected, and one with one address is linked', async () => {
      const emails = ['bob@b.example', 'ada@a.example'].map((value) => ({ value, type: 'work' }))
      const create = (values: readonly object[]) =>
        b.send('POST', '/Users', { userName: 'bob@b.example', emails: values })
      // One column of the table has one address.
      expect((await create(emails)).status).toBeGreaterThanOrEqual(400)
      expect((await create(emails.slice(0, 1))).status).toBe(201)
      expect(await rows('select org_id, account_id from links')).toEqual([
        { org_id: 2, account_id: 3 },
      ])
    })

    it("customer b cannot create an account for customer a's address, nor find out which exist", async () => {
      const unknown = await b.createUser('new@a.example')
      const known = await b.createUser('ada@a.example')
      expect(unknown).toMatchObject(refused)
      expect(known.body).toEqual(unknown.body)
      expect(await rows("select * from accounts where email like 'new%'")).toEqual([])
      expect((await a.createUser('new@a.example')).status).toBe(201)
    })

    it("customer a's groups do not end the access when customer b's user has a group's id", async () => {
      const { body: bob } = await b.createUser('bob@b.example')
      const { body: ada } = await a.createUser('ada@a.example')
      // The tables count their ids separately.
      const { body: group } = await a.createGroup('Finance', [ada.id])
      expect(group.id).toBe(bob.id)
      const path = `/Groups/${group.id}`
      const rename = { op: 'replace', path: 'displayName', value: 'Sales' }
      expect((await a.patch(path, rename)).status).toBeLessThan(300)
      expect((await a.send('DELETE', path)).status).toBe(204)
      expect(await rows('select user_id, account_id, org_id from links order by user_id')).toEqual([
        { user_id: bob.id, account_id: 3, org_id: 2 },
        { user_id: ada.id, account_id: 1, org_id: 1 },
      ])
      expect(await sessions()).toEqual([1, 2, 3])
    })

    it('changing an address after the link does not open the account with the new address', async () => {
      const { body: bob } = await b.createUser('bob@b.example')
      const path = `/Users/${bob.id}`
      const value = 'ada@a.example'
      const changed = await b.patch(path, {
        op: 'replace',
        path: 'emails[type eq "work"].value',
        value,
      })
      expect(changed.status).toBeLessThan(300)
      const emails = [{ value, type: 'work' }]
      expect((await b.send('PUT', path, { userName: value, emails })).status).toBe(200)
      await b.createGroup('Finance', [bob.id])
      await b.patch(path, { op: 'replace', path: 'active', value: false })
      // Only the account of the first address has changed.
      expect(await rows('select user_id, account_id from links')).toEqual([
        { user_id: bob.id, account_id: 3 },
      ])
      expect(await rows('select email from accounts order by id')).toEqual(
        ['ada@a.example', 'eve@a.example', 'bob@b.example'].map((email) => ({ email })),
      )
      expect(await sessions()).toEqual([1, 2])
      expect((await a.createUser('ada@a.example')).status).toBe(201)
    })

    it("a linked account's address does not link a second user", async () => {
      const { body: ada } = await a.createUser('ada@a.example')
      const value = 'other@a.example'
      await a.patch(`/Users/${ada.id}`, { op: 'replace', value: { userName: value } })
      await a.patch(`/Users/${ada.id}`, {
        op: 'replace',
        path: 'emails[type eq "work"].value',
        value,
      })
      expect(await a.createUser('ada@a.example')).toMatchObject(refused)
    })

    it('a deleted user loses the account, and a re-created user gets it without the old roles', async () => {
      const { body: ada } = await a.createUser('ada@a.example')
      await a.createGroup('Admins', [ada.id], { externalId: '00g1' })
      expect((await a.send('DELETE', `/Users/${ada.id}`)).status).toBe(204)
      expect(await rows('select * from links')).toEqual([])
      expect(await rows('select * from roles')).toEqual([])
      expect(await b.createUser('mallory@b.example', 'ada@a.example')).toMatchObject(refused)
      const { body: again } = await a.createUser('ada@a.example')
      expect(await rows('select user_id, account_id from links')).toEqual([
        { user_id: again.id, account_id: 1 },
      ])
      expect(await rows('select * from roles')).toEqual([])
    })

    describe('a new user with the id of a user deleted outside the endpoint', () => {
      /** Deletes the row of Ada, an administrator. The next user gets her id. */
      const deleteAda = async () => {
        const { run } = application
        const { body: ada } = await a.createUser('ada@a.example')
        await a.createGroup('Admins', [ada.id], { externalId: '00g1' })
        await run(null, 'delete from team_users')
        await run(null, 'delete from users')
        const next = String(Number(ada.id) + 1)
        await run(null, 'update links set user_id = ?', next)
        await run(null, 'update roles set user_id = ?', next)
        return next
      }

      it('the new user does not get the old account and roles', async () => {
        const next = await deleteAda()
        const { body: cyd } = await a.createUser('cyd@a.example')
        expect(cyd.id).toBe(next)
        expect(await application.access.explain(next, { org: 1 })).toEqual([])
        expect(await rows('select user_id, account_id from links')).toEqual([
          { user_id: next, account_id: 4 },
        ])
        expect(await sessions()).toEqual([2, 3])
      })

      it('the new user is a 500 that changes nothing if another customer has the account', async () => {
        const next = await deleteAda()
        expect((await b.createUser('bob@b.example')).status).toBe(500)
        expect(application.errors.splice(0)).toEqual([expect.any(TypeError)])
        expect(await rows('select user_id, account_id from links')).toEqual([
          { user_id: next, account_id: 1 },
        ])
        expect(await rows('select email from users')).toEqual([])
        expect(await sessions()).toEqual([1, 2, 3])
      })
    })

    describe('reconcile', () => {
      it('reconcile ends access for missing users, in batches, and only for this customer', async () => {
        const { run, access, endpoint } = application
        const ids: string[] = []
        for (let at = 0; at < 130; at += 1) {
          ids.push((await a.createUser(`${at}@a.example`)).body.id)
        }
        await a.createGroup('Admins', ids, { externalId: '00g1' })
        const { body: bob } = await b.createUser('bob@b.example')
        await b.createGroup('Finance', [bob.id])
        await run(null, 'delete from team_users')
        await run(null, 'delete from users')
        await run(null, 'insert into sessions select account_id from links')
        const { repaired, ...rest } = await access.reconcile(endpoint, { org: 1 })
        expect(rest).toEqual({ checked: 130, failed: [] })
        expect(repaired.toSorted()).toEqual(ids.sort())
        expect(await rows('select user_id from links')).toEqual([{ user_id: bob.id }])
        expect(await rows('select role from roles')).toEqual([{ role: 'billing of 2' }])
        const { repaired: ended } = await access.reconcile(endpoint, { org: 2 })
        expect(ended).toEqual([bob.id])
        expect(await rows('select * from roles')).toEqual([])
        expect(await access.reconcile(endpoint, { org: 1 })).toEqual({
          checked: 0,
          repaired: [],
          failed: [],
        })
      })

      it('reconcile reports a user whose address has an account another customer manages', async () => {
        const { run, access, endpoint } = application
        await run(
          null,
          "insert into users (org_id, email, mail) values (2, 'm@b.example', 'ada@a.example')",
        )
        const { repaired, failed } = await access.reconcile(endpoint, { org: 2 })
        expect(repaired).toEqual([])
        expect(failed).toMatchObject([
          { scimType: 'uniqueness', reason: 'mayManage returned false' },
        ])
        expect((await a.createUser('ada@a.example')).status).toBe(201)
      })

      it('reconcile links the others if the database rejects one account', async () => {
        const { run, access, endpoint } = application
        // The account of the address exists, but another address is looked up.
        const users = [
          ['ok1@a.example', 'ok1@a.example'],
          ['ada@a.example', 'none@a.example'],
          ['ok2@a.example', 'ok2@a.example'],
        ]
        for (const user of users) {
          await run(null, 'insert into users (org_id, email, mail) values (1, ?, ?)', ...user)
        }
        const { checked, repaired, failed } = await access.reconcile(endpoint, { org: 1 })
        expect([checked, repaired.length]).toEqual([3, 2])
        expect(failed).toMatchObject([{ scimType: 'uniqueness' }])
      })
    })
  })
}
