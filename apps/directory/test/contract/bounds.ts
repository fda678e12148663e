import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_CANDIDATES } from '../../src/features/scim/list/plan-query.ts'
import { USER } from '../../src/features/scim/user.ts'
import { createValueIndex, ownerOf } from '../../src/features/scim/value-index/value-index.ts'
import { createId } from '../../src/kernel/ids.ts'
import { execAll, insertRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
/** One more than the limit of candidates in memory, so that only the database can find them. */
const MANY = MAX_CANDIDATES + 1
/** A member of all groups. */
const EVERYWHERE = createId(NOW, Buffer.alloc(16, 9))
const SEVENTH = createId(NOW, Buffer.alloc(16, 7))

/** The multi-valued attributes of the seventh user. */
const SEVENTH_VALUES = {
  emails: [{ type: 'work', value: '7@example.com', primary: true }],
  phoneNumbers: [{ value: '+49-30-7' }],
  addresses: [{ country: 'DE', locality: 'Berlin', type: 'work' }],
  x509Certificates: [{ value: 'Q2VydA==' }],
}

/** Filters that match only the seventh user. */
const SEVENTH_USER = [
  'userName eq "USER-7"',
  'externalId eq "external-7"',
  `id eq "${SEVENTH}"`,
  'displayName eq "display-7"',
  'nickName eq "nick-7"',
  'name.givenName eq "given-7"',
  'name.familyName eq "family-7"',
  'title eq "title-7"',
  'userType eq "type-7"',
  'active eq false',
  `${ENTERPRISE_USER_SCHEMA}:employeeNumber eq "7"`,
  'department eq "sales-7"',
  'meta.created lt "2026-11-21T12:00:00Z"',
  'meta.lastModified lt "2026-11-21T12:00:00Z"',
  'emails eq "7@example.com"',
  'emails.value eq "7@EXAMPLE.com"',
  'emails[type eq "work" and value eq "7@example.com"]',
  'emails[type eq "work"].value eq "7@example.com"',
  'emails sw "7@"',
  'emails co "@EXAMPLE"',
  'emails.value ew ".com"',
  'emails.type eq "work"',
  'emails[type eq "WORK" and value sw "7"]',
  'emails[primary eq true and not (type eq "home")]',
  'emails pr',
  'not (emails eq null)',
  'userName eq "none" or emails eq "7@example.com"',
  'addresses[country eq "DE" and locality sw "ber"]',
  'addresses.country eq "de" and not (addresses.locality ne "Berlin")',
  'phoneNumbers.value sw "+49"',
  'x509Certificates eq "Q2VydA=="',
  'not (userName ne "user-7")',
  'userName sw "user-7" and emails[type eq "work" and value eq "7@example.com"]',
  'userName eq "user-7" and locale eq "en"',
]

const SEVENTH_GROUP = [
  'displayName eq "GROUP-7"',
  'externalId eq "external-7"',
  `id eq "${SEVENTH}"`,
  'meta.created lt "2026-11-21T12:00:00Z"',
  'meta.lastModified lt "2026-11-21T12:00:00Z"',
  `members eq "${SEVENTH}"`,
  `members.value eq "${SEVENTH}"`,
  `members[type eq "User" and value eq "${SEVENTH}"]`,
  'members.display eq "seven"',
]

/** Queries over more resources than are read into memory, on every store. */
export function boundContract(store: () => Store): void {
  let client: Client
  beforeAll(async () => {
    client = await connect(store())
    await fill(store(), client.tenantId)
  })

  const list = async (type: string, query: Readonly<Record<string, string>>) =>
    await client.send('GET', `/${type}?${new URLSearchParams(query)}`)

  it.each([
    ...SEVENTH_USER.map((filter) => ['Users', filter] as const),
    ...SEVENTH_GROUP.map((filter) => ['Groups', filter] as const),
  ])('the database searches %s with the filter %s', async (type, filter) => {
    const { status, body } = await list(type, { filter })
    expect({ status, total: body.totalResults }).toEqual({ status: 200, total: 1 })
    expect(body.Resources?.[0]?.id).toBe(SEVENTH)
  })

  it.each([
    ['Users', 'id'],
    ['Users', 'userName'],
    ['Users', 'meta.lastModified'],
    ['Groups', 'displayName'],
  ])('the database sorts %s by %s', async (type, sortBy) => {
    const { body } = await list(type, { sortBy, count: '1', startIndex: String(MANY) })
    expect(body).toMatchObject({ totalResults: MANY, itemsPerPage: 1 })
  })

  it("the database finds a member's groups if they are too many to search in memory", async () => {
    const filter = `members eq "${EVERYWHERE}"`
    const { status, body } = await list('Groups', { filter, count: '1' })
    expect({ status, total: body.totalResults }).toEqual({ status: 200, total: MANY })
  })

  it('a filter with more than 1,000 comparisons fails with invalidFilter (RFC 7644 §3.12)', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    // The limit does not depend on the resources, and each of many would be compared 1,000 times.
    const { send } = await connect(store())
    const search = async (path: string, count: number, join: string) =>
      await send('POST', path, {
        schemas,
        count: 0,
        filter: Array.from({ length: count }, (_, at) => `not (id eq "${at}")`).join(join),
      })
    for (const path of ['/Users/.search', '/Groups/.search', '/.search']) {
      expect((await search(path, 1_000, ' and ')).status).toBe(200)
      for (const join of [' and ', ' or ']) {
        const answer = await search(path, 1_001, join)
        expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
      }
    }
  })

  it.each(['Users', 'Groups'])(
    '%s are found by a filter with 1,000 comparisons (RFC 7644 §3.4.2.2)',
    async (type) => {
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
      for (const count of [998, 999, 1_000]) {
        const filter = Array(count).fill(`id eq "${SEVENTH}"`).join(' and ')
        const { status, body } = await client.send('POST', `/${type}/.search`, { schemas, filter })
        expect({ status, total: body.totalResults }).toEqual({ status: 200, total: 1 })
      }
    },
  )

  it('a search for substrings over 10,000 characters in total fails with tooMany (RFC 7644 §3.12)', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const search = async (operator: string, length: number) => {
      const value = 'a'.repeat(length)
      const filter = `userName ${operator} "${value}" or emails[type ${operator} "${value}"]`
      return await client.send('POST', '/Users/.search', {
        schemas,
        filter: `id eq "x" and (${filter})`,
      })
    }
    for (const operator of ['co', 'sw', 'ew']) {
      expect((await search(operator, 5_000)).status).toBe(200)
      const answer = await search(operator, 5_001)
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
    }
    expect((await search('eq', 5_001)).status).toBe(200)
  })

  it('a user may have at most 5,000 e-mail addresses', async () => {
    const other = await connect(store())
    const emails = Array.from({ length: 5_000 }, (_, at) => ({ value: `${at}@example.com` }))
    const { status, body } = await other.send('POST', '/Users', { userName: 'many', emails })
    expect(status).toBe(201)
    const path = `/Users/${body.id}`
    expect((await other.send('PUT', path, { userName: 'many', emails })).status).toBe(200)
    const found = await other.send('GET', '/Users?filter=emails eq "4999@example.com"')
    expect(found.body.totalResults).toBe(1)
    const more = { userName: 'many', emails: [...emails, { value: 'more@example.com' }] }
    const rejected = await other.send('PUT', path, more)
    expect(rejected).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
  })

  it('more than 20,000 indexed values in a user fail with tooMany in POST and PATCH, and change nothing (RFC 7644 §3.12)', async () => {
    const { send } = await connect(store())
    const address = {
      streetAddress: 's',
      locality: 'l',
      region: 'r',
      postalCode: 'p',
      country: 'DE',
    }
    const addresses = Array.from({ length: 4_000 }, (_, at) => ({ ...address, locality: `l${at}` }))
    const most = await send('POST', '/Users', { userName: 'most', addresses })
    expect(most.status).toBe(201)
    const more = { roles: [{ value: 'one' }] }
    const rejected = { status: 400, body: { scimType: 'tooMany' } }
    expect(await send('POST', '/Users', { userName: 'more', addresses, ...more })).toMatchObject(
      rejected,
    )
    expect((await send('GET', '/Users?filter=userName eq "more"')).body.totalResults).toBe(0)
    const patched = await send('PATCH', `/Users/${most.body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', value: more }],
    })
    expect(patched).toMatchObject(rejected)
    const read = await send('GET', `/Users/${most.body.id}`)
    expect(read.headers.get('ETag')).toBe(most.headers.get('ETag'))
    expect((await send('GET', '/Users?filter=roles eq "one"')).body.totalResults).toBe(0)
  })

  describe('more than 10,000 candidates fail with tooMany and return no resource:', () => {
    it.each([
      ['Users', { filter: 'locale eq "en"' }],
      ['Users', { filter: 'locale eq "de"', cursor: '' }],
      ['Users', { filter: 'userName eq "user-7" or locale eq "en"' }],
      ['Users', { filter: 'userName sw "user" and locale eq "en"' }],
      ['Users', { sortBy: 'title' }],
      ['Users', { sortBy: 'title', cursor: '' }],
      ['Groups', { filter: 'members.$ref ew "/seven"' }],
      ['Groups', { sortBy: 'externalId' }],
    ])('%s with %o fail with tooMany (RFC 7644 §3.12)', async (type, query) => {
      const { status, body } = await list(type, query)
      expect({ status, body }).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
      expect(body).not.toHaveProperty('Resources')
    })

    it('more than 10,000 candidates fail with tooMany and return no resource in a search over all types (RFC 7644 §3.4.3)', async () => {
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
      for (const path of ['/.search', '/Users/.search']) {
        const answer = await client.send('POST', path, { schemas, filter: 'locale eq "en"' })
        expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
      }
    })
  })
}

/** Writes the rows that this many requests would have written. */
async function fill(store: Store, tenantId: string): Promise<void> {
  await store.write(async (db) => {
    for (let from = 0; from < MANY; from += 500) {
      const places = Array.from({ length: Math.min(500, MANY - from) }, (_, at) => from + at)
      await insertRows(
        db,
        'users',
        places.map((at) => userRow(tenantId, at)),
      )
      const rows = places.map((at) => groupRow(tenantId, at))
      await insertRows(db, 'groups', rows)
      await insertRows(
        db,
        'group_members',
        rows.map(({ id }) => memberRow(tenantId, id, EVERYWHERE)),
      )
    }
    const index = createValueIndex(USER.definitions, 'user_values')
    const seventh = { owner: ownerOf({ tenantId }, SEVENTH), resource: SEVENTH_VALUES }
    await execAll(db, index.insert([seventh], store.dialect.name))
    await insertRows(db, 'group_members', [
      { ...memberRow(tenantId, SEVENTH, SEVENTH), display: 'seven' },
    ])
  })
}

function userRow(tenantId: string, at: number) {
  const isSeventh = at === 7
  return {
    ...keysOf(tenantId, at),
    user_name_key: `user-${at}`,
    display_name_key: `display-${at}`,
    nick_name_key: `nick-${at}`,
    given_name_key: `given-${at}`,
    family_name_key: `family-${at}`,
    title_key: `title-${at}`,
    user_type_key: `type-${at}`,
    active: !isSeventh,
    employee_number_key: String(at),
    department_key: `sales-${at}`,
    resource: JSON.stringify({
      schemas: [USER_SCHEMA],
      id: keysOf(tenantId, at).id,
      userName: `user-${at}`,
      locale: 'en',
      ...(isSeventh ? SEVENTH_VALUES : {}),
    }),
    version: `W/"${at}"`,
  }
}

function groupRow(tenantId: string, at: number) {
  const name = `group-${at}`
  return { ...keysOf(tenantId, at), display_name: name, display_name_key: name, revision: 1 }
}

function memberRow(tenant_id: string, group_id: string, member_id: string) {
  return { tenant_id, group_id, member_id, member_type: 'User', display: null }
}

function keysOf(tenantId: string, at: number) {
  const time = at === 7 ? NOW - 1 : NOW
  const id = at === 7 ? SEVENTH : createId(NOW)
  return {
    tenant_id: tenantId,
    id,
    external_id: `external-${at}`,
    created_at: time,
    last_modified: time,
  }
}
