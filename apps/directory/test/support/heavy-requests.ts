import {
  BULK_REQUEST_SCHEMA,
  PATCH_OP_SCHEMA,
  SEARCH_REQUEST_SCHEMA,
  USER_SCHEMA,
} from '@plumbline/scim'
import { chunkRows } from '@plumbline/scim/internal'
import { seedScope } from '../../src/commands/seed/seed-scope.ts'
import { contentOf } from '../../src/features/changes/change-row.ts'
import { readFeed } from '../../src/features/changes/feed.ts'
import { type Recorded, recordChanges } from '../../src/features/connections/record-changes.ts'
import { GROUP_STORE } from '../../src/features/scim/group.ts'
import { USER_STORE } from '../../src/features/scim/user.ts'
import { writeCursor } from '../../src/kernel/store/cursor.ts'
import { insertRows } from '../../src/kernel/store/database.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { nestGroups } from '../contract/filled.ts'

/** A request that costs much. */
export interface HeavyRequest {
  readonly method: string
  /** A path of the server. */
  readonly path: string
  /** The Content-Type of the body; that of SCIM by default. */
  readonly type?: string
  /** `UNIQUE` in it is replaced with a value of its own each time. */
  readonly body?: string
  /** The sender; the tenant's client by default. */
  readonly by?: 'client' | 'administrator' | 'anyone'
  /** After how many events of a stream the client hangs up; a request whose answer ends by default. */
  readonly events?: number
  /** How often it is sent over one connection without waiting for an answer; 1 by default. */
  readonly pipelined?: number
}

/** A heavy request, made for the hostile tenant. */
export interface HeavyCase {
  readonly title: string
  /** The statuses of its answers. */
  readonly statuses: readonly number[]
  /** Whether its answers do not need the database, so that one kind is enough; false by default. */
  readonly isWithoutDatabase?: boolean
  readonly request: (ids: HostileIds) => HeavyRequest
}

/** The resources of the hostile tenant. */
export interface HostileIds {
  readonly tenantId: string
  /** A user in 2,800 nested groups. */
  readonly nested: string
  /** A user in 5,000 groups. */
  readonly grouped: string
  /** Another user. */
  readonly user: string
  /** A group of 5,000 members. */
  readonly group: string
  /** The cursor before the first change. */
  readonly oldest: string
}

/** Fills the hostile tenant. */
export async function fillHostile(store: Store, tenantId: string): Promise<HostileIds> {
  const insertUsers = (users: readonly Record<string, unknown>[]) =>
    store.write(async (db) => {
      const stored = users.map((resource, at) => ({
        id: `user-${resource.userName}`,
        at,
        resource,
      }))
      await USER_STORE.insert(seedScope(db, store, tenantId), stored)
      return stored.map(({ id }) => id)
    })
  const [nested = '', grouped = '', user = ''] = await insertUsers(
    ['nested', 'grouped', 'other'].map((userName) => ({ schemas: [USER_SCHEMA], userName })),
  )
  await nestGroups(store, tenantId, { count: 2_800, memberIds: [nested] })
  const insertGroups = (ids: readonly string[], memberIds: readonly string[]) =>
    store.write(async (db) => {
      for (const id of ids) {
        const resource = { displayName: `group ${id}` }
        await GROUP_STORE.insert(seedScope(db, store, tenantId), { id, at: 0, resource })
      }
      const about = { tenant_id: tenantId, member_type: 'User', display: 'a name' }
      const rows = ids.flatMap((group_id) =>
        memberIds.map((member_id) => ({ ...about, group_id, member_id })),
      )
      for (const some of chunkRows(rows)) await insertRows(db, 'group_members', some)
    })
  await insertGroups(numbered('of', 5_000), [grouped])
  await insertGroups(['group'], numbered('member', 5_000))
  const large = numbered('large', 6).map((userName) => ({
    schemas: [USER_SCHEMA],
    userName,
    title: 'large',
    profileUrl: `https://${'x'.repeat(1_000_000)}`,
  }))
  await insertUsers(large)
  await store.write(async (db) => {
    for (let at = 0; at < CHANGES; at += 1) await recordChanges(db, memberChange(tenantId))
  })
  const oldest = await store.read(async (db) => writeCursor(await readFeed(db, tenantId), 0))
  return { tenantId, nested, grouped, user, group: 'group', oldest }
}

