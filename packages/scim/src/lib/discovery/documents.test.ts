import { describe, expect, it } from 'vitest'
import { ENTERPRISE_USER_SCHEMA, LIST_RESPONSE_SCHEMA, USER_SCHEMA } from '../constants.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import { resourceTypes } from './resource-types.ts'
import { schemas } from './schemas.ts'
import { serviceProviderConfig } from './service-provider-config.ts'

describe('serviceProviderConfig (RFC 7643 §5)', () => {
  it('unnamed features are unsupported', () => {
    expect(serviceProviderConfig()).toStrictEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: false },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: false, maxResults: 0 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [],
      meta: { resourceType: 'ServiceProviderConfig', location: '/ServiceProviderConfig' },
    })
  })

  it('named features are written as in the RFC 7643 §8.5 example', () => {
    const authenticationSchemes = [
      {
        name: 'OAuth Bearer Token',
        description: 'Authentication scheme using the OAuth Bearer Token Standard',
        specUri: 'http://www.rfc-editor.org/info/rfc6750',
        documentationUri: 'http://example.com/help/oauth.html',
        type: 'oauthbearertoken' as const,
        primary: true,
      },
    ]
    const document = serviceProviderConfig({
      documentationUri: 'http://example.com/help/scim.html',
      patch: true,
      bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1048576 },
      filter: { supported: true, maxResults: 200 },
      changePassword: true,
      sort: true,
      etag: true,
      authenticationSchemes,
    })
    expect(document).toMatchObject({
      documentationUri: 'http://example.com/help/scim.html',
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1048576 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: true },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes,
    })
  })

  it.each(['patch', 'changePassword', 'sort', 'etag'] as const)(
    '%s is enabled without changing other features',
    (name) => {
      const named = serviceProviderConfig({ [name]: true })
      expect(named).toStrictEqual({ ...serviceProviderConfig(), [name]: { supported: true } })
      expect(serviceProviderConfig({ [name]: false })).toStrictEqual(serviceProviderConfig())
    },
  )
})

it("serviceProviderConfig shows a service provider's Security Event Tokens (RFC 9967 §4)", () => {
  const eventUris = ['urn:ietf:params:scim:event:prov:delete']
  const securityEvents = { asyncRequest: 'none', eventUris } as const
  expect(serviceProviderConfig({ securityEvents }).securityEvents).toEqual(securityEvents)
  expect(serviceProviderConfig()).not.toHaveProperty('securityEvents')
})

describe('serviceProviderConfig with pagination (RFC 9865 §4)', () => {
  it('pagination describes how lists are paged', () => {
    const pagination = {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index' as const,
      defaultPageSize: 100,
      maxPageSize: 250,
      cursorTimeout: 3600,
    }
    expect(serviceProviderConfig({ pagination })).toStrictEqual({
      ...serviceProviderConfig(),
      pagination,
    })
  })

  it('unset pagination options are omitted', () => {
    const { pagination } = serviceProviderConfig({ pagination: { cursor: false, index: true } })
    expect(pagination).toStrictEqual({ cursor: false, index: true })
  })
})

describe('resourceTypes (RFC 7643 §6)', () => {
  it('resource types are listed as in the RFC 7643 §8.6 example', () => {
    const document = resourceTypes([
      {
        id: 'User',
        endpoint: '/Users',
        description: 'User Account',
        schema: USER_SCHEMA,
        extensions: [{ schema: ENTERPRISE_USER_SCHEMA, required: true }],
      },
      { id: 'Team', name: 'A team', endpoint: '/Teams', schema: 'urn:example:Team' },
    ])
    expect(document).toStrictEqual({
      schemas: [LIST_RESPONSE_SCHEMA],
      totalResults: 2,
      itemsPerPage: 2,
      startIndex: 1,
      Resources: [
        {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          id: 'User',
          name: 'User',
          description: 'User Account',
          endpoint: '/Users',
          schema: USER_SCHEMA,
          schemaExtensions: [{ schema: ENTERPRISE_USER_SCHEMA, required: true }],
          meta: { resourceType: 'ResourceType', location: '/ResourceTypes/User' },
        },
        {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          id: 'Team',
          name: 'A team',
          endpoint: '/Teams',
          schema: 'urn:example:Team',
          schemaExtensions: [],
          meta: { resourceType: 'ResourceType', location: '/ResourceTypes/Team' },
        },
      ],
    })
  })

  it('an empty list of resource types is written', () => {
    expect(resourceTypes([])).toMatchObject({ totalResults: 0, itemsPerPage: 0, Resources: [] })
  })
})

