import { createDocument, defineLink, defineOperation } from '@plumbline/openapi'
import { apiKey, bearer, oauth2, openIdConnect } from '@plumbline/openapi/security'
import { defineProblems } from '@plumbline/problem'
import { ISSUES_SCHEMA } from '@plumbline/problem/zod'
import {
  createRoutes,
  del,
  get,
  head,
  options,
  patch,
  post,
  put,
} from '@remix-run/fetch-router/routes'
import { type } from 'arktype'
import { z } from 'zod'
import {
  Author,
  Book,
  Category,
  NewBook,
  Publisher,
  Reader,
  Readers,
  ShelfSchema,
} from './schemas.ts'

const problems = defineProblems('https://books.test/problems/', {
  invalid: {
    slug: 'invalid',
    status: 422,
    title: 'The request is not valid',
    extensions: z.object({ errors: ISSUES_SCHEMA }),
  },
  malformed: { slug: 'malformed', status: 400, title: 'The body cannot be read' },
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  gone: {
    slug: 'gone',
    status: 404,
    title: 'It was here',
    extensions: z.object({ since: z.iso.datetime() }),
  },
  conflict: {
    slug: 'conflict',
    status: 409,
    title: 'Already exists',
    extensions: z.strictObject({ book: Book }),
  },
  forbidden: { slug: 'forbidden', status: 403, title: 'Not for you' },
  unavailable: { slug: 'unavailable', status: 503, title: 'Closed' },
})

const routes = createRoutes('/books', {
  list: get('/'),
  create: post('/'),
  check: head('/:bookId'),
  read: get('/:bookId'),
  replace: put('/:bookId'),
  change: patch('/:bookId'),
  remove: del('/:bookId'),
  methods: options('/:bookId'),
  file: get('/:bookId/files/*path'),
})

const bookId = z.uuid()
const Note = z.object({ text: z.string() }).meta({ id: 'Note' })
const gone = { 204: { description: 'It is done' } }

const books = [
  defineOperation('listBooks', routes.list, {
    summary: 'List the books',
    description: 'In the order of their titles, *page by page*.',
    tags: ['books'],
    query: z.object({
      page: z.int().min(1).default(1).meta({ description: 'Counted from one' }),
      tag: z.array(z.string()).optional(),
      available: z.boolean().optional(),
      order: z.enum(['title', 'date']).optional(),
      language: z.string().optional().meta({ deprecated: true }),
      under: z.number(),
    }),
    headers: z.object({ 'Accept-Language': z.string().optional(), 'X-Reader': z.uuid() }),
    cookies: z.object({ theme: z.enum(['light', 'dark']).optional() }),
    security: [],
    responses: {
      200: {
        description: 'One page of them',
        headers: {
          'X-Total': { schema: z.int(), required: true, description: 'How many there are' },
          ETag: { schema: z.string() },
        },
        body: { 'application/json': z.array(Book), 'text/csv': z.string() },
      },
      304: { description: 'Not modified' },
    },
    problems: ['invalid'],
  }),
  defineOperation('createBook', routes.create, {
    summary: 'Add a book',
    tags: ['books'],
    body: NewBook,
    security: [{ oauth: ['books:write'] }, { key: [], session: [] }],
    responses: {
      201: {
        description: 'The book',
        headers: { Location: { schema: z.string().meta({ format: 'uri' }), required: true } },
        body: Book,
        links: {
          remove: defineLink({
            operationId: 'removeBook',
            parameters: { 'path.bookId': '$response.header.Location' },
            description: 'Removes it again',
          }),
          again: defineLink({ operationRef: '#/paths/~1books/post', requestBody: '$request.body' }),
        },
      },
    },
    problems: ['malformed', 'conflict', 'invalid', 'forbidden', 'unavailable'],
  }),
  defineOperation('checkBook', routes.check, {
    summary: 'Check that a book exists',
    params: z.object({ bookId }),
    responses: { 200: { description: 'There is' }, 404: { description: 'There is not' } },
  }),
  defineOperation('readBook', routes.read, {
    summary: 'Read a book',
    params: z.object({ bookId }),
    security: [{}, { openid: [] }],
    responses: {
      200: { description: 'The book', body: { 'application/vnd.book+json': Book } },
      '3XX': { description: 'It is elsewhere' },
      '4XX': { description: 'It cannot be had', body: { 'text/plain': z.string() } },
      default: { description: 'Something else', body: { '*/*': z.unknown() } },
    },
    problems: ['notFound', 'gone'],
  }),
  defineOperation('replaceBook', routes.replace, {
    summary: 'Replace a book',
    deprecated: true,
    params: z.object({ bookId }),
    body: {
      'application/json': NewBook,
      'application/x-www-form-urlencoded': z.object({
        title: z.string(),
        tag: z.array(z.string()).optional(),
        pages: z.int(),
        note: Note.nullable(),
      }),
      'multipart/form-data': z.object({
        title: z.string(),
        cover: z.file().max(1_000_000).mime('image/png'),
        pages: z.array(z.file()),
        tag: z.array(z.string()).optional(),
        notes: z.array(Note),
        position: z.object({ shelf: z.int() }),
        readings: z.array(z.array(z.int())).optional(),
      }),
      'text/plain': z.string().max(10_000),
      'image/*': z.file(),
    },
    responses: gone,
    problems: ['notFound'],
  }),
  defineOperation('changeBook', routes.change, {
    summary: 'Change a book',
    params: z.object({ bookId }),
    body: { 'application/merge-patch+json': NewBook.partial().optional() },
    security: [{ oauth: ['books:write', 'books:read'] }],
    responses: { 200: { description: 'The book', body: Book } },
    problems: ['gone'],
  }),
  defineOperation('removeBook', routes.remove, {
    summary: 'Remove a book',
    responses: gone,
    problems: ['notFound'],
  }),
  defineOperation('listMethods', routes.methods, {
    summary: 'List the methods of a book',
    responses: { ...gone, 404: { description: 'Not found' } },
  }),
  defineOperation('readFile', routes.file, {
    summary: 'Read a file of a book',
    responses: {
      200: {
        description: 'The file',
        body: { 'application/octet-stream': z.file(), 'text/event-stream': z.string() },
      },
      203: { description: 'A copy of another type', body: z.file() },
      206: { description: 'A part', body: z.file().mime(['image/png', 'image/gif']) },
    },
    problems: ['notFound'],
  }),
]