/** A change of a group with 500 members, which has about 6 KB of JSON. */
export function memberChange(tenantId: string): Recorded {
  const now = Date.now()
  const time = new Date(now).toISOString()
  const added = numbered('member', 500)
  const change = {
    type: 'group.members',
    resourceType: 'Group',
    id: 'group',
    requestId: 'a',
    time,
  } as const
  const contents = contentOf(
    { ...change, externalId: null, added, removed: [] },
    { before: null, nameAttribute: 'displayName' },
  )
  return { tenantId, tokenId: null, requestId: 'a', now, contents, left: [] }
}

/** The heavy requests: each costs as much as its limits allow. */
export const HEAVY_REQUESTS: readonly HeavyCase[] = [
  {
    title: 'a form of 200,000 names for an access token, without credentials',
    // The server closes the connection without reading the body, often before the client reads the answer.
    statuses: [413, 0],
    request: () => ({
      method: 'POST',
      path: '/scim/oauth/token',
      by: 'anyone',
      type: 'application/x-www-form-urlencoded',
      body: Array.from({ length: 200_000 }, (_, at) => at.toString(36)).join('&'),
    }),
  },
  {
    title: 'a POST of a user with 80,000 unknown attributes',
    statuses: [400],
    request: () => post('/Users', { schemas: [USER_SCHEMA], userName: 'x', ...unknown(80_000) }),
  },
  {
    title: 'a PUT of a user with 4,990 addresses of 4 parts',
    statuses: [200],
    request: ({ user }) => ({ ...put(`/Users/${user}`, manyAddresses(4_990)) }),
  },
  {
    title: 'a PUT of a user with 4,990 new addresses of 4 parts',
    statuses: [200],
    request: ({ user }) => ({ ...put(`/Users/${user}`, manyAddresses(4_990, 'UNIQUE')) }),
  },
  {
    title: 'a POST of a user with 4,990 e-mails and 4,990 roles',
    statuses: [201],
    request: () => post('/Users', manyEmails(4_990)),
  },
  {
    title: 'a PATCH that replaces 4,990 addresses of 4 parts',
    statuses: [200, 400],
    request: ({ user }) =>
      patch(`/Users/${user}`, [
        { op: 'replace', path: 'addresses', value: manyAddresses(4_990).addresses },
      ]),
  },
  {
    title: 'a PATCH without a path of 80,000 unknown names',
    statuses: [400],
    request: ({ user }) => patch(`/Users/${user}`, [{ op: 'add', value: unknown(80_000) }]),
  },
  {
    title: 'a PATCH of a name with 80,000 unknown parts',
    statuses: [400],
    request: ({ user }) =>
      patch(`/Users/${user}`, [{ op: 'add', path: 'name', value: unknown(80_000) }]),
  },
  {
    title: 'a PATCH body with 80,000 unknown members',
    statuses: [400],
    request: ({ user }) => ({
      method: 'PATCH',
      path: `/scim/v2/Users/${user}`,
      body: JSON.stringify({ schemas: [PATCH_OP_SCHEMA], Operations: [], ...unknown(80_000) }),
    }),
  },
  {
    title: 'a bulk request of 80 users with 950 unknown attributes each',
    statuses: [200],
    request: () =>
      bulk(80, (at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `${at}`,
        data: { schemas: [USER_SCHEMA], ...unknown(950) },
      })),
  },
  {
    title: 'a GET of a user in 2,800 nested groups',
    statuses: [200, 400, 503],
    request: ({ nested }) => ({ method: 'GET', path: `/scim/v2/Users/${nested}` }),
  },
  {
    title: 'a GET of a user in 5,000 groups',
    statuses: [200],
    request: ({ grouped }) => ({ method: 'GET', path: `/scim/v2/Users/${grouped}` }),
  },
  {
    title: 'a PATCH of the title of a user in 2,800 nested groups',
    statuses: [200, 400, 503],
    request: ({ nested }) => patch(`/Users/${nested}`, [{ op: 'add', path: 'title', value: 'x' }]),
  },
  {
    title: 'a page of users in many groups',
    statuses: [200, 400, 503],
    request: () => ({ method: 'GET', path: '/scim/v2/Users?count=1000' }),
  },
  {
    title: 'a page of six users of 1 MB',
    statuses: [200, 503],
    request: () => ({ method: 'GET', path: '/scim/v2/Users?filter=title%20eq%20%22large%22' }),
  },
  {
    title: 'a sorted page of six users of 1 MB',
    statuses: [200, 503],
    request: () => ({
      method: 'GET',
      path: '/scim/v2/Users?filter=title%20eq%20%22large%22&sortBy=profileUrl',
    }),
  },
  {
    title: 'a bulk request of 100 value paths on a group of 5,000 members',
    statuses: [200, 503],
    request: ({ group }) =>
      bulk(100, () => ({
        method: 'PATCH',
        path: `/Groups/${group}`,
        data: {
          schemas: [PATCH_OP_SCHEMA],
          Operations: [
            { op: 'replace', path: 'members[display co "zzzz"].display', value: 'none' },
          ],
        },
      })),
  },
  {
    title: 'a search with 80,000 unknown members',
    statuses: [400],
    request: () => post('/Users/.search', { schemas: [SEARCH_REQUEST_SCHEMA], ...unknown(80_000) }),
  },
  {
    title: 'a stream of old changes with 500 members each',
    statuses: [200, 503],
    request: ({ tenantId, oldest }) => ({
      method: 'GET',
      path: `/api/tenants/${tenantId}/changes/live?after=${oldest}`,
      by: 'administrator',
      events: CHANGES,
    }),
  },
  {
    title: 'a page of 1,000 changes with 500 members each',
    statuses: [200],
    request: ({ tenantId }) => ({
      method: 'GET',
      path: `/api/tenants/${tenantId}/changes?count=1000`,
      by: 'administrator',
    }),
  },
  {
    title: '3,000 pipelined health checks, without credentials',
    isWithoutDatabase: true,
    statuses: [200],
    request: () => ({ method: 'GET', path: '/api/health', by: 'anyone', pipelined: 3_000 }),
  },
]

