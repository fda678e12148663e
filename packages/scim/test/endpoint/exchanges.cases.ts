import { BULK_REQUEST_SCHEMA, SEARCH_REQUEST_SCHEMA } from '../../src/lib/constants.ts'
import { patchOf } from './serve.ts'

/** A request, and the parts of its response. `{id}` is the id of the user `bjensen`. */
export interface ExchangeCase {
  readonly section: string
  readonly title: string
  readonly send: readonly [
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ]
  readonly status: number
  /** Members of the body, as `toMatchObject` compares them. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

const search = { schemas: [SEARCH_REQUEST_SCHEMA] }

export const EXCHANGES: readonly ExchangeCase[] = [
  {
    section: 'RFC 7644 §3.12',
    title: 'an unknown path',
    send: ['GET', '/Nothing'],
    status: 404,
    body: {
      status: '404',
      detail: 'no endpoint at /scim/v2/Nothing: this server expects paths such as /scim/v2/Users',
    },
  },
  {
    section: 'RFC 7644 §4',
    title: 'an unknown schema',
    send: ['GET', '/Schemas/urn:x'],
    status: 404,
    body: { status: '404', detail: 'schema urn:x not found' },
  },
  {
    section: 'RFC 7644 §4',
    title: 'an unknown resource type',
    send: ['GET', '/ResourceTypes/Device'],
    status: 404,
    body: { status: '404', detail: 'resource type Device not found' },
  },
  {
    section: 'RFC 7644 §3.2',
    title: 'the path of the endpoint itself',
    send: ['GET', ''],
    status: 404,
  },
  {
    section: 'RFC 7644 §3.2',
    title: 'a path below a resource',
    send: ['GET', '/Users/a/b'],
    status: 404,
  },
  {
    section: 'RFC 3986 §2.1',
    title: 'an id with a percent sign that is not an escape',
    send: ['GET', '/Users/%zz'],
    status: 404,
  },
  {
    section: 'RFC 3986 §2.1',
    title: 'an id with U+0000',
    send: ['GET', '/Users/%00'],
    status: 404,
    body: {
      detail: 'no endpoint at /scim/v2/Users/%00: this server expects paths such as /scim/v2/Users',
    },
  },
  {
    section: 'RFC 9110 §15.5.6',
    title: 'a method that a list does not support',
    send: ['PUT', '/Users', {}],
    status: 405,
    headers: { Allow: 'GET, HEAD, POST' },
    body: { detail: 'this endpoint supports only GET, HEAD, POST' },
  },
  {
    section: 'RFC 9110 §15.5.6',
    title: 'a method that a resource does not support',
    send: ['POST', '/Users/{id}', {}],
    status: 405,
    headers: { Allow: 'GET, HEAD, PUT, PATCH, DELETE' },
  },
  {
    section: 'RFC 9110 §15.5.6',
    title: 'OPTIONS of a discovery document',
    send: ['OPTIONS', '/Schemas'],
    status: 405,
    headers: { Allow: 'GET, HEAD' },
  },
  {
    section: 'RFC 9110 §11.6.1',
    title: 'a client that is not authenticated',
    send: ['GET', '/Users', undefined, { Authorization: '' }],
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
    body: { status: '401' },
  },
  {
    section: 'RFC 7644 §3.1',
    title: 'a body of another media type',
    send: ['POST', '/Users', 'a=b', { 'Content-Type': 'text/plain' }],
    status: 415,
  },
  {
    section: 'RFC 7644 §3.12',
    title: 'a body that is not JSON',
    send: ['POST', '/Users', '{'],
    status: 400,
    body: { scimType: 'invalidSyntax' },
  },
  {
    section: 'RFC 7644 §3.12',
    title: 'a body of more than 1 MiB',
    send: ['POST', '/Users', { userName: 'a'.repeat(2 ** 20) }],
    status: 413,
  },
  {
    section: 'RFC 7643 §4.1.1',
    title: 'a user without a userName',
    send: ['POST', '/Users', { title: 'x' }],
    status: 400,
    body: { scimType: 'invalidValue', detail: 'userName is required' },
  },
  {
    section: 'RFC 7644 §3.3',
    title: 'a userName that differs only in letter case from that of another user',
    send: ['POST', '/Users', { userName: 'BJENSEN' }],
    status: 409,
    body: { scimType: 'uniqueness' },
  },
  {
    section: 'RFC 7644 §3.9',
    title: 'a resource with the attributes that the client names',
    send: ['GET', '/Users/{id}?attributes=name.givenName'],
    status: 200,
    body: { name: { givenName: 'Barbara' } },
  },
  {
    section: 'RFC 9110 §9.3.2',
    title: 'HEAD of a resource',
    send: ['HEAD', '/Users/{id}'],
    status: 200,
    headers: { 'Content-Type': 'application/scim+json' },
  },
  {
    section: 'RFC 3986 §6.2.3',
    title: 'a path with a trailing slash',
    send: ['GET', '/Users/?count=0'],
    status: 200,
    body: { totalResults: 2, itemsPerPage: 0 },
  },
  {
    section: 'RFC 7644 §3.4.2.2',
    title: 'a filter that is not valid',
    send: ['GET', '/Users?filter=userName eq'],
    status: 400,
    body: { scimType: 'invalidFilter' },
  },
  {
    section: 'RFC 7644 §3.4.2.2',
    title: 'a filter with a value of another type',
    send: ['GET', '/Users?filter=active gt true'],
    status: 400,
    body: { scimType: 'invalidFilter' },
  },
  {
    section: 'RFC 7643 §7',
    title: 'a filter by an attribute that is never returned',
    send: ['GET', '/Users?filter=password sw "s"'],
    status: 400,
    body: { scimType: 'invalidFilter' },
  },
  {
    section: 'RFC 7644 §3.4.2.3',
    title: 'an order by an attribute that is never returned',
    send: ['GET', '/Users?sortBy=password'],
    status: 400,
  },
  {
    section: 'RFC 9865 §2.1',
    title: 'a cursor that the endpoint did not issue',
    send: ['GET', '/Users?cursor=x'],
    status: 400,
    body: { scimType: 'invalidCursor' },
  },
  {
    section: 'RFC 7644 §3.4.3',
    title: 'a search of one type',
    send: ['POST', '/Users/.search', { ...search, filter: 'name.givenName eq "barbara"' }],
    status: 200,
    body: { totalResults: 1, Resources: [{ userName: 'bjensen' }] },
  },
  {
    section: 'RFC 7644 §3.4.3',
    title: 'a search of all types, which continues with the next type',
    send: ['POST', '/.search', { ...search, startIndex: 2, count: 2 }],
    status: 200,
    body: {
      totalResults: 3,
      itemsPerPage: 2,
      startIndex: 2,
      Resources: [{ userName: 'ajones' }, { displayName: 'Guides' }],
    },
  },
  {
    section: 'RFC 7644 §3.4.3',
    title: 'a search of all types by an attribute of one of them',
    send: ['POST', '/.search', { ...search, filter: 'userName pr' }],
    status: 200,
    body: { totalResults: 2 },
  },
  {
    section: 'RFC 7644 §3.4.2.1',
    title: 'a search of all types by an attribute that groups do not have',
    send: [
      'POST',
      '/.search',
      { ...search, filter: 'userName eq "ajones" or displayName eq "Guides"' },
    ],
    status: 200,
    body: { totalResults: 2, Resources: [{ userName: 'ajones' }, { displayName: 'Guides' }] },
  },
  {
    section: 'RFC 7644 §3.4.2.1',
    title: 'a search of all types by a negated attribute that groups do not have',
    send: ['POST', '/.search', { ...search, filter: 'not (userName pr)' }],
    status: 200,
    body: { totalResults: 1, Resources: [{ displayName: 'Guides' }] },
  },
  {
    section: 'RFC 7644 §3.4.2.2',
    title: 'a search of all types with a comparison that the only type with the attribute rejects',
    send: ['POST', '/.search', { ...search, filter: 'active gt true' }],
    status: 400,
    body: { scimType: 'invalidFilter' },
  },
  {
    section: 'RFC 7644 §3.4.2.2',
    title: 'a search of all types with the negation of such a comparison',
    send: ['POST', '/.search', { ...search, filter: 'not (active gt true)' }],
    status: 400,
    body: { scimType: 'invalidFilter' },
  },
  {
    section: 'RFC 7644 §3.4.2.2',
    title: 'a search of all types with a comparison that one type rejects and one answers',
    send: ['POST', '/.search', { ...search, filter: 'active gt true or displayName eq "Guides"' }],
    status: 200,
    body: { totalResults: 1, Resources: [{ displayName: 'Guides' }] },
  },
  {
    section: 'RFC 7644 §3.4.3',
    title: 'a search of all types with an order',
    send: ['POST', '/.search', { ...search, sortBy: 'id' }],
    status: 400,
    body: {
      scimType: 'invalidValue',
      detail: 'sortBy requires a search of one resource type',
    },
  },
  {
    section: 'RFC 7644 §3.5.2',
    title: 'a PATCH without an effect keeps the version',
    send: ['PATCH', '/Users/{id}', patchOf({ op: 'add', path: 'userName', value: 'bjensen' })],
    status: 200,
    body: { meta: { version: 'W/"1-{groups}"' } },
  },
  {
    section: 'RFC 7644 §3.5.2.1',
    title: 'a PATCH of an unknown attribute of the standard profile',
    send: ['PATCH', '/Users/{id}', patchOf({ op: 'add', path: 'color', value: 'red' })],
    status: 400,
    body: { scimType: 'invalidPath' },
  },
  {
    section: 'RFC 7644 §3.5.2.2',
    title: 'a PATCH that removes the userName',
    send: ['PATCH', '/Users/{id}', patchOf({ op: 'remove', path: 'userName' })],
    status: 400,
    body: { scimType: 'mutability' },
  },
  {
    section: 'RFC 7644 §3.5.1',
    title: 'a PUT ignores the read-only attributes',
    send: ['PUT', '/Users/{id}', { userName: 'bjensen', id: 'x', groups: [], meta: 1 }],
    status: 200,
    body: { groups: [{ display: 'Guides' }] },
  },
  {
    section: 'RFC 7644 §3.7',
    title: 'a bulk request, each operation with its own result',
    send: [
      'POST',
      '/Bulk',
      {
        schemas: [BULK_REQUEST_SCHEMA],
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'new' } },
          { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'NEW' } },
          { method: 'PUT', path: '/Users/unknown', data: { userName: 'x' } },
          { method: 'DELETE', path: '/Users/{id}', version: 'W/"7"' },
          { method: 'DELETE', path: '/Schemas/x' },
          { method: 'POST', path: '/Users/.search', bulkId: 'c', data: search },
        ],
      },
    ],
    status: 200,
    body: {
      Operations: [
        { bulkId: 'a', status: '201', version: 'W/"1"' },
        { bulkId: 'b', status: '409', response: { scimType: 'uniqueness' } },
        { status: '404', response: { detail: 'user unknown not found' } },
        { status: '412', response: { status: '412' } },
        {
          status: '404',
          response: {
            detail: 'no endpoint at /Schemas/x: this server expects paths such as /Users',
          },
        },
        {
          status: '404',
          response: {
            detail: 'no endpoint at /Users/.search: this server expects paths such as /Users',
          },
        },
      ],
    },
  },
  {
    section: 'RFC 7644 §3.7.4',
    title: 'a bulk request with too many operations',
    send: [
      'POST',
      '/Bulk',
      {
        schemas: [BULK_REQUEST_SCHEMA],
        Operations: Array(1_001).fill({ method: 'DELETE', path: '/Users/1' }),
      },
    ],
    status: 413,
  },
  {
    section: 'RFC 7644 §3.11',
    title: '/Me, which this endpoint does not support',
    send: ['GET', '/Me'],
    status: 501,
    body: { detail: 'this endpoint does not support /Me' },
  },
  {
    section: 'RFC 7643 §5',
    title: 'the features of the endpoint',
    send: ['GET', '/ServiceProviderConfig'],
    status: 200,
    body: {
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1_000, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 1_000 },
      sort: { supported: true },
      etag: { supported: true },
      pagination: { cursor: true, index: true, defaultPaginationMethod: 'index' },
      changePassword: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
      meta: { location: 'https://example.com/scim/v2/ServiceProviderConfig' },
    },
  },
  {
    section: 'RFC 7643 §6',
    title: 'a resource type in any letter case',
    send: ['GET', '/ResourceTypes/user'],
    status: 200,
    body: {
      id: 'User',
      endpoint: '/Users',
      schemaExtensions: [{ required: false }],
      meta: { location: 'https://example.com/scim/v2/ResourceTypes/User' },
    },
  },
  {
    section: 'RFC 7643 §7',
    title: 'the list of schemas',
    send: ['GET', '/Schemas'],
    status: 200,
    body: { totalResults: 3 },
  },
  {
    section: 'RFC 7643 §7',
    title: 'an unknown schema',
    send: ['GET', '/Schemas/urn:no:such'],
    status: 404,
  },
  ...['/Schemas', '/ResourceTypes/User', '/ServiceProviderConfig'].map((path) => ({
    section: 'RFC 7644 §4',
    title: `a filter on ${path}`,
    send: ['GET', `${path}?filter=id+pr`] as const,
    status: 403,
    body: { detail: 'this endpoint does not support filters' },
  })),
]
