import { expectTypeOf } from 'vitest'
import type * as OpenAPI from './openapi.ts'

const extended = { 'x-a': [1, null] } as const

// Every object but two has members named `x-…` (OpenAPI 3.1.1 §4.9)

const oauth = { scopes: { read: 'Read' }, tokenUrl: 'https://example.com/token', ...extended }
const schemes = {
  http: { type: 'http', scheme: 'bearer', ...extended },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Key', ...extended },
  oauth2: { type: 'oauth2', flows: { clientCredentials: oauth, ...extended }, ...extended },
  openIdConnect: {
    type: 'openIdConnect',
    openIdConnectUrl: 'https://example.com/.well-known',
    ...extended,
  },
  mutualTLS: { type: 'mutualTLS', ...extended },
} satisfies Record<string, OpenAPI.SecurityScheme>

const link: OpenAPI.Link = {
  operationId: 'readBook',
  parameters: { bookId: '$response.body#/id' },
  server: { url: 'https://example.com', ...extended },
  ...extended,
}
const example: OpenAPI.Example = { summary: 'A book', value: { title: 'Emma' }, ...extended }
const media: OpenAPI.MediaType = {
  schema: { type: 'object', 'x-b': 1 },
  examples: { emma: example, other: { $ref: '#/components/examples/Other' } },
  encoding: {
    cover: {
      contentType: 'image/png, image/webp',
      headers: { 'X-Size': { schema: { type: 'integer' }, ...extended } },
      ...extended,
    },
    tags: { style: 'form', explode: true, allowReserved: false },
  },
  ...extended,
}
const response: OpenAPI.Response = {
  description: 'The book',
  content: { 'multipart/form-data': media },
  links: { again: link },
  ...extended,
}
const responses: OpenAPI.Responses = {
  200: response,
  '4XX': { $ref: '#/components/responses/Error' },
  default: response,
  ...extended,
}
const callback: OpenAPI.Callback = {
  '{$request.body#/callbackUrl}': { post: { responses } },
  ...extended,
}
const operation: OpenAPI.Operation = {
  responses,
  parameters: [{ name: 'page', in: 'query', allowReserved: true, style: 'form', ...extended }],
  requestBody: { content: { 'multipart/form-data': media }, ...extended },
  callbacks: { added: callback },
  externalDocs: { url: 'https://example.com', ...extended },
  ...extended,
}
const document: OpenAPI.Document = {
  openapi: '3.1.1',
  info: {
    title: 'Books',
    version: '1',
    contact: { name: 'Anne', ...extended },
    license: { name: 'MIT', ...extended },
    ...extended,
  },
  servers: [{ url: '/{base}', variables: { base: { default: 'v1', ...extended } }, ...extended }],
  tags: [{ name: 'books', ...extended }],
  paths: { '/books': { get: operation, ...extended }, ...extended },
  webhooks: { added: { post: operation, ...extended } },
  components: {
    schemas: {
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' },
          ...extended,
        },
        xml: { name: 'pet', wrapped: true, ...extended },
      },
    },
    securitySchemes: schemes,
    links: { link },
    callbacks: { callback },
    examples: { example },
    ...extended,
  },
  ...extended,
}

// Members of a document

expectTypeOf(document['x-a']).toEqualTypeOf<unknown>()
expectTypeOf(document.paths?.['x-a']).toEqualTypeOf<unknown>()
expectTypeOf(document.paths?.['/books']).toEqualTypeOf<OpenAPI.PathItem | undefined>()
expectTypeOf(document.paths?.['/books']?.get).toEqualTypeOf<OpenAPI.Operation | undefined>()
type Answer = OpenAPI.Response | OpenAPI.Reference | undefined
expectTypeOf(responses[200]).toEqualTypeOf<Answer>()
expectTypeOf(responses['200']).toEqualTypeOf<Answer>()
expectTypeOf(responses['4XX']).toEqualTypeOf<Answer>()
expectTypeOf(responses.default).toEqualTypeOf<Answer>()
expectTypeOf(callback['{$request.body#/url}']).toEqualTypeOf<OpenAPI.PathItem | undefined>()
expectTypeOf(media.encoding?.cover).toEqualTypeOf<OpenAPI.Encoding | undefined>()

// Programs that do not compile

// @ts-expect-error a reference cannot have extensions (OpenAPI 3.1.1 §4.8.23)
export const reference: OpenAPI.Reference = { $ref: '#/components/schemas/Book', 'x-a': 1 }
// @ts-expect-error the value of a security requirement is a list of scopes (OpenAPI 3.1.1 §4.8.30)
export const requirement: OpenAPI.SecurityRequirement = { 'x-a': 1 }
// @ts-expect-error a path starts with a slash (OpenAPI 3.1.1 §4.8.8)
export const paths: OpenAPI.Paths = { books: {} }
// @ts-expect-error a misspelt field
export const misspelt: OpenAPI.Encoding = { contenttype: 'image/png' }
// @ts-expect-error a range is written 4XX
export const ranges: OpenAPI.Responses = { '4xx': response }
// @ts-expect-error a header cannot have another style (OpenAPI 3.1.1 §4.8.21)
export const header: OpenAPI.Header = { style: 'form' }
