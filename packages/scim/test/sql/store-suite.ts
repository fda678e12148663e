import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BASE, patchOf, type Send } from '../endpoint/serve.ts'
import type { Openable } from './openers.ts'
import type { Opened } from './tables.ts'
import { serveTables, tables, userOptions } from './teams.ts'

const other = { Authorization: 'Bearer 2' }
interface User {
  readonly id: string
  readonly userName: string
}

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
      for (const table of ['team_users', 'user_addresses', 'user_photos', 'teams', 'users']) {
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

    it('written values are read back (RFC 7644 §3.3)', async () => {
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

    it('resources are replaced and changed, and keep a password (RFC 7644 §3.5)', async () => {
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

    it('the changed attribute is stored if two share a column, and two values are rejected', async () => {
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
      ['a number with another type', { phoneNumbers: [{ type: 'fax', value: '1' }] }],
      ['a null character', { name: { givenName: 'a\0b' } }],
      ['a value a database check rejects', { name: { givenName: 'invalid' } }],
    ])('a value no column stores is rejected: %s', async (_, attributes) => {
      const sent = await send('POST', '/Users', { userName: 'x@example.com', ...attributes })
      expect(sent).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
      expect((await list({})).totalResults).toBe(0)
    })

    // RFC 7643 §2.5: a missing value is null, and `""` is a value.
    it('a value without `value` is stored as null, and filtered as in memory', async () => {
      const photos = [{ type: 'work' }, { type: 'home', value: 'https://example.com/h' }]
      const { id } = await create({ userName: 'a@example.com', photos })
      expect((await send('GET', `/Users/${id}`)).body.photos).toEqual(photos)
      const [row] = await opened.execute("select url from user_photos where label = 'work'", [])
      expect(row?.url).toBeNull()
      const count = async (filter: string) => (await list({ filter })).totalResults
      expect(await count('photos[not (value pr)]')).toBe(1)
      expect(await count('photos[type eq "work" and value sw ""]')).toBe(0)
      expect(await count('photos[type eq "work" and value ne "x"]')).toBe(1)
      const removal = patchOf({ op: 'remove', path: 'photos.value' })
      const { body } = await send('PATCH', `/Users/${id}`, removal)
      expect(body.photos).toEqual([{ type: 'work' }, { type: 'home' }])
      expect(await count('photos.value pr')).toBe(0)
    })

    it('userName is unique in any letter case within a tenant (RFC 7643 §4.1.1)', async () => {
      await create({ userName: 'José@example.com' })
      await create({ userName: 'josé@example.com' }, '/Users', other)
      const conflict = {
        status: 409,
        body: { scimType: 'uniqueness', detail: 'userName is already taken' },
      }
      expect(await send('POST', '/Users', { userName: 'JOSÉ@example.com' })).toMatchObject(conflict)
      const { id } = await create({ userName: 'b@example.com' })
      expect(await send('PUT', `/Users/${id}`, { userName: 'josé@EXAMPLE.com' })).toMatchObject(
        conflict,
      )
      expect(await send('PUT', `/Users/${id}`, { userName: 'B@example.com' })).toMatchObject({
        status: 200,
      })
    })

    it('a violation the database itself reports is translated', async () => {
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

    it('another tenant is not shown (read, list, write, members)', async () => {
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

    it("another tenant's values and names are kept apart", async () => {
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
      'the id %s is 404',
      async (id) => {
        await create({ userName: 'a@example.com' })
        expect((await send('GET', `/Users/${id}`)).status).toBe(404)
        expect((await send('DELETE', `/Users/${id}`)).status).toBe(404)
      },
    )

    it('lists are filtered, sorted and paged (RFC 7644 §3.4.2)', async () => {
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

    it('memory finishes what SQL does not do exactly', async () => {
      for (const userName of ['É', 'z', 'éa', 'a']) await create({ userName })
      expect(await namesOf({ filter: 'userName sw "É"', sortBy: 'userName' })).toEqual(['É', 'éa'])
      expect(await namesOf({ sortBy: 'userName' })).toEqual(['a', 'z', 'É', 'éa'])
      expect(await list({ filter: 'userName sw "é"', startIndex: '2', count: '1' })).toMatchObject({
        totalResults: 2,
        Resources: [{ userName: 'éa' }],
      })
    })

    describe('cursor pages (RFC 9865 §2)', () => {
      /** Users with equal, missing and empty values. */
      const fill = async (names: readonly string[]) => {
        const values = names.flatMap((name, at) => {
          const given = [null, 'b', 'B', '', 'a', 'É'][at % 6]
          // A timestamp of PostgreSQL has microseconds.
          const fraction = dialect === 'postgres' ? ['500900', '500100'][at % 2] : '500'
          const created = at % 3 === 0 ? null : `2026-01-01 00:00:00.${fraction}`
          return [name, given, Number(at % 2 === 0), [null, 'x', 'X'][at % 3], created]
        })
        const rows = names.map((_, row) => {
          const places = [1, 2, 3, 4, 5].map((at) =>
            dialect === 'postgres' ? `$${row * 5 + at}` : '?',
          )
          return `(1, ${places})`
        })
        await opened.execute(
          `insert into users (org_id, email, first_name, is_enabled, directory_id, created_at) values ${rows}`,
          values,
        )
      }
      const walk = async (
        query: Record<string, string>,
        between: (page: readonly User[]) => Promise<void> = async () => {},
      ) => {
        const found: User[] = []
        for (let cursor = ''; found.length < 100; ) {
          const body = await list({ ...query, count: '4', cursor })
          found.push(...body.Resources)
          if (body.nextCursor === undefined) return found.map(({ userName }) => userName)
          await between(body.Resources)
          cursor = body.nextCursor
        }
        return expect.unreachable('the pages do not end')
      }

      const ORDERS = [
        'id',
        'userName',
        'name.givenName',
        'active',
        'externalId',
        'meta.created',
        // In memory, because the values are in a table of their own.
        'addresses.streetAddress',
      ].flatMap((sortBy) => [
        { sortBy, sortOrder: 'ascending' },
        { sortBy, sortOrder: 'descending' },
      ])
      const QUERIES: readonly Record<string, string>[] = [
        {},
        ...ORDERS,
        // Its rest runs in memory, in an order of SQL and in one of memory.
        ...ORDERS.filter(({ sortBy }) => /^(userName|addresses)/.test(sortBy)).map((order) => ({
          ...order,
          filter: 'not (userName co "é")',
        })),
      ]

      it.each(QUERIES)(
        'cursor pages for %j contain each user once that exists all the time',
        async (query) => {
          const names = Array.from({ length: 18 }, (_, at) => `${at % 2 ? 'u' : 'U'}${at}`)
          await fill(names)
          expect((await walk(query)).sort()).toEqual([...names].sort())
          const deleted = new Set<string>()
          const found = await walk(query, async (page) => {
            // The last one is where the page ends. The first one moves all positions.
            for (const { id, userName } of [page.at(0), page.at(-1)].flatMap((one) => one ?? [])) {
              await send('DELETE', `/Users/${id}`)
              deleted.add(userName)
            }
          })
          expect(found.sort()).toEqual([...names].sort())
          expect(deleted.size).toBeGreaterThan(5)
          const left = names.filter((name) => !deleted.has(name))
          const inserted = ['a0', 'V0', 'A1', 'v1', 'U00', 'u01']
          const later = await walk(query, async () => await fill([inserted.pop() ?? 'z']))
          expect(later.filter((name) => left.includes(name)).sort()).toEqual(left.sort())
          expect(new Set(later).size).toBe(later.length)
        },
      )

      it.each(ORDERS)('cursor pages follow the list order: %j', async (order) => {
        await fill(Array.from({ length: 12 }, (_, at) => `${at % 2 ? 'u' : 'U'}${at}`))
        expect(await walk(order)).toEqual(await namesOf(order))
      })

      it.each(QUERIES)('cursor pages lead back to the previous pages: %j', async (query) => {
        await fill(Array.from({ length: 14 }, (_, at) => `${at % 2 ? 'u' : 'U'}${at}`))
        const read = async (cursor: string) => await list({ ...query, count: '4', cursor })
        const before: (readonly User[])[] = []
        let body = await read('')
        while (body.nextCursor !== undefined) {
          before.push(body.Resources)
          body = await read(body.nextCursor)
        }
        expect(before).toHaveLength(3)
        for (const page of before.reverse()) {
          body = await read(String(body.previousCursor))
          expect(body.Resources).toEqual(page)
          expect(body.nextCursor).toEqual(expect.any(String))
        }
        expect(body.previousCursor).toBeUndefined()
      })

      it("the first page's order stays if a name sorted in memory is inserted", async () => {
        const names = ['u1', 'U2', 'u3', 'U4', 'u5', 'U6', 'u7', 'U8', 'u9']
        await fill(names)
        const inserted = ['É1', 'é0']
        const found = await walk({ sortBy: 'userName' }, async () => {
          await fill(inserted.splice(0, 1))
        })
        expect(found.filter((name) => names.includes(name))).toEqual(names)
      })

      it('cursor pages contain values too long for a cursor', async () => {
        const names = Array.from({ length: 9 }, (_, at) => `${'u'.repeat(180)}${at}`)
        await fill(names)
        const street = 's'.repeat(dialect === 'mysql' ? 190 : 2_000)
        const rows = await opened.execute('select id from users', [])
        for (const { id } of rows) {
          await opened.execute(
            `insert into user_addresses (user_id, org_id, street) values (${id}, 1, '${street}')`,
            [],
          )
        }
        for (const sortBy of ['userName', 'addresses.streetAddress']) {
          expect((await walk({ sortBy })).sort()).toEqual(names)
        }
      })
    })

    it("foreign cursors are rejected, even with the query's digest (RFC 9865 §3.2)", async () => {
      for (let at = 0; at < 3; at += 1) await create({ userName: `u${at}`, externalId: `e${at}` })
      const rejected = { status: 400, body: { scimType: 'invalidCursor' } }
      const get = (query: Record<string, string>) =>
        send('GET', `/Users?${new URLSearchParams({ count: '1', ...query })}`)
      for (const sortBy of ['id', 'userName', 'active', 'externalId', 'meta.created']) {
        for (const cursor of ['x', '{}', 'e30', 'eyJza2lwIjotMX0', 'A'.repeat(5_000)]) {
          expect(await get({ sortBy, cursor })).toMatchObject(rejected)
        }
        const { body } = await get({ sortBy, cursor: '' })
        const written = JSON.parse(atob(body.nextCursor.replaceAll('-', '+').replaceAll('_', '/')))
        for (const change of [
          { id: 7 },
          { id: undefined },
          { key: {} },
          { key: ['a'] },
          { key: `a\0b` },
          { key: '\ud800' },
          { seal: 'x' },
          ...(sortBy === 'active' || sortBy === 'meta.created'
            ? [{ key: 'abc' }, { key: 1e300 }]
            : []),
        ]) {
          const isIgnored = sortBy === 'id' && 'key' in change
          const cursor = btoa(JSON.stringify({ ...written, ...change }))
          const sent = await get({
            sortBy,
            cursor: cursor.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
          })
          if (!isIgnored) expect(sent, JSON.stringify({ sortBy, change })).toMatchObject(rejected)
        }
        for (const other of [
          { filter: 'active eq true' },
          { sortBy: 'name.givenName' },
          { sortOrder: 'descending' },
        ]) {
          expect(await get({ sortBy, cursor: body.nextCursor, ...other })).toMatchObject(rejected)
        }
      }
    })

    it.each([
      ['a position column', 'addresses', 'streetAddress'],
      ['a key the database assigns', 'photos', 'value'],
    ])('values keep their order through %s', async (_, attribute, name) => {
      const valuesOf = (answer: { readonly body: object }): readonly string[] =>
        Reflect.get(answer.body, attribute).map((one: object) => Reflect.get(one, name))
      const listOf = (...values: readonly string[]) =>
        values.map((value, at) => ({ [name]: `http://${value}`, type: ['work', 'home'][at % 2] }))
      const wanted = (...values: readonly string[]) => values.map((value) => `http://${value}`)
      const userName = 'ann'
      const created = await send('POST', '/Users', {
        userName,
        [attribute]: listOf('home', 'WORK', 'b'),
      })
      expect(valuesOf(created)).toEqual(wanted('home', 'WORK', 'b'))
      const path = `/Users/${created.body.id}`
      const others = await create({ userName: 'bob', [attribute]: listOf('z', 'y') })
      const put = await send('PUT', path, {
        userName,
        [attribute]: listOf('WORK', 'home', 'c', 'b'),
      })
      expect(valuesOf(put)).toEqual(wanted('WORK', 'home', 'c', 'b'))
      const add = { op: 'add', path: attribute, value: listOf('A') }
      const added = await send('PATCH', path, patchOf(add))
      expect(valuesOf(added)).toEqual(wanted('WORK', 'home', 'c', 'b', 'A'))
      const selected = `${attribute}[${name} eq "http://home"]`
      const replace = { op: 'replace', path: `${selected}.type`, value: 'other' }
      const changed = await send('PATCH', path, patchOf(replace))
      expect(valuesOf(changed)).toEqual(wanted('WORK', 'home', 'c', 'b', 'A'))
      const removed = await send('PATCH', path, patchOf({ op: 'remove', path: selected }))
      expect(valuesOf(removed)).toEqual(wanted('WORK', 'c', 'b', 'A'))
      const [first, second] = (await list({ sortBy: 'userName' })).Resources
      expect([first, second].map((body) => valuesOf({ body: body ?? {} }))).toEqual([
        wanted('WORK', 'c', 'b', 'A'),
        valuesOf({ body: others }),
      ])
    })

    it("memberships are stored in their own table, and shown as the users' groups", async () => {
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

    it('a deleted user leaves all groups, whatever the user map contains (RFC 7644 §3.6)', async () => {
      const { attributes, ...options } = userOptions(opened.execute, dialect)
      const { groups: _, ...others } = attributes
      const users = { ...options, attributes: others }
      const served = serveTables(opened.execute, dialect, {}, users)
      const { id: ann } = await create({ userName: 'ann' })
      const { id: bob } = await create({ userName: 'bob' })
      const members = [{ value: ann }, { value: bob }]
      const { id } = await create({ displayName: 'Guides', members }, '/Groups')
      await create({ displayName: 'Cooks', members: [{ value: bob }] }, '/Groups')
      expect((await served('DELETE', `/Users/${ann}`, undefined, other)).status).toBe(404)
      expect((await send('GET', `/Groups/${id}`)).body.members).toHaveLength(2)
      expect((await served('DELETE', `/Users/${ann}`)).status).toBe(204)
      const { body } = await send('GET', `/Groups/${id}`)
      expect(body.members).toMatchObject([{ value: bob }])
      // The version is that of the members: a change of the group as it was is rejected.
      expect(body.meta.version).toBe('W/"2"')
      expect((await list({ filter: 'displayName eq "Cooks"' }, '/Groups')).Resources).toMatchObject(
        [{ members: [{ value: bob }], meta: { version: 'W/"1"' } }],
      )
    })

    it("a group whose key equals a deleted group's keeps the members", async () => {
      const { id: ann } = await create({ userName: 'ann' })
      const members = [{ value: ann }]
      await opened.execute(
        `insert into teams (id, org_id, name, kind) values (${ann}, 1, 'same key', 'team')`,
        [],
      )
      const { id } = await create({ displayName: 'Guides', members }, '/Groups')
      expect((await send('DELETE', `/Groups/${ann}`)).status).toBe(204)
      expect((await send('GET', `/Groups/${id}`)).body.members).toMatchObject(members)
    })

    it('2,000 members are changed without loading the group, and replaced', async () => {
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

    it("only rows meeting the map's condition are visible, and new rows meet it", async () => {
      await create({ displayName: 'a' }, '/Groups')
      const [row] = await opened.execute('select kind, archived_at from teams', [])
      expect(row).toEqual({ kind: 'team', archived_at: null })
      await opened.execute("update teams set kind = 'list'", [])
      expect((await list({}, '/Groups')).totalResults).toBe(0)
    })
  })
}