describe('schemas (RFC 7643 §7)', () => {
  it('schemas are listed in the given order', () => {
    const document = schemas({
      [USER_DEFINITION.id]: USER_DEFINITION,
      [GROUP_DEFINITION.id]: GROUP_DEFINITION,
      [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
    })
    const listed = [USER_DEFINITION, GROUP_DEFINITION, ENTERPRISE_USER_DEFINITION]
    expect(document).toMatchObject({
      schemas: [LIST_RESPONSE_SCHEMA],
      totalResults: 3,
      itemsPerPage: 3,
      startIndex: 1,
      Resources: listed.map(({ id, name, description }) => ({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
        id,
        name,
        description,
        meta: { resourceType: 'Schema', location: `/Schemas/${id}` },
      })),
    })
  })

  it('every default from RFC 7643 §2.2 is written out', () => {
    const definition = {
      id: 'urn:example:2.0:Thing',
      name: 'Thing',
      attributes: [
        { name: 'plain', type: 'string' as const },
        {
          name: 'whole',
          type: 'complex' as const,
          subAttributes: [{ name: 'part', type: 'integer' as const }],
        },
      ],
    }
    const defaults = {
      multiValued: false,
      required: false,
      caseExact: false,
      mutability: 'readWrite',
      returned: 'default',
      uniqueness: 'none',
    }
    expect(schemas({ [definition.id]: definition }).Resources).toStrictEqual([
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
        id: definition.id,
        name: 'Thing',
        attributes: [
          { name: 'plain', type: 'string', ...defaults },
          {
            name: 'whole',
            type: 'complex',
            ...defaults,
            subAttributes: [{ name: 'part', type: 'integer', ...defaults }],
          },
        ],
        meta: { resourceType: 'Schema', location: `/Schemas/${definition.id}` },
      },
    ])
  })

  it('every characteristic in a definition is kept', () => {
    const attribute = {
      name: 'owner',
      type: 'reference' as const,
      multiValued: true,
      description: 'The owner.',
      required: true,
      canonicalValues: ['a', 'b'],
      caseExact: true,
      mutability: 'immutable' as const,
      returned: 'request' as const,
      uniqueness: 'global' as const,
      referenceTypes: ['User', 'external'],
    }
    const definition = { id: 'urn:example:2.0:Thing', name: 'Thing', attributes: [attribute] }
    expect(schemas({ [definition.id]: definition }).Resources).toMatchObject([
      { attributes: [attribute] },
    ])
  })
})

it('documents are pure JSON', () => {
  const documents = [
    serviceProviderConfig({ patch: true }),
    resourceTypes([{ id: 'User', endpoint: '/Users', schema: USER_SCHEMA }]),
    schemas({ [USER_DEFINITION.id]: USER_DEFINITION }),
  ]
  for (const document of documents) {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
  }
})

describe('the base in meta.location (RFC 7643 §3.1)', () => {
  it.each([
    ['/scim/v2', '/scim/v2'],
    ['/scim/v2/', '/scim/v2'],
    ['https://example.com/scim/v2', 'https://example.com/scim/v2'],
    ['https://example.com/', 'https://example.com'],
    ['/', ''],
    [undefined, ''],
  ])('meta.location starts with the base %s', (base, expected) => {
    const locationOf = (document: unknown): unknown => Object(Object(document).meta).location
    const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
    const types = [{ id: 'User', endpoint: '/Users', schema: USER_SCHEMA }]
    expect(locationOf(serviceProviderConfig({ base }))).toBe(`${expected}/ServiceProviderConfig`)
    expect(Object(resourceTypes(types, { base }).Resources).map(locationOf)).toEqual([
      `${expected}/ResourceTypes/User`,
    ])
    expect(Object(schemas(definitions, { base }).Resources).map(locationOf)).toEqual([
      `${expected}/Schemas/${USER_SCHEMA}`,
    ])
  })
})

it('a binary attribute is documented as case exact (RFC 7643 §2.3.6)', () => {
  const key = { name: 'key', type: 'binary' as const, caseExact: false }
  const definition = { id: 'urn:example:2.0:Thing', name: 'Thing', attributes: [key] }
  expect(schemas({ [definition.id]: definition })).toMatchObject({
    Resources: [{ attributes: [{ caseExact: true }] }],
  })
})

it('an explicit undefined is treated like an omitted option', () => {
  expect(
    serviceProviderConfig({
      documentationUri: undefined,
      patch: undefined,
      bulk: undefined,
      filter: undefined,
      pagination: undefined,
      authenticationSchemes: undefined,
    }),
  ).toStrictEqual(serviceProviderConfig())
  const type = { id: 'User', endpoint: '/Users', schema: USER_SCHEMA }
  expect(
    resourceTypes([{ ...type, name: undefined, description: undefined, extensions: undefined }]),
  ).toStrictEqual(resourceTypes([type]))
})
