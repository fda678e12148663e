import { USER_SCHEMA } from '@plumbline/scim'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { prepare } from '../../../src/commands/seed/bootstrap.ts'
import { USER_STORE } from '../../../src/features/scim/user.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, sender } from '../../support/harness.ts'
import { inScope } from '../../support/in-scope.ts'
import { OTHER_TYPES } from '../../support/types.ts'

const TOKEN = 'a-token-of-the-environment'
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The attribute of each type that may have many values. */
const MANY = { Users: 'groups', Groups: 'members' }

let store: Store
let send: Client['send']
/** The kinds of access to the store since this was emptied. */
let reads: ('read' | 'scan')[] = []
beforeAll(async () => {
  const inner = await openSqlite(':memory:')
  await prepare(inner, { token: TOKEN }, Date.now())
  store = {
    ...inner,
    read: (...given) => {
      reads.push('read')
      return inner.read(...given)
    },
    scan: (...given) => {
      reads.push('scan')
      return inner.scan(...given)
    },
  }
  // The schemas of a tenant are looked up once a second, and this clock does not advance.
  const now = Date.now()
  send = sender(createDirectory({ store, token: TOKEN, now: () => now }), TOKEN)
  await send('GET', '/Users?count=0')
})
afterAll(() => store.close())

const readsOf = async (...request: Parameters<Client['send']>): Promise<readonly string[]> => {
  reads = []
  expect((await send(...request)).status).toBe(200)
  return reads
}

describe('index look-ups are not scans', () => {
  it.each([
    ['Users', 'userName eq "anna"'],
    ['Users', 'USERNAME eq "anna" and title co "x"'],
    ['Users', 'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "anna"'],
    ['Users', 'externalId eq "a"'],
    ['Users', 'id eq "a"'],
    ['Users', 'emails eq "a"'],
    ['Users', 'emails[type eq "work"].value eq "a"'],
    ['Users', 'emails[type eq "work" and value eq "a"]'],
    ['Users', 'emails[Value eq "a"]'],
    ['Users', 'EMAILS[Type eq "work" and VALUE eq "a"]'],
    ['Users', 'emails.VALUE eq "a"'],
    ['Users', 'employeeNumber eq "1"'],
    ['Users', `externalId eq "a"${' and active eq true'.repeat(9)}`],
    ['Groups', 'displayName eq "a"'],
    ['Groups', 'externalId eq "a" and not (displayName sw "b")'],
    ['Groups', 'id eq "a" and members eq "b"'],
  ] as const)('an index look-up of %s by %s is not a scan', async (type, filter) => {
    const query = `filter=${encodeURIComponent(filter)}&excludedAttributes=${MANY[type]}`
    expect(await readsOf('GET', `/${type}?${query}`)).toEqual(['read'])
    const body = { schemas: [SEARCH], filter, excludedAttributes: [MANY[type]] }
    expect(await readsOf('POST', `/${type}/.search`, body)).toEqual(['read'])
  })

  it('a look-up for a user, or for a group without members, is not a scan', async () => {
    const user = await send('POST', '/Users', { userName: 'read' })
    const group = await send('POST', '/Groups', { displayName: 'read' })
    expect(await readsOf('GET', `/Users/${user.body.id}`)).toEqual(['read'])
    const path = `/Groups/${group.body.id}`
    expect(await readsOf('GET', `${path}?excludedAttributes=members`)).toEqual(['read'])
  })
})

it('a look-up for a value with more than 1,000 users runs again as a scan', async () => {
  const tenantId = 'default'
  await inScope(store, tenantId, (scope) =>
    USER_STORE.insert(
      scope,
      Array.from({ length: 1_001 }, (_, at) => ({
        id: `shared-${at}`,
        at: 0,
        resource: {
          schemas: [USER_SCHEMA],
          userName: `shared-${at}`,
          // One user has another address.
          emails: [{ value: 'shared@example.com' }, { value: at === 0 ? 'a@b' : 'b@b' }],
        },
      })),
    ),
  )
  const path = '/Users?excludedAttributes=groups&count=1&filter='
  expect(await readsOf('GET', `${path}emails eq "shared@example.com"`)).toEqual(['read', 'scan'])
  expect(await readsOf('GET', `${path}emails eq "a@b"`)).toEqual(['read'])
  const both = 'emails eq "shared@example.com" and emails eq "a@b"'
  expect(await readsOf('GET', `${path}${both}`)).toEqual(['read'])
  const either = 'emails eq "shared@example.com" or title co "x"'
  expect(await readsOf('GET', `${path}${either}`)).toEqual(['scan'])
  const { body } = await send('GET', `${path}emails eq "b@b"`)
  expect(body).toMatchObject({ totalResults: 1_000, itemsPerPage: 1 })
})

describe('requests that may read many rows are scans', () => {
  it.each([
    ['Users', ''],
    ['Users', 'userName co "anna"'],
    ['Users', 'userName sw "anna"'],
    ['Users', 'userName ne "anna"'],
    ['Users', 'not (userName eq "anna")'],
    ['Users', 'userName eq "anna" or title co "x"'],
    ['Users', 'active eq true'],
    ['Users', 'displayName eq "a"'],
    ['Users', 'name.familyName eq "a"'],
    ['Users', 'emails.type eq "work"'],
    ['Users', 'emails co "a"'],
    ['Users', 'locale eq "id"'],
    // More than 10 comparisons.
    ['Users', `externalId eq "a"${' and active eq true'.repeat(10)}`],
    ['Groups', ''],
    ['Groups', 'displayName sw "a"'],
    ['Groups', 'members eq "a"'],
  ] as const)('a request for %s by %s is a scan', async (type, filter) => {
    const query = filter === '' ? '' : `filter=${encodeURIComponent(filter)}&`
    const path = `/${type}?${query}excludedAttributes=${MANY[type]}`
    expect(await readsOf('GET', path)).toEqual(['scan'])
    expect(await readsOf('GET', `${path}&cursor`)).toEqual(['scan'])
    const body = { schemas: [SEARCH], ...(filter === '' ? {} : { filter }) }
    expect(await readsOf('POST', `/${type}/.search`, body)).toEqual(['scan'])
  })

  it('a search over all types is a scan, for the groups', async () => {
    const body = { schemas: [SEARCH], filter: 'id eq "a"' }
    // The users are a look-up. The groups are shown with their members.
    const others = OTHER_TYPES.map(() => 'read')
    expect(await readsOf('POST', '/.search', body)).toEqual(['read', 'scan', ...others])
  })

  it('a group with its members is read in a scan', async () => {
    const { body } = await send('POST', '/Groups', { displayName: 'with members' })
    const path = `/Groups/${body.id}`
    expect(await readsOf('GET', path)).toEqual(['scan'])
    expect(await readsOf('GET', '/Groups?filter=displayName eq "a"')).toEqual(['scan'])
    const patch = {
      schemas: [PATCH_OP],
      Operations: [{ op: 'replace', path: 'displayName', value: 'b' }],
    }
    expect(await readsOf('PATCH', `${path}?attributes=members`, patch)).toEqual(['scan'])
  })
})
