import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Answer, Client } from '../support/harness.ts'

/** Strings with a meaning in SQL, in patterns, in JSON or in JavaScript, but not in SCIM. */
export const TEXTS: readonly string[] = [
  "' or '1'='1",
  "' or 1=1 --",
  "anna' --",
  "anna'/*",
  '" or ""="',
  '" or userName pr or "" eq "',
  "'; drop table users; --",
  '"; drop table users; --',
  "'); delete from users where (1=1",
  "' union select hash from tokens --",
  "'||(select user_name_key from users limit 1)||'",
  "'; select pg_sleep(60); --",
  "'; attach database 'file:///x' as x; --",
  '1 or 1=1',
  '1; drop table users',
  '%',
  '_',
  '%%',
  '_nn_',
  'ann%',
  "%' or tenant_id like '%",
  '\\',
  "\\' or 1=1 --",
  '\\%',
  '$1',
  '?',
  '?1',
  ':id',
  '@id',
  '`users`',
  '[users]',
  '*',
  '.*',
  '(',
  'anna\0',
  '\0',
  '\u02bc or 1=1',
  '\uff07 or 1=1',
  '\ud800',
  '\u202eanna',
  '__proto__',
  'constructor',
  'toString',
  '{"$ne":null}',
  '[object Object]',
  'null',
  'x'.repeat(3_000),
]

/** Filters that name something other than an attribute, or contain more than one filter. */
export const FILTERS: readonly string[] = [
  "userName eq 'anna'",
  'userName eq "x" or 1=1',
  'userName eq "x" or 1 eq 1',
  'userName eq "x"; drop table users',
  'userName eq "x" --',
  'userName eq "x" /* " */',
  'userName eq "x" union select * from users',
  'userName eq "x") or (userName pr',
  'userName like "%"',
  'userName = "anna"',
  'userName eq userName',
  'userName eq (select "anna")',
  '"anna" eq "anna"',
  '1 eq 1',
  'true',
  'tenant_id pr',
  'tenant_id eq "victim"',
  'user_name_key eq "anna"',
  'users.userName pr',
  'resource co "anna"',
  'hash pr',
  'revision gt 0',
  'rowid gt 0',
  'ctid pr',
  '__proto__ pr',
  'constructor pr',
  'constructor.name eq "Object"',
  'userName.length gt 0',
  'name.__proto__ pr',
  'emails[tenant_id pr]',
  'emails[value pr] or tenant_id pr',
]

/** A place in a request that contains a string from the client. */
export interface Place {
  readonly name: string
  readonly send: (client: Client, text: string, own: Own) => Promise<Answer>
  /** The accepted statuses; with a 200 the response must not contain a resource. */
  readonly statuses: readonly number[]
}

/** Resources of the attacker's own tenant. */
export interface Own {
  readonly user: string
  readonly group: string
}

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const SEARCH_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

const filterPlaces = [
  'userName',
  'id',
  'externalId',
  'displayName',
  'title',
  'locale',
  'name.familyName',
  'emails',
  'emails.value',
  'groups.value',
  `${ENTERPRISE_USER_SCHEMA}:employeeNumber`,
].flatMap((attribute) =>
  ['eq', 'co', 'sw', 'ew'].map((operator): Place => {
    const filterOf = (text: string) => `${attribute} ${operator} ${JSON.stringify(text)}`
    return {
      name: `the filter ${attribute} ${operator}`,
      send: ({ send }, text) =>
        send('POST', '/Users/.search', { schemas: [SEARCH_REQUEST], filter: filterOf(text) }),
      statuses: [200],
    }
  }),
)

const groupFilterPlaces = ['displayName eq', 'externalId eq', 'members eq', 'members.value co'].map(
  (start): Place => ({
    name: `the filter ${start} of groups`,
    send: ({ send }, text) =>
      send('GET', `/Groups?filter=${encode(`${start} ${JSON.stringify(text)}`)}`),
    statuses: [200],
  }),
)

const parameterPlaces = ['sortBy', 'startIndex', 'count', 'filter'].map(
  (name): Place => ({
    name: `the parameter ${name}`,
    send: ({ send }, text) => send('GET', `/Users?${name}=${encode(text)}`),
    statuses: [400],
  }),
)

/** An unknown name is ignored. A string that is not a name is rejected. */
const projectionPlaces = ['attributes', 'excludedAttributes'].map(
  (name): Place => ({
    name: `the parameter ${name}`,
    send: ({ send }, text) => send('GET', `/Users?count=0&${name}=${encode(text)}`),
    statuses: [200, 400],
  }),
)

