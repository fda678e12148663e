import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { answers, type Body, receives, replies } from '../fault.ts'
import { all, configures, declares, declaresAs, rejects, shows, type Variant } from './variant.ts'

/** The behaviors that RFC 7643 §2 to §7 permits by MAY, SHOULD, OPTIONAL and "free to". */
export const SCHEMA_VARIANTS: readonly Variant[] = [
  {
    name: 'an attribute without a value is returned as null',
    section: 'RFC 7643 §2.5',
    isShared: true,
    change: shows('/Users', (user) => {
      if (user.userName !== undefined && user.name !== undefined) user.nickName ??= null
    }),
  },
  {
    name: 'a list without values is returned as an empty list',
    section: 'RFC 7643 §2.5',
    isShared: true,
    change: shows('/Users', (user) => {
      if (user.userName !== undefined && user.emails !== undefined) user.phoneNumbers ??= []
    }),
  },
  {
    name: 'the display of addresses is not stored',
    section: 'RFC 7643 §2.4',
    topics: ['create', 'replace', 'patch-replace', 'patch-remove', 'robustness'],
    change: stores((user) => {
      for (const one of listOf(user.emails)) delete one.display
    }),
  },
  {
    name: 'ids are short and contain characters of URLs',
    section: 'RFC 7643 §3.1',
    isShared: true,
    change: renamesIds((id) => `a:b@${id.slice(0, 8)}`),
  },
  {
    name: 'externalId is ignored',
    section: 'RFC 7644 §3.3',
    topics: ['create', 'replace', 'filters', 'robustness'],
    change: stores((user) => delete user.externalId),
  },
  {
    name: 'meta does not have a version, and entity tags are not supported',
    section: 'RFC 7643 §3.1',
    topics: ['representation', 'bulk', 'concurrency'],
    change: all(
      shows('/', ({ meta }) => delete meta?.version),
      withoutHeader('ETag'),
      configures((config) => {
        config.etag.supported = false
      }),
    ),
  },
  {
    name: 'schemas has the extension first',
    section: 'RFC 7643 §3',
    isShared: true,
    change: shows('/Users', (user) => user.schemas?.reverse?.()),
  },
  {
    name: 'a name is returned as one formatted string',
    section: 'RFC 7643 §4.1.1',
    topics: [
      'representation',
      'create',
      'replace',
      'projection',
      'patch-add',
      'patch-replace',
      'patch-remove',
    ],
    change: shows('/Users', (user) => {
      if (user.name) user.name = { formatted: user.name.formatted ?? 'Ada Sample' }
    }),
  },
  {
    name: 'a name is returned without the formatted string',
    section: 'RFC 7643 §4.1.1',
    isShared: true,
    change: shows('/Users', ({ name }) => delete name?.formatted),
  },
  {
    name: 'the server decides about active, and every user is active',
    section: 'RFC 7643 §4.1.1',
    topics: ['create', 'replace', 'filters', 'patch-replace'],
    change: all(
      shows('/Users', (user) => {
        if (user.active !== undefined) user.active = true
      }),
      ...['GET /Users', 'POST /Users/.search'].map((route) =>
        receives(route, ({ query, body }) => {
          const always = (filter: string) => filter.replace(/active (eq|ne) \w+/g, 'active pr')
          if (body?.filter) return { body: { ...body, filter: always(body.filter) } }
          if (query.get('filter') === null) return null
          const changed = new URLSearchParams(query)
          changed.set('filter', always(String(query.get('filter'))))
          return { query: changed }
        }),
      ),
    ),
  },
  {
    name: 'addresses are stored in lower case',
    section: 'RFC 7643 §4.1.2',
    isShared: true,
    change: stores((user) => {
      for (const one of listOf(user.emails)) one.value = String(one.value).toLowerCase()
    }),
  },
  {
    name: 'phone numbers are stored without hyphens',
    section: 'RFC 7643 §4.1.2',
    isShared: true,
    change: stores((user) => {
      for (const one of listOf(user.phoneNumbers)) {
        one.value = String(one.value).replaceAll('-', '')
      }
    }),
  },
  {
    name: 'members of groups have neither display nor $ref',
    section: 'RFC 7643 §4.2',
    topics: ['representation', 'groups'],
    change: shows('/Groups', ({ members }) => {
      for (const member of listOf(members)) {
        delete member.display
        delete member.$ref
      }
    }),
  },
  {
    name: 'the groups of a user are not returned',
    section: 'RFC 7643 §7',
    topics: ['projection', 'groups'],
    reference: declares((one) => (one.name === 'groups' ? { ...one, returned: 'request' } : one)),
  },
  {
    name: 'a manager does not have a displayName',
    section: 'RFC 7643 §4.3',
    isShared: true,
    change: shows('/Users', (user) => delete user[ENTERPRISE_USER_SCHEMA]?.manager?.displayName),
  },
  {
    name: 'the ServiceProviderConfig has neither documentationUri nor meta',
    section: 'RFC 7643 §5',
    isShared: true,
    change: configures((config) => {
      delete config.documentationUri
      delete config.meta
    }),
  },
  {
    name: 'bulk requests are not supported',
    section: 'RFC 7643 §5',
    topics: ['bulk', 'authentication'],
    change: all(
      replies('POST /Bulk', () => rejects(501)),
      configures((config) => {
        config.bulk = { supported: false, maxOperations: 0, maxPayloadSize: 0 }
      }),
    ),
  },
  {
    name: 'lists are not sorted',
    section: 'RFC 7643 §5',
    topics: ['sorting', 'paging', 'cursors', 'search'],
    change: all(
      receives('GET *', ({ query }) => {
        if (!query.has('sortBy')) return null
        const changed = new URLSearchParams(query)
        changed.delete('sortBy')
        changed.delete('sortOrder')
        return { query: changed }
      }),
      configures((config) => {
        config.sort.supported = false
      }),
    ),
  },
  {
    name: 'filters are not supported',
    section: 'RFC 7643 §5',
    topics: [
      'discovery',
      'read',
      'delete',
      'filters',
      'value-paths',
      'sorting',
      'paging',
      'cursors',
      'projection',
      'groups',
      'search',
      'authentication',
      'robustness',
    ],
    change: all(
      replies('GET *', ({ query }) => (query.has('filter') ? rejects(400, 'invalidFilter') : null)),
      replies('POST *', ({ path }) => (path.endsWith('/.search') ? rejects(501) : null)),
      configures((config) => {
        config.filter.supported = false
      }),
    ),
  },
  {
    name: 'resource types have neither id nor description',
    section: 'RFC 7643 §6',
    isShared: true,
    change: answers('GET /ResourceTypes*', ({ body }) => {
      for (const type of body?.Resources ?? [body]) {
        delete type.id
        delete type.description
      }
    }),
  },
  {
    name: 'schemas and attributes do not have a description',
    section: 'RFC 7643 §7',
    isShared: true,
    change: answers('GET /Schemas*', ({ status, body }) => {
      if (status !== 200) return false
      for (const schema of body.Resources ?? [body]) {
        delete schema.description
        for (const attribute of schema.attributes ?? []) delete attribute.description
      }
      return true
    }),
  },
  {
    name: 'characteristics with their default are omitted',
    section: 'RFC 7643 §2.2',
    isShared: true,
    change: answers('GET /Schemas*', ({ status, body }) => {
      if (status !== 200) return false
      for (const schema of body.Resources ?? [body]) omitDefaults(schema.attributes)
      return true
    }),
  },
  {
    name: 'userName cannot be changed after the creation',
    section: 'RFC 7643 §7',
    topics: [
      'representation',
      'create',
      'replace',
      'uniqueness',
      'filters',
      'patch-replace',
      'me',
      'errors',
    ],
    reference: declaresAs(['userName'], { mutability: 'immutable' }),
  },
  {
    name: 'nickName is never returned',
    section: 'RFC 7643 §7',
    topics: ['representation', 'create', 'replace', 'projection'],
    reference: declaresAs(['nickName', 'title'], { returned: 'never' }),
  },
  {
    name: 'displayName is unique',
    section: 'RFC 7643 §7',
    topics: ['create', 'replace', 'uniqueness', 'patch-replace'],
    reference: declaresAs(['displayName'], { uniqueness: 'server' }),
  },
  {
    name: 'title and nickName are read-only',
    section: 'RFC 7643 §7',
    topics: ['create', 'replace', 'patch-replace', 'patch-remove'],
    reference: declaresAs(['title', 'nickName'], { mutability: 'readOnly' }),
  },
]