function post(path: string, body: object): HeavyRequest {
  return { method: 'POST', path: `/scim/v2${path}`, body: JSON.stringify(body) }
}

function put(path: string, body: object): HeavyRequest {
  return { method: 'PUT', path: `/scim/v2${path}`, body: JSON.stringify(body) }
}

function patch(path: string, Operations: readonly object[]): HeavyRequest {
  const body = JSON.stringify({ schemas: [PATCH_OP_SCHEMA], Operations })
  return { method: 'PATCH', path: `/scim/v2${path}`, body }
}

function bulk(count: number, operation: (at: number) => object): HeavyRequest {
  const Operations = Array.from({ length: count }, (_, at) => operation(at))
  return post('/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
}

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at}`)
}

function unknown(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))
}

function manyEmails(count: number) {
  const emails = Array.from({ length: count }, (_, at) => ({ value: `${at}@UNIQUE.example` }))
  const roles = Array.from({ length: count }, (_, at) => ({ value: `role ${at} UNIQUE` }))
  return { schemas: [USER_SCHEMA], userName: 'UNIQUE', emails, roles }
}

function manyAddresses(count: number, locality = 'a') {
  const addresses = Array.from({ length: count }, (_, at) => ({
    streetAddress: `${at}`,
    locality,
    region: 'b',
    type: 'work',
  }))
  return { schemas: [USER_SCHEMA], userName: 'other', addresses }
}

/** How many changes of 500 members the tenant's feed has: about 10 MB. */
const CHANGES = 200
