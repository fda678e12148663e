import {
  type Answer,
  answers,
  type Body,
  defineFaults,
  receives,
  replies,
  type SentRequest,
} from '../fault.ts'

/** Changes the representation of a user that is read as a whole. */
const user = (change: (body: Body, answer: Answer) => unknown) =>
  answers('GET /Users/:id', (answer, { query }) => {
    if (answer.status !== 200 || query.size > 0) return false
    return change(answer.body, answer)
  })

const accepts = (text: string, { headers }: SentRequest) => headers.get('Accept') === text

/** The attributes of devices that are returned by default. */
const DEVICE =
  'serial,model,state,slots,weight,bought,portable,tags,label,comment,ports,owner,externalId,meta'

export const REPRESENTATION_FAULTS = defineFaults([
  {
    check: 'representation.list-schemas',
    fault: answers('GET /Devices', ({ body }) => delete body.schemas),
  },
  {
    check: 'representation.media-type',
    fault: user((_, { headers }) => headers.set('Content-Type', 'application/json')),
  },
  {
    check: 'representation.accept-json',
    fault: replies('GET /Users/:id', (sent) =>
      accepts('application/json', sent) ? { status: 406, body: {} } : null,
    ),
  },
  {
    check: 'representation.accept-any',
    fault: answers('GET /Users/:id', (answer, sent) => {
      if (accepts('*/*', sent)) answer.body = '<html></html>'
    }),
  },
  { check: 'representation.schemas', fault: user((body) => delete body.schemas) },
  {
    check: 'representation.schemas-known',
    fault: user((body) => body.schemas.push('urn:example:audit')),
  },
  {
    check: 'representation.schemas-unique',
    fault: user((body) => body.schemas.push(body.schemas[0])),
  },
  {
    check: 'representation.schemas-extension',
    fault: user((body) => body.schemas.splice(1)),
  },
  {
    check: 'representation.custom-type',
    fault: answers('GET /Devices/:id', ({ body }) => {
      if (body.meta !== undefined) body.meta.resourceType = 'User'
    }),
  },
  {
    check: 'representation.id',
    fault: answers('PUT /Users/:id', ({ body, status }, sent) => {
      const { externalId, userName } = sent.body
      if (status === 200 && userName !== `${externalId}@example.com`) body.id = userName
    }),
  },
  {
    check: 'representation.meta-type',
    fault: user((body) => {
      body.meta.resourceType = 'user'
    }),
  },
  {
    check: 'representation.meta-dates',
    fault: user((body) => {
      body.meta.created = Date.parse(body.meta.created)
    }),
  },
  {
    check: 'representation.meta-dates-present',
    fault: user((body) => {
      delete body.meta.created
    }),
  },
  {
    check: 'representation.meta-initial',
    fault: answers('POST /Users', ({ body, status }) => {
      if (status !== 201 || body.name?.familyName !== 'Sample') return
      body.meta.lastModified = '2001-01-01T00:00:00Z'
    }),
  },
  {
    check: 'representation.meta-location',
    fault: user((body) => {
      body.meta.location = body.meta.location.replace('/Users/', '/Person/')
    }),
  },
  {
    check: 'representation.list-locations',
    name: 'a list has the location of the first resource',
    fault: answers('GET /Users', ({ body }) => {
      const [first]: readonly Body[] = body?.Resources ?? []
      for (const one of body?.Resources ?? [])
        if (one.meta) one.meta.location = first?.meta?.location
    }),
  },
  {
    check: 'representation.list-locations',
    name: 'a list has the location of the next resource',
    fault: answers('GET /Users', ({ body }) => {
      const users: readonly Body[] = (body?.Resources ?? []).filter(({ meta }: Body) => meta)
      const urls = users.map(({ meta }) => meta.location)
      for (const [at, one] of users.entries()) one.meta.location = urls[(at + 1) % urls.length]
    }),
  },
  {
    check: 'representation.location-header',
    fault: answers('POST /Users', ({ headers }) => headers.delete('Location')),
  },
  {
    check: 'representation.etag-header',
    fault: user((_, { headers }) => headers.set('ETag', '7')),
  },
  {
    check: 'representation.etag-version',
    fault: user((body) => {
      body.meta.version = body.meta.version.replace('W/', '')
    }),
  },
  {
    check: 'representation.attribute-types',
    also: {
      'declared.filters': 'it compares booleans as well',
      'declared.lists': 'only GET of one user has the string',
      'declared.sorting': 'it sorts by booleans as well',
      'patch-replace.answer': 'it compares the response with what GET returns',
    },
    fault: user((body) => {
      if (body.nickName !== undefined) body.active = 'True'
    }),
  },
  {
    check: 'representation.lists',
    fault: user((body) => {
      if (body.phoneNumbers?.length === 1) body.phoneNumbers = body.phoneNumbers[0]
    }),
  },
  {
    check: 'representation.one-primary',
    also: {
      'declared.filters-missing': 'it compares primary as well',
      'declared.lists': 'only GET of one user has two primary values',
      'patch-replace.answer': 'it compares the response with what GET returns',
    },
    fault: user((body) => {
      if (body.emails?.length === 2) body.emails[1].primary = true
    }),
  },
  {
    check: 'representation.password',
    also: { 'answers.never-returned': 'it looks at all responses' },
    fault: answers('POST /Users', ({ body, status }) => {
      if (status === 201) body.password = '$2b$10$hash'
    }),
  },
  {
    check: 'representation.never-returned',
    also: { 'answers.never-returned': 'it looks at all responses' },
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (query.has('filter')) return
      for (const one of body.Resources ?? []) one.password = '$2b$10$hash'
    }),
  },
  {
    check: 'representation.on-request',
    fault: receives('GET /Devices/:id', ({ query }) =>
      query.size === 0 ? { query: new URLSearchParams({ attributes: `${DEVICE},notes` }) } : null,
    ),
  },
  {
    check: 'representation.references',
    fault: answers('GET /Groups/:id', ({ body }) => {
      for (const member of body.members ?? []) member.$ref &&= member.$ref.replace('Users', 'Group')
    }),
  },
  {
    check: 'representation.external-id',
    fault: user((body) => {
      body.externalId ??= body.id
    }),
  },
  {
    check: 'representation.complex',
    fault: user((body) => {
      if (body.name?.familyName === 'Müller') delete body.name.familyName
    }),
  },
])
