import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { createDocument } from '../document/build.ts'
import type { SecurityRequirement } from '../openapi.ts'
import { defineOperation } from '../operation.ts'
import { apiKey, basic, bearer, oauth2, openIdConnect } from './security.ts'

const urls = {
  authorizationUrl: 'https://example.com/authorize',
  tokenUrl: 'https://example.com/token',
  refreshUrl: 'https://example.com/refresh',
}
const { authorizationUrl, tokenUrl, refreshUrl } = urls
const scopes = { 'books:read': 'Read books', 'books:write': 'Change books' }
const info = { title: 'Books', version: '1' }

const schemes = {
  token: bearer(),
  password: basic({ description: 'For scripts' }),
  jwt: bearer({ bearerFormat: 'JWT', description: 'A JWT' }),
  header: apiKey({ in: 'header', name: 'X-Key' }),
  query: apiKey({ in: 'query', name: 'key', description: 'For links' }),
  cookie: apiKey({ in: 'cookie', name: 'session' }),
  oauth: oauth2({
    description: 'https://example.com/.well-known/oauth-authorization-server',
    flows: {
      implicit: { authorizationUrl, refreshUrl, scopes },
      password: { tokenUrl, refreshUrl, scopes },
      clientCredentials: { tokenUrl, refreshUrl, scopes },
      authorizationCode: { authorizationUrl, tokenUrl, refreshUrl, scopes },
    },
  }),
  openId: openIdConnect({
    openIdConnectUrl: 'https://example.com/.well-known/openid-configuration',
    description: 'Single sign-on',
  }),
}

describe('a security scheme (OpenAPI 3.1.1 §4.8.27)', () => {
  it.each([
    ['a bearer token', schemes.token, { type: 'http', scheme: 'bearer' }],
    ['a password', schemes.password, { type: 'http', scheme: 'basic', description: 'For scripts' }],
    [
      'a bearer token of a known format',
      schemes.jwt,
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A JWT' },
    ],
    ['a key in a header', schemes.header, { type: 'apiKey', in: 'header', name: 'X-Key' }],
    [
      'a key in the query',
      schemes.query,
      { type: 'apiKey', in: 'query', name: 'key', description: 'For links' },
    ],
    ['a key in a cookie', schemes.cookie, { type: 'apiKey', in: 'cookie', name: 'session' }],
    [
      'OAuth 2.0 with every flow and every URL (§4.8.28, §4.8.29)',
      schemes.oauth,
      {
        type: 'oauth2',
        description: 'https://example.com/.well-known/oauth-authorization-server',
        flows: {
          implicit: { authorizationUrl, refreshUrl, scopes },
          password: { tokenUrl, refreshUrl, scopes },
          clientCredentials: { tokenUrl, refreshUrl, scopes },
          authorizationCode: { ...urls, scopes },
        },
      },
    ],
    [
      'OpenID Connect',
      schemes.openId,
      {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://example.com/.well-known/openid-configuration',
        description: 'Single sign-on',
      },
    ],
  ])('the scheme describes %s', (_, scheme, written) => {
    expect(scheme).toStrictEqual(written)
  })

  it('the scheme is declared unchanged in the document', () => {
    const builder = createDocument({ info, securitySchemes: schemes })
    expect(unwrap(builder.build()).components?.securitySchemes).toEqual(schemes)
  })
})

describe('operation security', () => {
  const operation = (name: string, security?: readonly SecurityRequirement[]) =>
    defineOperation(
      name,
      { method: 'GET', pattern: `/${name}` },
      {
        summary: name,
        responses: { 204: { description: 'Done' } },
        ...(security ? { security } : {}),
      },
    )
  const builder = createDocument({
    info,
    securitySchemes: schemes,
    security: [{ oauth: ['books:read'] }],
  }).add(
    operation('inherits'),
    operation('overrides', [{ token: [] }, { oauth: ['books:write', 'books:read'], header: [] }]),
    operation('open', []),
  )

  it("an operation overrides the document's default, even with an empty list", () => {
    const { security, paths = {} } = unwrap(builder.build())
    expect(security).toEqual([{ oauth: ['books:read'] }])
    expect(paths['/inherits']?.get).not.toHaveProperty('security')
    expect(paths['/overrides']?.get?.security).toEqual([
      { token: [] },
      { oauth: ['books:write', 'books:read'], header: [] },
    ])
    expect(paths['/open']?.get?.security).toEqual([])
  })

  it('security is listed by scheme, the default included', () => {
    expect(builder.scopes()).toEqual({
      oauth: ['books:read', 'books:write'],
      token: [],
      header: [],
    })
  })

  it.each([
    ['unknown', 'unknown'],
    ['one that only a prototype has', 'constructor'],
  ])('build rejects a scheme if it is %s', (_, name) => {
    const built = createDocument({ info, securitySchemes: schemes })
      .add(operation('reads', [{ [name]: [] }]))
      .build()
    expect(built).toMatchObject({
      error: {
        code: 'unknown-security-scheme',
        operationId: 'reads',
        pointer: '/paths/~1reads/get/security',
      },
    })
    const byDefault = createDocument({ info, security: [{ [name]: [] }] }).build()
    expect(byDefault).toMatchObject({ error: { operationId: null, pointer: '/security' } })
    expect(isFailure(built) && built.error.message).toContain(`the security scheme ${name} `)
  })
})

it.each<[make: (options: never) => unknown, options: unknown, message: string]>([
  [apiKey, 'k', 'the options of apiKey must be an object, not a string'],
  [apiKey, undefined, 'the options of apiKey must be an object, not undefined'],
  [apiKey, {}, 'apiKey: in must be one of header, query, cookie, not undefined'],
  [apiKey, { in: 'body', name: 'key' }, 'apiKey: in must be one of header, query, cookie, not "bo'],
  [apiKey, { in: 'header', name: 'X Key' }, 'apiKey: name must be a name without spaces and sepa'],
  [apiKey, { in: 'cookie', name: '' }, 'apiKey: name must be a name without spaces and separators'],
  [apiKey, { in: 'query' }, 'apiKey: name must be a string, not undefined'],
  [bearer, { format: 'JWT' }, 'bearer: the option format is unknown; expected bearerFormat, desc'],
  [basic, 'admin', 'the options of basic must be an object, not a string'],
  [oauth2, { scopes }, 'oauth2: the option scopes is unknown; expected flows, description'],
  [oauth2, {}, 'oauth2: flows must be an object, not undefined'],
  [openIdConnect, { openIdConnectUrl: 7 }, 'openIdConnect: openIdConnectUrl must be a string'],
])('%o is not created with %j', (make, options, message) => {
  expect(() => make(options as never)).toThrow(TypeError)
  expect(() => make(options as never)).toThrow(message)
})

it('a scheme may have extensions', () => {
  const extended = { in: 'header', name: 'X-Key', 'x-owner': 'books' } as const
  expect(apiKey(extended)).toEqual({ type: 'apiKey', ...extended })
})