const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? value : [])

/** Changes what POST and PUT store: a server is free to alter and ignore what it is sent (RFC 7644 §3.3). */
function stores(change: (user: Body) => unknown) {
  return all(
    ...['POST /Users', 'PUT /Users/:id'].map((route) =>
      receives(route, ({ body }) => {
        if (body === undefined) return null
        const changed = structuredClone(body)
        change(changed)
        return { body: changed }
      }),
    ),
  )
}

function withoutHeader(name: string) {
  return (correct: (request: Request) => Promise<Response>) => async (request: Request) => {
    const response = await correct(request)
    response.headers.delete(name)
    return response
  }
}

/** Shows other ids than those of the store, everywhere. */
function renamesIds(rename: (id: string) => string) {
  return (correct: (request: Request) => Promise<Response>) => async (request: Request) => {
    const inner = (text: string): string =>
      [...known].reduce(
        (rest, [id, shown]) => rest.replaceAll(shown, id).replaceAll(encodeURIComponent(shown), id),
        text,
      )
    const { method, headers } = request
    const text = request.body === null ? null : inner(await request.text())
    const response = await correct(new Request(inner(request.url), { method, headers, body: text }))
    const outer = (body: string): string =>
      body.replace(UUID, (id) => {
        known.set(id, known.get(id) ?? rename(id))
        return known.get(id) ?? id
      })
    const shown = new Headers(response.headers)
    for (const name of ['Location', 'Content-Location']) {
      const value = shown.get(name)
      if (value !== null) shown.set(name, outer(value))
    }
    const body = await response.text()
    return new Response(body === '' ? null : outer(body), {
      status: response.status,
      headers: shown,
    })
  }
}

const known = new Map<string, string>()
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g

function omitDefaults(attributes: unknown): void {
  for (const attribute of listOf(attributes)) {
    for (const [name, value] of Object.entries(DEFAULTS)) {
      if (attribute[name] === value) delete attribute[name]
    }
    omitDefaults(attribute.subAttributes)
  }
}

const DEFAULTS = {
  required: false,
  multiValued: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
}
