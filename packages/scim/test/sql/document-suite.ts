import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patchOf, type Send, sender } from '../endpoint/serve.ts'
import type { Openable } from './openers.ts'
import type { Opened } from './tables.ts'
import { type Client, documentOptions, documentTables } from './teams.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const other = { Authorization: 'Bearer 2' }
const USER = {
  userName: 'anna',
  externalId: 'e1',
  name: { givenName: 'Anna', familyName: 'Smith' },
  title: 'Engineer',
  emails: [
    { value: 'private@example.com', type: 'home' },
    { value: 'work@example.com', type: 'work', display: 'Work', primary: true },
    { value: 'second@example.com', type: 'work' },
  ],
  [ENTERPRISE]: { department: 'Sales', manager: { value: 'm1' } },
}

/** Proves that users with a document and an index keep, find and change the attributes without a column. */
export function proveDocument(
  name: string,
  dialect: 'sqlite' | 'postgres',
  open: Openable['open'],
): void {
  describe(`a document next to the columns, on ${name},`, () => {
    let opened: Opened
    let send: Send
    let id: string
    const statements: string[] = []
    beforeAll(async () => {
      opened = await open()
      for (const statement of documentTables(dialect)) await opened.execute(statement, [])
      const execute: Opened['execute'] = (sql, parameters) => {
        statements.push(sql)
        return opened.execute(sql, parameters)
      }
      const store = sqlStore(documentOptions(execute, dialect))
      const { fetch } = createScimEndpoint<Client>({
        basePath: '/scim/v2',
        resourceTypes: [defineResourceType<Client>({ name: 'User', endpoint: '/Users', store })],
        authenticate: async ({ headers }) => ({
          org: Number(headers.get('Authorization')?.slice(7)) || 1,
        }),
        transaction: (context, work) => work(context),
        onError: (error) => console.error(error),
      })
      send = sender(fetch)
      await send('POST', '/Users', { ...USER, userName: 'of another tenant' }, other)
      const created = await send('POST', '/Users', USER)
      expect(created).toMatchObject({ status: 201, body: USER })
      id = created.body.id
    })
    afterAll(() => opened.close())

    it('the document has only the values without a column', async () => {
      expect((await send('GET', `/Users/${id}`)).body).toMatchObject(USER)
      const [row] = await opened.execute(
        "select rest, mail, last_name from people where email = 'anna'",
        [],
      )
      expect(row).toMatchObject({ mail: 'work@example.com', last_name: 'Smith' })
      const rest = typeof row?.rest === 'string' ? JSON.parse(row.rest) : row?.rest
      expect(rest).toEqual({
        externalId: 'e1',
        name: { givenName: 'Anna' },
        title: 'Engineer',
        emails: [USER.emails[0], { type: 'work', display: 'Work', primary: true }, USER.emails[2]],
        [ENTERPRISE]: USER[ENTERPRISE],
      })
    })

    it('a column that another program changes is shown', async () => {
      await opened.execute(
        "update people set last_name = 'Jones', mail = 'new@example.com' where email = 'anna'",
        [],
      )
      const { body } = await send('GET', `/Users/${id}`)
      expect(body).toMatchObject({
        name: { givenName: 'Anna', familyName: 'Jones' },
        emails: [{}, { value: 'new@example.com', display: 'Work' }, {}],
      })
      await send('PUT', `/Users/${id}`, USER)
    })

    it.each([
      ['emails eq "second@example.com"', true],
      ['emails[type eq "work" and value sw "SECOND"]', true],
      ['emails[type eq "home" and value sw "second"]', false],
      ['not (emails pr)', false],
      ['title eq "engineer"', true],
      ['name.givenName sw "An" and name.familyName eq "smith"', true],
      [`${ENTERPRISE}:department eq "Sales"`, true],
      ['externalId eq "E1"', false],
    ])('the document is searched exactly: %s (RFC 7644 §3.4.2.2)', async (filter, isFound) => {
      const query = `filter=${encodeURIComponent(filter)}`
      expect((await send('GET', `/Users?${query}`)).body.totalResults).toBe(isFound ? 1 : 0)
    })

    it('the index finds an address without reading each resource', async () => {
      statements.length = 0
      await send('GET', `/Users?filter=${encodeURIComponent('emails eq "second@example.com"')}`)
      expect(statements[0]).toContain('"person_values" as "v" where "v"."org_id" = ')
      expect(statements.at(-1)).toMatch(/"people"."id" = /)
    })

    it('the document and the index follow changes and deletions', async () => {
      const created = await send('POST', '/Users', { userName: 'b', ims: [{ value: 'one' }] })
      const path = `/Users/${created.body.id}`
      const find = async (value: string) =>
        (await send('GET', `/Users?filter=${encodeURIComponent(`ims eq "${value}"`)}`)).body
          .totalResults
      const changed = await send(
        'PATCH',
        path,
        patchOf({ op: 'replace', path: 'ims[value eq "one"].value', value: 'two' }),
      )
      expect(changed.body.ims).toEqual([{ value: 'two' }])
      expect(changed.body.meta.version).not.toBe(created.body.meta.version)
      expect([await find('one'), await find('two')]).toEqual([0, 1])
      await send('DELETE', path)
      expect(
        await opened.execute("select 1 from person_values where attribute like 'ims%'", []),
      ).toEqual([])
    })

    it('a null character is rejected, because some databases do not store it', async () => {
      const sent = await send('POST', '/Users', { userName: 'c', title: 'a\0b' })
      expect(sent).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    })
  })
}
