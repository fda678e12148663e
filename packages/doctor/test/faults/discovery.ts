import { type Answer, answers, type Body, defineFaults, replies } from '../fault.ts'

/** Changes the ServiceProviderConfig. */
const config = (change: (body: Body) => unknown) =>
  answers('GET /ServiceProviderConfig', ({ body, status }) => {
    if (status === 200) change(body)
  })

/** Changes the list of the resource types, and each of them. */
const types = (change: (body: Body) => void) => answers('GET /ResourceTypes*', changeEach(change))

/** Changes the schemas in the list, and each of them. */
const schemas = (change: (body: Body) => void) => answers('GET /Schemas*', changeEach(change))

/** Changes an attribute of the schema of users. */
const userAttribute = (name: string, change: (attribute: Body) => void) =>
  schemas((schema) => {
    if (schema.name === 'User') change(schema.attributes.find((one: Body) => one.name === name))
  })

function changeEach(change: (body: Body) => void): (answer: Answer) => void {
  return ({ body, status }) => {
    if (status !== 200) return
    for (const one of body.Resources ?? [body]) change(one)
  }
}

export const DISCOVERY_FAULTS = defineFaults([
  {
    check: 'discovery.config',
    fault: replies('GET /ServiceProviderConfig', () => ({ status: 404 })),
  },
  { check: 'discovery.config-features', fault: config((body) => delete body.changePassword) },
  {
    check: 'discovery.config-bulk',
    fault: config((body) => {
      body.bulk = { supported: false }
    }),
  },
  {
    check: 'discovery.config-filter',
    fault: config((body) => {
      body.filter.maxResults = '1000'
    }),
  },
  {
    check: 'discovery.config-authentication',
    fault: config((body) => delete body.authenticationSchemes[0].description),
  },
  {
    check: 'discovery.config-authentication-type',
    fault: config((body) => {
      body.authenticationSchemes[0].type = 'bearer'
    }),
  },
  { check: 'discovery.config-pagination', fault: config((body) => delete body.pagination.index) },
  {
    check: 'discovery.config-meta',
    fault: config((body) => {
      body.meta.resourceType = 'Config'
    }),
  },
  {
    check: 'discovery.resource-types',
    fault: answers('GET /ResourceTypes', (answer) => {
      answer.body = answer.body.Resources
    }),
  },
  {
    check: 'discovery.resource-types-total',
    fault: answers('GET /ResourceTypes', ({ body }) => {
      body.totalResults = 0
    }),
  },
  {
    check: 'discovery.resource-types-required',
    fault: types((type) => {
      if (type.name === 'Device') delete type.schema
    }),
  },
  {
    check: 'discovery.resource-types-meta',
    fault: types((type) => {
      type.meta.resourceType = type.name
    }),
  },
  {
    check: 'discovery.resource-type-by-name',
    fault: replies('GET /ResourceTypes/User', () => ({ status: 404, body: {} })),
  },
  {
    check: 'discovery.resource-type-unknown',
    fault: answers('GET /ResourceTypes/:name', (answer) => {
      if (answer.status === 404) Object.assign(answer, { status: 200, body: {} })
    }),
  },
  {
    check: 'discovery.resource-types-no-filter',
    fault: answers('GET /ResourceTypes', (answer, { query }) => {
      if (query.has('filter')) Object.assign(answer, { status: 200, body: { Resources: [] } })
    }),
  },
  {
    check: 'discovery.resource-types-endpoint',
    also: {
      'declared.deleted': 'it lists the resources of each type as well',
      'declared.cursors': 'it lists the resources of each type as well',
      'declared.lists': 'it lists the resources of each type as well',
      'declared.pages': 'it lists the resources of each type as well',
      'declared.sorting': 'it lists the resources of each type as well',
      'declared.stable': 'it lists the resources of each type as well',
    },
    fault: replies('GET /Devices', ({ query }) =>
      query.has('filter') ? null : { status: 404, body: {} },
    ),
  },
  { check: 'discovery.schemas', fault: replies('GET /Schemas', () => ({ status: 501, body: {} })) },
  {
    check: 'discovery.schemas-total',
    fault: answers('GET /Schemas', ({ body }) => {
      body.totalResults += 1
    }),
  },
  {
    check: 'discovery.schemas-complete',
    fault: answers('GET /Schemas', ({ body }) => {
      body.Resources = body.Resources?.filter(({ name }: Body) => name !== 'Device')
      body.totalResults = body.Resources?.length
    }),
  },
  { check: 'discovery.schemas-meta', fault: schemas((schema) => delete schema.meta) },
  {
    check: 'discovery.schema-by-urn',
    fault: answers('GET /Schemas/:urn', ({ body }) => {
      if (body.name === 'User') body.name = 'Person'
    }),
  },
  {
    check: 'discovery.schema-unknown',
    fault: answers('GET /Schemas/:urn', (answer) => {
      if (answer.status === 404) answer.status = 500
    }),
  },
  {
    check: 'discovery.schemas-no-filter',
    fault: answers('GET /Schemas', (answer) => {
      if (answer.status === 403) answer.status = 200
    }),
  },
  {
    check: 'discovery.attribute-types',
    fault: userAttribute('nickName', (attribute) => {
      attribute.type = 'text'
    }),
  },
  {
    check: 'discovery.attribute-characteristics',
    fault: userAttribute('nickName', (attribute) => {
      attribute.mutability = 'ReadWrite'
    }),
  },
  {
    check: 'discovery.complex-attributes',
    fault: userAttribute('addresses', (attribute) => delete attribute.subAttributes),
  },
  {
    check: 'discovery.user-name',
    fault: userAttribute('userName', (attribute) => {
      attribute.uniqueness = 'none'
    }),
  },
  {
    check: 'discovery.password',
    fault: userAttribute('password', (attribute) => {
      attribute.returned = 'default'
    }),
  },
])
