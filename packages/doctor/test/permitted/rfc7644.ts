import { answers, type Body, type Change, receives, replies } from '../fault.ts'
import { rejects, shows, type Variant } from './variant.ts'

/** The behaviors that RFC 7644 §3 permits by MAY, SHOULD, OPTIONAL and "free to". */
export const PROTOCOL_VARIANTS: readonly Variant[] = [
  {
    name: 'the media type of responses has a charset',
    section: 'RFC 7644 §3.8',
    isShared: true,
    change: answers('* *', ({ headers }) => {
      const type = headers.get('Content-Type')
      if (type !== null) headers.set('Content-Type', `${type}; charset=utf-8`)
    }),
  },
  {
    name: 'title is stored without blanks around it, and nickName is ignored',
    section: 'RFC 7644 §3.3',
    isShared: true,
    change: receives('POST /Users', ({ body }) => {
      if (body === undefined) return null
      const { nickName: _, ...rest } = body
      return { body: rest }
    }),
  },
  {
    name: 'a page has fewer users than count',
    section: 'RFC 7644 §3.4.2.4',
    topics: ['sorting', 'paging', 'cursors', 'search'],
    reference: { limits: { defaultCount: 2, maxCount: 2 } },
  },
  {
    name: 'a whole list has neither startIndex nor itemsPerPage',
    section: 'RFC 7644 §3.4.2',
    isShared: true,
    change: answers('GET *', ({ body }) => {
      if (body?.Resources === undefined || body.Resources.length !== body.totalResults) return false
      delete body.startIndex
      delete body.itemsPerPage
      return true
    }),
  },
  {
    name: 'an empty list does not have Resources',
    section: 'RFC 7644 §3.4.2',
    isShared: true,
    change: answers('GET *', ({ body }) => {
      if (body?.totalResults !== 0) return false
      delete body.Resources
      return true
    }),
  },
  {
    name: 'externalId and title cannot be filtered',
    section: 'RFC 7644 §3.12',
    topics: ['filters'],
    change: replies('GET *', ({ query }) =>
      /\b(externalId|title)\b/.test(query.get('filter') ?? '')
        ? rejects(400, 'invalidFilter')
        : null,
    ),
  },
  {
    name: 'searches by POST are not supported',
    section: 'RFC 7644 §3.2',
    topics: ['cursors', 'search', 'authentication'],
    change: replies('POST *', ({ path }) => (path.endsWith('/.search') ? rejects(501) : null)),
  },
  {
    name: 'a search of the root is not supported',
    section: 'RFC 7644 §3.4.2.1',
    topics: ['search'],
    change: replies('POST /.search', () => rejects(501)),
  },
  {
    name: 'PUT gives title a default if it is omitted',
    section: 'RFC 7644 §3.5.1',
    isShared: true,
    change: receives('PUT /Users/:id', ({ body }) =>
      body === undefined || 'title' in body ? null : { body: { ...body, title: 'None' } },
    ),
  },
  {
    name: 'PATCH answers 204',
    section: 'RFC 7644 §3.5.2',
    isShared: true,
    change: answers('PATCH *', (answer, { query }) => {
      if (answer.status === 200 && query.size === 0) answer.status = 204
    }),
  },
  {
    name: 'a user that was deleted keeps its userName',
    section: 'RFC 7644 §3.6',
    topics: ['delete', 'uniqueness'],
    change: (correct) => keepsNames()(correct),
  },
  {
    name: 'a successful bulk operation has its resource in response',
    section: 'RFC 7644 §3.7',
    isShared: true,
    change: answers('POST /Bulk', ({ body }) => {
      for (const one of body?.Operations ?? []) one.response ??= { id: 'shown' }
    }),
  },
  {
    name: 'a bulk request may have few operations',
    section: 'RFC 7644 §3.7.4',
    topics: ['bulk'],
    reference: { limits: { defaultCount: 3, bulkOperations: 4 } },
  },
  {
    name: 'a reference to a later operation is rejected by 400',
    section: 'RFC 7644 §3.7.2',
    isShared: true,
    change: answers('POST /Bulk', ({ body }, { body: sent }) => {
      const first = JSON.stringify(sent?.Operations?.[0]?.data ?? null)
      const [operation] = body?.Operations ?? []
      if (!/bulkId:ada/.test(first) || operation === undefined) return false
      operation.status = '400'
      operation.response = { status: '400', scimType: 'invalidValue' }
      delete operation.location
      return true
    }),
  },
  {
    name: '/Me is not supported',
    section: 'RFC 7644 §3.11',
    topics: ['me'],
    change: replies('* /Me', () => rejects(501)),
  },
  {
    name: '/Me redirects to the user',
    section: 'RFC 7644 §3.11',
    topics: ['me'],
    change: (correct) => async (request) => {
      if (request.method !== 'GET' || !new URL(request.url).pathname.endsWith('/Me')) {
        return correct(request)
      }
      const body: Body = await (await correct(request.clone())).json()
      if (body.id === undefined) return correct(request)
      const headers = { Location: request.url.replace('/Me', `/Users/${body.id}`) }
      return new Response(null, { status: 308, headers })
    },
  },
  {
    name: 'errors do not have a detail',
    section: 'RFC 7644 §3.12',
    isShared: true,
    change: answers('* *', ({ status, body }) => {
      if (status < 400 || status === 413) return false
      delete body?.detail
      return true
    }),
  },
  {
    name: 'errors of values and syntax do not have a scimType',
    section: 'RFC 7644 §3.12',
    isShared: true,
    change: answers('* *', ({ status, body }) => {
      if (status < 400) return false
      if (/^(invalidValue|invalidSyntax|invalidPath)$/.test(body?.scimType)) delete body.scimType
      return true
    }),
  },
  {
    name: 'no client may create groups',
    section: 'RFC 7644 §3.12',
    topics: [
      'representation',
      'delete',
      'uniqueness',
      'patch-replace',
      'groups',
      'bulk',
      'search',
      'concurrency',
    ],
    change: replies('POST /Groups', () => rejects(403)),
  },
  {
    name: 'GET is redirected to another path of the server',
    section: 'RFC 7644 §3.12',
    isShared: true,
    change: (correct) => async (request) => {
      const { pathname } = new URL(request.url)
      if (request.method !== 'GET' || !pathname.startsWith('/scim/v2/Devices')) {
        const url = request.url.replace('/scim/v2/moved/', '/scim/v2/')
        return correct(url === request.url ? request : new Request(url, request))
      }
      const Location = request.url.replace('/scim/v2/', '/scim/v2/moved/')
      return new Response(null, { status: 307, headers: { Location } })
    },
  },
  {
    name: 'If-None-Match is ignored by lists',
    section: 'RFC 7644 §3.14',
    isShared: true,
    change: receives('GET /Users', ({ headers }) => {
      const changed = new Headers(headers)
      changed.delete('If-None-Match')
      return { headers: changed }
    }),
  },
  {
    name: 'the number of matches of a page by cursor is omitted, and so is previousCursor',
    section: 'RFC 9865 §2',
    isShared: true,
    change: answers('GET *', ({ body }, { query }) => {
      if (!query.has('cursor')) return false
      delete body?.totalResults
      delete body?.previousCursor
      return true
    }),
  },
  {
    name: 'a user has more attributes than the client named',
    section: 'RFC 7644 §3.3',
    isShared: true,
    change: shows('/Users', (user) => {
      if (user.name?.givenName && user.userName && !user.name.honorificPrefix) {
        user.name.middleName ??= 'M.'
      }
    }),
  },
  {
    name: 'a null in the body of a PUT keeps the default of the server',
    section: 'RFC 7644 §3.5.1',
    isShared: true,
    change: receives('PUT /Users/:id', ({ body }) =>
      body?.preferredLanguage === undefined && body !== undefined
        ? { body: { ...body, preferredLanguage: 'en' } }
        : null,
    ),
  },
]

/** RFC 7644 §3.6: a server should not consider deleted resources in conflicts. */
function keepsNames(): Change {
  const names = new Map<string, string>()
  return (correct) => async (request) => {
    const { pathname } = new URL(request.url)
    const text =
      request.method === 'POST' && pathname.endsWith('/Users') ? await request.clone().text() : ''
    const name = /"userName":"([^"]+)"/.exec(text)?.[1]?.toLowerCase()
    if (name !== undefined && names.get(name) === 'deleted') {
      const { status, body } = rejects(409, 'uniqueness')
      return Response.json(body, { status, headers: { 'Content-Type': 'application/scim+json' } })
    }
    const response = await correct(request)
    if (name !== undefined && response.status === 201) {
      const { id }: Body = await response.clone().json()
      names.set(`${pathname}/${id}`, name)
    }
    const deleted = request.method === 'DELETE' && response.ok ? names.get(pathname) : undefined
    if (deleted !== undefined) names.set(deleted, 'deleted')
    return response
  }
}