const others = [
  defineOperation(
    'createAuthor',
    { method: 'POST', pattern: '/authors' },
    {
      summary: 'Add an author',
      query: type({ 'draft?': 'boolean', 'limit?': 'number.integer' }),
      body: Author,
      responses: { 201: { description: 'The author', body: Author } },
      problems: ['invalid'],
    },
  ),
  defineOperation(
    'listPublishers',
    { method: 'GET', pattern: '/authors/:authorId/publishers/:year' },
    {
      summary: 'List the publishers of an author in one year',
      params: type({ authorId: 'string', year: 'number.integer' }),
      responses: { 200: { description: 'The publishers', body: Publisher.array() } },
      problems: ['notFound'],
    },
  ),
  defineOperation(
    'replaceShelf',
    { method: 'PUT', pattern: '/shelves/:shelf' },
    {
      summary: 'Replace a shelf',
      body: ShelfSchema,
      responses: { 200: { description: 'The shelf', body: ShelfSchema } },
      problems: ['notFound'],
    },
  ),
  defineOperation(
    'createReader',
    { method: 'POST', pattern: '/readers' },
    {
      summary: 'Add a reader',
      body: Reader,
      responses: { 200: { description: 'All the readers', body: Readers } },
      problems: ['invalid'],
    },
  ),
  defineOperation(
    'traceShelf',
    { method: 'TRACE', pattern: '/shelves/:shelf' },
    { summary: 'Show what arrives', responses: gone, problems: ['forbidden'] },
  ),
  defineOperation(
    'readMirror',
    { method: 'GET', pattern: 'https://mirror.books.test/mirror/:year.:month' },
    {
      summary: 'Read what is elsewhere',
      responses: { 200: { description: 'The categories', body: z.array(Category) } },
      problems: ['notFound'],
    },
  ),
]

/** A document that uses every feature. */
export const kitchenSink = createDocument({
  info: {
    title: 'Books',
    version: '1.0.0',
    summary: 'All that can be said',
    description: 'A library of *books*.',
    termsOfService: 'https://books.test/terms',
    contact: { name: 'The desk', email: 'desk@books.test', url: 'https://books.test' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    { url: 'https://api.books.test', description: 'The library' },
    {
      url: 'https://{region}.books.test/{version}',
      variables: {
        region: { default: 'eu', enum: ['eu', 'us'] },
        version: { default: 'v1', description: 'Of the API' },
      },
    },
  ],
  externalDocs: { url: 'https://books.test/guide', description: 'The guide' },
  tags: [
    {
      name: 'books',
      description: 'The shelf that is read',
      externalDocs: { url: 'https://books.test/docs' },
    },
  ],
  securitySchemes: {
    token: bearer({ bearerFormat: 'JWT', description: 'A token' }),
    key: apiKey({ in: 'header', name: 'X-Key' }),
    query: apiKey({ in: 'query', name: 'key' }),
    session: apiKey({ in: 'cookie', name: 'session', description: 'Of the browser' }),
    oauth: oauth2({
      description: 'See https://books.test/.well-known/oauth-authorization-server',
      flows: {
        clientCredentials: {
          tokenUrl: 'https://books.test/token',
          scopes: { 'books:read': 'Read', 'books:write': 'Write' },
        },
        authorizationCode: {
          authorizationUrl: 'https://books.test/authorize',
          tokenUrl: 'https://books.test/token',
          refreshUrl: 'https://books.test/refresh',
          scopes: { 'books:read': 'Read', 'books:write': 'Write' },
        },
      },
    }),
    openid: openIdConnect({
      openIdConnectUrl: 'https://books.test/.well-known/openid-configuration',
    }),
  },
  security: [{ token: [] }, { query: [] }],
  problems,
}).add(...books, ...others)
