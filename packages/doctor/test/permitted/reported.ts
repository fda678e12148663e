import { answers, receives, replies } from '../fault.ts'
import { all, configures, declaresAs, errorOf, rejects, type Variant } from './variant.ts'

const LISTS = ['/Users', '/Groups', '/Devices']

/** Behaviors that checks once took for faults. */
export const REPORTED: readonly Variant[] = [
  {
    name: 'operators other than eq and pr are answered by 400 invalidFilter',
    section: 'RFC 7644 §3.12',
    topics: ['filters', 'value-paths', 'sorting', 'search'],
    change: declines(/ (gt|ge|lt|le|co|ew|ne) |\bnot ?\(| or |\)/i),
  },
  {
    name: 'brackets in a filter are answered by 400 invalidFilter',
    section: 'RFC 7644 §3.4.2.2',
    topics: ['filters', 'value-paths'],
    change: declines(/\[/),
  },
  {
    name: 'a duplicate is answered by 400 uniqueness to PUT and PATCH',
    section: 'RFC 7644 §3.12',
    isShared: true,
    change: all(...['PUT', 'PATCH'].map((method) => conflictAs400(method))),
  },
  {
    name: 'another version in a bulk operation is answered by 409',
    section: 'RFC 7644 §3.12',
    isShared: true,
    change: answers('POST /Bulk', ({ body }) => {
      for (const one of body.Operations ?? []) {
        if (one.status !== '412') continue
        one.status = '409'
        one.response.status = '409'
      }
    }),
  },
  {
    name: 'the limit of bulk requests is a member of the error document',
    section: 'RFC 7644 §3.7.4',
    isShared: true,
    change: answers('POST /Bulk', ({ status, body }) => {
      if (status !== 413) return
      body.detail = 'Too large'
      body.maxOperations = 1_000
      body.maxPayloadSize = 1_048_576
    }),
  },
  {
    name: 'lists without a filter are answered by 400 tooMany',
    section: 'RFC 7644 §3.4.2.1',
    topics: ['representation', 'paging', 'cursors', 'authentication'],
    change: all(
      ...LISTS.map((path) =>
        replies(`GET ${path}`, ({ query }) =>
          query.get('filter') === null ? rejects(400, 'tooMany') : null,
        ),
      ),
    ),
  },
  {
    name: '201 has the Location and no body',
    section: 'RFC 7644 §3.3',
    isShared: true,
    change: all(
      ...LISTS.map((path) =>
        answers(`POST ${path}`, (answer) => {
          if (answer.status === 201) answer.body = undefined
        }),
      ),
    ),
  },
  {
    name: 'emails and name are required',
    section: 'RFC 7643 §7',
    topics: ['create', 'replace', 'patch-remove'],
    reference: declaresAs(['emails', 'name'], { required: true }),
  },
  {
    name: 'displayName and active are always returned',
    section: 'RFC 7644 §3.9',
    topics: ['replace', 'projection'],
    reference: declaresAs(['displayName', 'active'], { returned: 'always' }),
  },
  {
    name: 'a malformed Authorization is answered by 400',
    section: 'RFC 6750 §3.1',
    topics: ['authentication'],
    change: (correct) => async (request) =>
      /^Bearer ?$/.test(request.headers.get('Authorization') ?? '')
        ? Response.json(errorOf(400), { status: 400, headers: TYPE })
        : correct(request),
  },
  {
    name: 'pages by cursor may be empty before the last one',
    section: 'RFC 9865 §2',
    isShared: true,
    change: (correct) => async (request) => {
      const url = new URL(request.url)
      const [, left, cursor] = /^e(\d+)-(.*)$/.exec(url.searchParams.get('cursor') ?? '') ?? []
      if (left !== undefined && Number(left) > 0) {
        const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
        const nextCursor = `e${Number(left) - 1}-${cursor}`
        return Response.json(
          { schemas, itemsPerPage: 0, nextCursor, Resources: [] },
          { headers: TYPE },
        )
      }
      if (cursor !== undefined) url.searchParams.set('cursor', cursor)
      const response = await correct(new Request(url, request))
      if (request.method !== 'GET' || !url.searchParams.has('cursor')) return response
      const body = await response.json()
      if (body.nextCursor) body.nextCursor = `e5-${body.nextCursor}`
      return Response.json(body, { status: response.status, headers: TYPE })
    },
  },
  {
    name: 'pages by cursor are not sorted',
    section: 'RFC 9865 §2.2',
    isShared: true,
    change: receives('GET *', ({ query }) => {
      if (!query.get('cursor') && query.get('cursor') !== '') return null
      const rest = new URLSearchParams(query)
      rest.delete('sortBy')
      rest.delete('sortOrder')
      return { query: rest }
    }),
  },
  {
    name: 'complex attributes are declared without their subAttributes',
    section: 'RFC 7643 §7',
    isShared: true,
    change: answers('GET /Schemas*', ({ body }) => {
      for (const schema of body.Resources ?? [body]) {
        for (const one of schema.attributes ?? []) {
          if (['x509Certificates', 'owner'].includes(one.name)) delete one.subAttributes
        }
      }
    }),
  },
  {
    name: 'clients authenticate by mutual TLS',
    section: 'RFC 7643 §5',
    isShared: true,
    change: configures((config) => {
      config.authenticationSchemes = [{ type: 'mtls', name: 'Mutual TLS', description: 'By TLS' }]
    }),
  },
  {
    name: 'If-Match is required',
    section: 'RFC 6585 §3',
    change: all(
      ...['PUT', 'PATCH', 'DELETE'].map((method) =>
        replies(`${method} *`, ({ headers }) =>
          headers.get('If-Match') === null ? rejects(428) : null,
        ),
      ),
    ),
  },
  {
    name: 'DELETE is forbidden',
    section: 'RFC 7644 §3.12',
    change: replies('DELETE *', () => rejects(403)),
  },
  {
    name: 'PATCH is not supported',
    section: 'RFC 7644 §3.5.2',
    topics: [
      'uniqueness',
      'patch-add',
      'patch-replace',
      'patch-remove',
      'groups',
      'bulk',
      'concurrency',
      'robustness',
    ],
    change: all(
      replies('PATCH *', () => rejects(501)),
      configures((config) => {
        config.patch.supported = false
      }),
    ),
  },
  {
    name: 'users have one address at most',
    section: 'RFC 7644 §3.3',
    topics: [
      'create',
      'replace',
      'sorting',
      'value-paths',
      'patch-add',
      'patch-replace',
      'patch-remove',
      'robustness',
    ],
    change: all(
      ...['POST /Users', 'PUT /Users/:id'].map((route) =>
        receives(route, ({ body }) =>
          Array.isArray(body?.emails)
            ? { body: { ...body, emails: body.emails.slice(0, 1) } }
            : null,
        ),
      ),
    ),
  },
  {
    name: 'groups do not exist',
    section: 'RFC 7643 §4.2',
    topics: [
      'discovery',
      'representation',
      'create',
      'delete',
      'uniqueness',
      'groups',
      'bulk',
      'search',
      'concurrency',
    ],
    change: all(
      replies('* /Groups*', () => rejects(404)),
      ...['/ResourceTypes', '/Schemas'].map((path) =>
        answers(`GET ${path}`, ({ status, body }) => {
          if (status !== 200) return
          body.Resources = body.Resources.filter(
            (one: { id: string; name: string }) => !/Group/.test(one.id + one.name),
          )
          body.totalResults = body.Resources.length
          body.itemsPerPage = body.Resources.length
        }),
      ),
      replies('GET /ResourceTypes/Group', () => rejects(404)),
      replies('GET /Schemas/*', ({ path }) => (path.endsWith(':Group') ? rejects(404) : null)),
    ),
  },
  {
    name: 'pages are by cursor only',
    section: 'RFC 9865 §4',
    topics: ['paging', 'cursors', 'search'],
    change: all(
      replies('GET *', ({ query }) =>
        query.has('startIndex') ? rejects(400, 'invalidValue') : null,
      ),
      configures((config) => {
        config.pagination.index = false
      }),
    ),
  },
  {
    name: 'displayName is returned on request',
    section: 'RFC 7643 §7',
    topics: ['representation', 'create', 'replace', 'projection'],
    reference: declaresAs(['displayName'], { returned: 'request' }),
  },
  {
    name: 'userName is compared in its letter case, and is declared so',
    section: 'RFC 7643 §7',
    topics: ['uniqueness', 'filters', 'sorting'],
    reference: declaresAs(['userName'], { caseExact: true }),
  },
  {
    name: 'a resource that does not exist is answered by 403',
    section: 'RFC 7644 §3.12',
    change: (correct) => {
      // RFC 7644 §3.6: a deleted resource must be answered by 404.
      const deleted = new Set<string>()
      return async (request) => {
        const { pathname } = new URL(request.url)
        const response = await correct(request)
        if (request.method === 'DELETE' && response.ok) deleted.add(pathname)
        if (response.status !== 404 || deleted.has(pathname)) return response
        return Response.json(errorOf(403), { status: 403, headers: TYPE })
      }
    },
  },
  {
    name: 'a bulk request that reaches failOnErrors is answered by 400',
    section: 'RFC 7644 §3.7',
    isShared: true,
    change: answers('POST /Bulk', (answer, { body }) => {
      if (body?.failOnErrors === 1) answer.status = 400
    }),
  },
  {
    name: 'the status of a bulk operation is an object with its code',
    section: 'RFC 7644 §3.7.3',
    isShared: true,
    change: answers('POST /Bulk', ({ body }) => {
      for (const one of body.Operations ?? []) one.status = { code: one.status }
    }),
  },
]

const TYPE = { 'Content-Type': 'application/scim+json' }

function declines(pattern: RegExp) {
  return all(
    replies('GET *', ({ query }) =>
      pattern.test(query.get('filter') ?? '') ? rejects(400, 'invalidFilter') : null,
    ),
    replies('POST *', ({ path, body }) =>
      path.endsWith('/.search') && pattern.test(String(body?.filter ?? ''))
        ? rejects(400, 'invalidFilter')
        : null,
    ),
  )
}

function conflictAs400(method: string) {
  return answers(`${method} *`, (answer) => {
    if (answer.status !== 409) return
    answer.status = 400
    answer.body.status = '400'
  })
}