const idPlaces = ['Users', 'Groups'].flatMap((type) =>
  (['GET', 'PUT', 'PATCH', 'DELETE'] as const).map(
    (method): Place => ({
      name: `the id of ${method} /${type}`,
      send: ({ send }, text) => send(method, `/${type}/${encode(text)}`, bodyOf(method)),
      statuses: [404],
    }),
  ),
)

/** All places; each is tested with every string. */
export const PLACES: readonly Place[] = [
  ...filterPlaces,
  ...groupFilterPlaces,
  ...parameterPlaces,
  ...projectionPlaces,
  ...idPlaces,
  {
    name: 'the order of a sort',
    send: ({ send }, text) =>
      send('GET', `/Users?count=0&sortBy=userName&sortOrder=${encode(text)}`),
    statuses: [200, 400],
  },
  {
    name: 'a value path in a filter',
    send: ({ send }, text) => {
      const filter = `emails[type eq "work" and value eq ${JSON.stringify(text)}]`
      return send('POST', '/.search', { schemas: [SEARCH_REQUEST], filter })
    },
    statuses: [200, 400],
  },
  {
    name: 'the path of a PATCH',
    send: ({ send }, text, { user }) =>
      send('PATCH', `/Users/${user}`, patch({ op: 'replace', path: text, value: 'x' })),
    statuses: [400],
  },
  {
    name: 'an attribute name in the value of a PATCH',
    send: ({ send }, text, { user }) =>
      send('PATCH', `/Users/${user}`, patch({ op: 'add', value: { [text]: 'x' } })),
    statuses: [400],
  },
  {
    name: 'the operation of a PATCH',
    send: ({ send }, text, { user }) =>
      send('PATCH', `/Users/${user}`, patch({ op: text, path: 'title', value: 'x' })),
    statuses: [400],
  },
  {
    name: 'a member that is added',
    send: ({ send }, text, { group }) =>
      send(
        'PATCH',
        `/Groups/${group}`,
        patch({ op: 'add', path: 'members', value: [{ value: text }] }),
      ),
    statuses: [400],
  },
  {
    name: 'a member that is removed',
    send: ({ send }, text, { group }) => {
      const path = `members[value eq ${JSON.stringify(text)}]`
      return send('PATCH', `/Groups/${group}`, patch({ op: 'remove', path }))
    },
    statuses: [400],
  },
  {
    name: 'a member of a new group',
    send: ({ send }, text) =>
      send('POST', '/Groups', { displayName: 'new', members: [{ value: text }] }),
    statuses: [400],
  },
  {
    name: 'the version in If-Match',
    send: ({ send }, text, { user }) =>
      send('DELETE', `/Users/${user}`, undefined, { 'If-Match': headerOf(`W/"${text}"`) }),
    statuses: [412],
  },
  {
    name: 'a path in a bulk request',
    send: ({ send }, text) =>
      send('POST', '/Bulk', {
        schemas: [BULK_REQUEST],
        failOnErrors: 1,
        Operations: [{ method: 'DELETE', path: `/Users/${encode(text)}` }],
      }),
    statuses: [200, 400],
  },
  {
    name: 'a bearer token',
    send: ({ send }, text) =>
      send('GET', '/Users', undefined, { Authorization: `Bearer ${headerOf(text)}` }),
    statuses: [401],
  },
  {
    name: 'the id of a bearer token',
    send: ({ send, token }, text) => {
      const secret = token.split('.')[1] ?? ''
      const Authorization = `Bearer ${headerOf(text)}.${secret}`
      return send('GET', '/Users', undefined, { Authorization })
    },
    statuses: [401],
  },
  {
    name: 'the id of a token to revoke',
    send: ({ send }, text) => send('DELETE', `/api/tokens/${encode(text)}`),
    statuses: [404, 422],
  },
  {
    name: 'the tenant whose tokens are listed',
    send: ({ send }, text) => send('GET', `/api/tokens?tenantId=${encode(text)}`),
    statuses: [200, 422],
  },
  {
    name: 'the id of a new tenant',
    send: ({ send }, text) => send('POST', '/api/tenants', { id: text.toUpperCase(), name: 'x' }),
    statuses: [422],
  },
]

function patch(operation: object): object {
  return { schemas: [PATCH_OP], Operations: [operation] }
}

function bodyOf(method: string): object | undefined {
  if (method === 'PUT') return { userName: 'changed', displayName: 'changed' }
  if (method !== 'PATCH') return undefined
  return patch({ op: 'replace', path: 'displayName', value: 'changed' })
}

/** Encodes a string as a header value: bytes, without line feeds and zeros. */
function headerOf(text: string): string {
  return text.replaceAll('\0', '%00').replace(/[^\x20-\x7e]/g, '?')
}
