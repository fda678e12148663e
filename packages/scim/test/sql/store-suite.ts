import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BASE, patchOf, type Send } from '../../src/lib/endpoint/testing/serve.ts'
import type { Openable } from './openers.ts'
import type { Opened } from './tables.ts'
import { serveTables, tables } from './teams.ts'

const other = { Authorization: 'Bearer 2' }
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The contract of `sqlStore` over tables that were not made for SCIM, through the endpoint. */
export function proveStore(name: string, { dialect, open }: Openable): void {
  describe(`sqlStore on ${name}`, () => {
    let opened: Opened
    let send: Send
    beforeAll(async () => {
      opened = await open()
      for (const statement of tables(dialect)) await opened.execute(statement, [])
      send = serveTables(opened.execute, dialect)
    })
    beforeEach(async () => {
      for (const table of ['team_users', 'user_addresses', 'teams', 'users']) {
        await opened.execute(`delete from ${table}`, [])
      }
    })
    afterAll(async () => await opened.close())

    const create = async (body: object, path = '/Users', headers = {}) => {
      const sent = await send('POST', path, body, headers)
      expect(sent).toMatchObject({ status: 201 })
      return sent.body
    }
    const list = async (query: Record<string, string>, path = '/Users', headers = {}) => {
      const { status, body } = await send(
        'GET',
        `${path}?${new URLSearchParams(query)}`,
        undefined,
        headers,
      )
      expect(status).toBe(200)
      return body
    }
    const namesOf = async (query: Record<string, string>) =>
      (await list(query)).Resources.map(({ userName }: { userName: string }) => userName)

    it('reads back what was written (RFC 7644 §3.3)', async () => {
      const sent = {
        userName: 'BJensen@example.com',
        name: { givenName: "Robert'); drop table users; --", familyName: 'Jensen' },
        active: false,
        externalId: '00u1',
        password: 'secret',
        emails: [{ type: 'work', value: 'BJensen@example.com' }],
        phoneNumbers: [{ type: 'mobile', value: '+1 2' }],
        addresses: [
          { type: 'home', streetAddress: 'Main 1', primary: true },
          { type: 'work', streetAddress: 'Main 2', primary: false },
        ],
        [ENTERPRISE]: { department: 'Sales' },
      }
      const created = await create(sent)
      const { password: _, ...shown } = sent
      expect(created).toMatchObject(shown)
      expect(created.meta.version).toBe('W/"1"')
      expect(Date.parse(created.meta.created)).toBeGreaterThan(Date.parse('2026-01-01'))
      const read = await send('GET', `/Users/${created.id}`)
      expect(read.body).toEqual(created)
      const [row] = await opened.execute('select password_hash from users', [])
      expect(row?.password_hash).toBe('hash of secret')
    })

    it('replaces and changes resources, and keeps a password (RFC 7644 §3.5)', async () => {
      const { id } = await create({
        userName: 'a@example.com',
        password: 'p',
        name: { givenName: 'A' },
      })
      const put = await send('PUT', `/Users/${id}`, { userName: 'b@example.com', active: true })
      expect(put).toMatchObject({ status: 200, body: { userName: 'b@example.com' } })
      expect(put.body).not.toHaveProperty('name')
      expect(put.body.meta.version).toBe('W/"2"')
      const [row] = await opened.execute('select password_hash from users', [])
      expect(row?.password_hash).toBe('hash of p')
      const operation = { op: 'add', path: 'name.familyName', value: 'Jensen' }
      const patched = await send('PATCH', `/Users/${id}`, patchOf(operation))
      expect(patched).toMatchObject({ status: 200, body: { name: { familyName: 'Jensen' } } })
      const again = await send('PATCH', `/Users/${id}`, patchOf(operation))
      expect(again.body.meta).toEqual(patched.body.meta)
      const { version } = patched.body.meta
      expect(
        await send('DELETE', `/Users/${id}`, undefined, { 'If-Match': 'W/"1"' }),
      ).toMatchObject({ status: 412 })
      expect(
        await send('DELETE', `/Users/${id}`, undefined, { 'If-Match': version }),
      ).toMatchObject({ status: 204 })
      expect(await send('GET', `/Users/${id}`)).toMatchObject({ status: 404 })
      expect(await send('DELETE', `/Users/${id}`)).toMatchObject({ status: 404 })
    })

    it('stores the attribute that changed if two share a column, and rejects two values', async () => {
      const { id } = await create({ userName: 'a@example.com' })
      const path = 'emails[type eq "work"].value'
      const email = await send(
        'PATCH',
        `/Users/${id}`,
        patchOf({ op: 'replace', path, value: 'b@example.com' }),
      )
      expect(email).toMatchObject({ status: 200, body: { userName: 'b@example.com' } })
      const both = { userName: 'c@example.com', emails: [{ type: 'work', value: 'd@example.com' }] }
      expect(await send('PUT', `/Users/${id}`, both)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue', detail: expect.stringContaining('emails[work].value') },
      })
    })

    it.each([
      [
        'a second work number',
        {
          phoneNumbers: [
            { type: 'work', value: '1' },
            { type: 'work', value: '2' },
          ],
        },
      ],
      ['a number of another type', { phoneNumbers: [{ type: 'fax', value: '1' }] }],
      ['a null character', { name: { givenName: 'a\0b' } }],
      ['a value that a check of the database rejects', { name: { givenName: 'invalid' } }],
    ])('rejects what no column stores: %s', async (_, attributes) => {
      const sent = await send('POST', '/Users', { userName: 'x@example.com', ...attributes })
      expect(sent).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
      expect((await list({})).totalResults).toBe(0)
    })

    it('is unique in any letter case within a tenant (RFC 7643 §4.1.1)', async () => {
      await create({ userName: 'José@example.com' })
      await create({ userName: 'josé@example.com' }, '/Users', other)
      const taken = {
        status: 409,
        body: { scimType: 'uniqueness', detail: 'userName is already taken' },
      }
      expect(await send('POST', '/Users', { userName: 'JOSÉ@example.com' })).toMatchObject(taken)
      const { id } = await create({ userName: 'b@example.com' })
      expect(await send('PUT', `/Users/${id}`, { userName: 'josé@EXAMPLE.com' })).toMatchObject(
        taken,
      )
      expect(await send('PUT', `/Users/${id}`, { userName: 'B@example.com' })).toMatchObject({
        status: 200,
      })
    })

    it('translates the violation of the database itself', async () => {
      const execute: Opened['execute'] = async (sql, parameters) =>
        // Another request inserts the same name after this one has searched for it.
        / lower\(|convert\(/.test(sql) ? [] : await opened.execute(sql, parameters)
      const racing = serveTables(execute, dialect)
      await create({ userName: 'first_name' })
      expect(await racing('POST', '/Users', { userName: 'first_name' })).toMatchObject({
        status: 409,
        body: { scimType: 'uniqueness', detail: 'userName is already taken' },
      })
    })

    it('does not show another tenant (read, list, write, members)', async () => {
      const { id } = await create({ userName: 'a@example.com' }, '/Users', other)
      expect((await list({})).totalResults).toBe(0)
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const body =
          method === 'PUT' ? { userName: 'x' } : patchOf({ op: 'remove', path: 'externalId' })
        const sent = await send(method, `/Users/${id}`, method.startsWith('P') ? body : undefined)
        expect(sent.status).toBe(404)
      }
      const group = { displayName: 'g', members: [{ value: id }] }
      expect(await send('POST', '/Groups', group)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue' },
      })
    })

    it('keeps the values and the names of another tenant apart', async () => {
      const address = { type: 'work', streetAddress: 'Main 1' }
      const { id } = await create({ userName: 'a@example.com', addresses: [address] })
      const team = await create({ displayName: 'secret' }, '/Groups', other)
      await opened.execute(
        `insert into user_addresses (user_id, org_id, label) values (${id}, 2, 'home')`,
        [],
      )
      await opened.execute(`insert into team_users values (${team.id}, ${id})`, [])
      const { body } = await send('GET', `/Users/${id}`)
      expect(body.addresses).toEqual([address])
      expect(body.groups).toMatchObject([{ value: team.id }])
      expect(body.groups[0]).not.toHaveProperty('display')
      await send('PUT', `/Users/${id}`, { userName: 'a@example.com' })
      const left = await opened.execute('select label from user_addresses', [])
      expect(left).toEqual([{ label: 'home' }])
    })

    it.each(['0', 'abc', "1' or '1'='1", '1e3', '99999999999999999999', '01', '%00', '%25'])(
      'answers 404 for the id %s',
      async (id) => {
        await create({ userName: 'a@example.com' })
        expect((await send('GET', `/Users/${id}`)).status).toBe(404)
        expect((await send('DELETE', `/Users/${id}`)).status).toBe(404)
      },
    )

    it('filters, sorts and pages (RFC 7644 §3.4.2)', async () => {
      for (const userName of ['b@x.org', 'C@x.org', 'a@x.org', 'd@y.org']) {
        await create({ userName, name: { familyName: userName === 'a@x.org' ? '' : 'N%_' } })
      }
      expect(await namesOf({ sortBy: 'userName' })).toEqual([
        'a@x.org',
        'b@x.org',
        'C@x.org',
        'd@y.org',
      ])
      const query = {
        filter: 'emails[type eq "work" and value ew "@X.ORG"]',
        sortBy: 'userName',
        sortOrder: 'descending',
      }
      expect(await list({ ...query, startIndex: '2', count: '1' })).toMatchObject({
        totalResults: 3,
        Resources: [{ userName: 'b@x.org' }],
      })
      expect(
        await namesOf({ filter: 'name.familyName co "%_"', sortBy: 'emails.value' }),
      ).toHaveLength(3)
      expect(await namesOf({ filter: 'userName eq "c@X.org"' })).toEqual(['C@x.org'])
      expect(await list({ count: '0' })).toMatchObject({ totalResults: 4 })
      expect(await namesOf({ startIndex: '5' })).toEqual([])
    })

    it('finishes in memory what SQL does not do exactly', async () => {
      for (const userName of ['É', 'z', 'éa', 'a']) await create({ userName })
      expect(await namesOf({ filter: 'userName sw "É"', sortBy: 'userName' })).toEqual(['É', 'éa'])
      expect(await namesOf({ sortBy: 'userName' })).toEqual(['a', 'z', 'É', 'éa'])
      expect(await list({ filter: 'userName sw "é"', startIndex: '2', count: '1' })).toMatchObject({
        totalResults: 2,
        Resources: [{ userName: 'éa' }],
      })
    })

    it.each([
      ['in the order of ids', {}],
      ['of a filter that runs in memory', { filter: 'userName sw "é"' }],
      ['sorted by a column', { sortBy: 'meta.created' }],
      ['sorted in memory', { sortBy: 'addresses.streetAddress' }],
    ])('pages by cursor %s (RFC 9865)', async (_, query: Record<string, string>) => {
      const names = ['É1', 'é2', 'É3', 'é4', 'É5']
      for (const userName of names) await create({ userName })
      const found: string[] = []
      let cursor = ''
      for (let page = 0; page < 3; page += 1) {
        const body = await list({ ...query, cursor, count: '2' })
        found.push(...body.Resources.map(({ userName }: { userName: string }) => userName))
        expect(body.nextCursor === undefined).toBe(page === 2)
        cursor = body.nextCursor
        if (page === 0) {
          const another = await send(
            'GET',
            `/Users?${new URLSearchParams({ cursor, filter: 'active eq true' })}`,
          )
          expect(another).toMatchObject({ status: 400, body: { scimType: 'invalidCursor' } })
        }
      }
      expect(found.sort()).toEqual([...names].sort())
      for (const invalid of ['x', '{}', 'e30', 'eyJza2lwIjotMX0']) {
        const sent = await send(
          'GET',
          `/Users?${new URLSearchParams({ ...query, cursor: invalid })}`,
        )
        expect(sent).toMatchObject({ status: 400, body: { scimType: 'invalidCursor' } })
      }
    })

    it('stores memberships in their own table, and shows them as groups of the users', async () => {
      const { id: ann } = await create({ userName: 'ann' })
      const { id: bob } = await create({ userName: 'bob' })
      const { id } = await create({ displayName: 'Guides', members: [{ value: ann }] }, '/Groups')
      expect((await send('GET', `/Users/${ann}`)).body.groups).toEqual([
        { value: id, display: 'Guides', type: 'direct', $ref: `${BASE}/Groups/${id}` },
      ])
      const add = { op: 'add', path: 'members', value: [{ value: bob }, { value: ann }] }
      expect(await send('PATCH', `/Groups/${id}`, patchOf(add))).toMatchObject({ status: 204 })
      expect((await list({ filter: `members.value eq "${bob}"` }, '/Groups')).totalResults).toBe(1)
      expect((await list({ filter: 'not (members pr)' }, '/Groups')).totalResults).toBe(0)
      expect(await namesOf({ filter: `groups.value eq "${id}"`, sortBy: 'userName' })).toEqual([
        'ann',
        'bob',
      ])
      expect(await namesOf({ filter: 'groups.display eq "guides"' })).toEqual(['ann', 'bob'])
      const remove = { op: 'remove', path: `members[value eq "${ann}"]` }
      expect(await send('PATCH', `/Groups/${id}`, patchOf(remove))).toMatchObject({ status: 204 })
      expect(await send('PATCH', `/Groups/${id}`, patchOf(remove))).toMatchObject({
        status: 400,
        body: { scimType: 'noTarget' },
      })
      const { body } = await send('GET', `/Groups/${id}`)
      expect(body.members).toEqual([{ value: bob, type: 'User', $ref: `${BASE}/Users/${bob}` }])
      expect(body.meta.version).toBe('W/"3"')
      expect(await send('DELETE', `/Users/${bob}`)).toMatchObject({ status: 204 })
      expect((await send('GET', `/Groups/${id}`)).body).not.toHaveProperty('members')
      for (const value of ['999', 'x', '']) {
        const unknown = { op: 'add', path: 'members', value: [{ value }] }
        expect(await send('PATCH', `/Groups/${id}`, patchOf(unknown))).toMatchObject({
          status: 400,
          body: { scimType: 'invalidValue' },
        })
      }
    })

    it('changes 2,000 members without loading the group, and replaces them', async () => {
      const values = Array.from({ length: 2_000 }, (_, at) => at + 1_000_000)
      const rows = values.map((id) => `(${id}, 1, 'u${id}')`)
      await opened.execute(`insert into users (id, org_id, email) values ${rows}`, [])
      const members = values.map((id) => ({ value: String(id) }))
      const { id } = await create({ displayName: 'all' }, '/Groups')
      const statements: string[] = []
      const counting = serveTables(async (sql, parameters) => {
        statements.push(sql)
        return await opened.execute(sql, parameters)
      }, dialect)
      const path = `/Groups/${id}`
      expect(
        (await counting('PATCH', path, patchOf({ op: 'add', path: 'members', value: members })))
          .status,
      ).toBe(204)
      expect(statements.length).toBeLessThan(30)
      statements.length = 0
      const one = patchOf({ op: 'remove', path: 'members[value eq "1000000"]' })
      expect((await counting('PATCH', path, one)).status).toBe(204)
      expect(statements.length).toBeLessThan(8)
      const put = await counting('PUT', path, {
        displayName: 'all',
        members: members.slice(0, 1_999),
      })
      expect(put.body.members).toHaveLength(1_999)
      const [count] = await opened.execute('select count(*) as n from team_users', [])
      expect(Number(count?.n)).toBe(1_999)
    })

    it('sees only the rows of the condition of the map, and creates such rows', async () => {
      await create({ displayName: 'a' }, '/Groups')
      const [row] = await opened.execute('select kind, archived_at from teams', [])
      expect(row).toEqual({ kind: 'team', archived_at: null })
      await opened.execute("update teams set kind = 'list'", [])
      expect((await list({}, '/Groups')).totalResults).toBe(0)
    })
  })
}
