/** A mistake in the program below, and the start of the compiler's message. */
export interface CompileError {
  readonly mistake: string
  /** The part of the program that is replaced. */
  readonly from: string
  readonly to: string
  readonly message: string
  /** The number of errors; 1 by default. */
  readonly errors?: number
}

export const PROGRAM = `import { createDocument, defineOperation } from '@plumbline/openapi'
import { apiKey, bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://example.com/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  soldOut: { slug: 'sold-out', status: 409, title: 'Sold out' },
})
const key = apiKey({ in: 'header', name: 'X-Key' })
const builder = createDocument({
  info: { title: 'Books', version: '1' },
  problems,
  defaults: {},
  securitySchemes: { token: bearer(), key },
  security: [{ token: [] }],
}).add(
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    responses: {
      200: {
        description: 'The book',
        body: z.object({ title: z.string() }),
        headers: { ETag: { schema: z.string(), required: true } },
      },
      303: { description: 'Moved' },
      304: { description: 'Not changed' },
    },
    problems: ['notFound'],
  }),
  defineOperation('readCover', 'GET /books/:id/cover', {
    summary: 'Read a cover',
    responses: { 200: { description: 'A', body: { 'image/*': z.file(), 'text/plain': z.string() } } },
  }),
)
export const api = implement(builder, {
  security: { token: async ({ token }) => ({ name: token }), key: ({ key }) => ({ key }) },
  handlers: {
    readBook: ({ principal, reply, problems }) => {
      if (principal.name === '') return problems.notFound()
      if (principal.name === 'a') return reply(303, null, { headers: { Location: '/' } })
      return reply(200, { title: 'Emma' }, { headers: { ETag: '"1"' } })
    },
    readCover: ({ reply }) => reply(200, 'none', { contentType: 'text/plain' }),
  },
})
`

export const COMPILE_ERRORS: readonly CompileError[] = [
  {
    mistake: 'a status that is not declared',
    from: `reply(200, { title: 'Emma' }, { headers: { ETag: '"1"' } })`,
    to: 'reply(418)',
    message: `Argument of type '418' is not assignable to parameter of type '"operation \\"readBook\\" does not declare status 418"'.`,
  },
  {
    mistake: 'the status of a problem',
    from: 'problems.notFound()',
    to: 'reply(404)',
    message: `Argument of type '404' is not assignable to parameter of type '"operation \\"readBook\\" does not declare status 404"'.`,
  },
  {
    mistake: 'a body with a wrong member',
    from: `{ title: 'Emma' }`,
    to: '{ title: 1 }',
    message: `Type 'number' is not assignable to type 'string'.`,
  },
  {
    mistake: 'a body with an unknown member',
    from: `{ title: 'Emma' }`,
    to: `{ titel: 'Emma' }`,
    message: `Object literal may only specify known properties, but 'titel' does not exist in type '{ title: string; }'. Did you mean to write 'title'?`,
  },
  {
    mistake: 'a body for a status without one',
    from: 'problems.notFound()',
    to: `reply(304, 'none')`,
    message: `Argument of type '"none"' is not assignable to parameter of type 'null | undefined'.`,
  },
  {
    mistake: 'a required header that is misspelt',
    from: `headers: { ETag: '"1"'`,
    to: `headers: { Etag: '"1"'`,
    message: `Property 'ETag' is missing in type '{ Etag: string; }' but required in type '{ readonly ETag: string; }'.`,
  },
  {
    mistake: 'a required header that is missing',
    from: `{ headers: { ETag: '"1"' } }`,
    to: '{ headers: {} }',
    message: `Property 'ETag' is missing in type '{}' but required in type '{ readonly ETag: string; }'.`,
  },
  {
    mistake: 'missing options with a required header',
    from: `, { headers: { ETag: '"1"' } })`,
    to: ')',
    message: 'Expected 3 arguments, but got 2.',
  },
  {
    mistake: 'a redirect without a location',
    from: `reply(303, null, { headers: { Location: '/' } })`,
    to: 'reply(303, null, { headers: {} })',
    message: `Property 'Location' is missing in type '{}' but required in type '{ readonly Location: string; }'.`,
  },
  {
    mistake: 'a media type that is not declared',
    from: `contentType: 'text/plain'`,
    to: `contentType: 'text/html'`,
    message: `Argument of type '["none", { contentType: "text/html"; }]' is not assignable to parameter of type '[body: string | Bytes, options: { readonly headers?: OtherHeaders; } & { readonly contentType: "text/plain"; }]`,
  },
  {
    mistake: 'a problem that the operation does not name',
    from: 'problems.notFound()',
    to: 'problems.soldOut()',
    message: `Property 'soldOut' does not exist on type 'AnswerProblems<"readBook",`,
  },
  {
    mistake: 'a member that the context does not have',
    from: 'readCover: ({ reply })',
    to: 'readCover: ({ reply, user })',
    message: `Property 'user' does not exist on type '{ readonly params: { id: string; }; readonly query: undefined;`,
  },
  {
    mistake: 'a response that is made by hand',
    from: 'problems.notFound()',
    to: `new Response('x', { status: 404 })`,
    message: `Property ''made by reply or problems of this handler'' is missing in type 'Response' but required in type 'Answer<"readBook">'.`,
  },
  {
    mistake: 'a handler that is missing',
    from: `    readCover: ({ reply }) => reply(200, 'none', { contentType: 'text/plain' }),\n`,
    to: '',
    message: `Property 'readCover' is missing in type`,
  },
  {
    mistake: 'a handler that is not known',
    from: '    readCover: (',
    to: '    readCovers: () => null,\n    readCover: (',
    message: `Object literal may only specify known properties, but 'readCovers' does not exist in type 'OptionalHandlers<`,
  },
  {
    mistake: 'a scheme without a verifier',
    from: ', key: ({ key }) => ({ key })',
    to: '',
    message: `Property 'key' is missing in type`,
  },
  {
    mistake: 'no verifiers',
    from: '  security: { token: async ({ token }) => ({ name: token }), key: ({ key }) => ({ key }) },\n',
    to: '',
    message: `Property 'security' is missing in type`,
  },
  {
    mistake: 'scopes of a principal that are not a list',
    from: '({ name: token }), key',
    to: `({ name: token, scopes: 'a b' }), key`,
    message: `Type 'string' is not assignable to type 'readonly string[]'.`,
  },
  {
    mistake: 'credentials of another scheme',
    from: 'async ({ token }) => ({ name: token })',
    to: 'async ({ password }) => ({ name: password })',
    message: `Property 'password' does not exist on type 'Credentials<BearerToken>'.`,
  },
  {
    mistake: 'a member that the principal does not have',
    from: `principal.name === ''`,
    to: `principal.age === ''`,
    message: `Property 'age' does not exist on type '{ name: string; }'.`,
  },
  {
    mistake: 'a served document without default problems',
    from: '  defaults: {},\n',
    to: '',
    message: `but required in type '{ readonly defaults: "give createDocument the option defaults"; }'.`,
  },
  {
    mistake: 'a default problem that the catalog does not define',
    from: 'defaults: {}',
    to: `defaults: { notFound: 'missing' }`,
    message: `The intersection 'ProblemDefaults & { readonly notFound: "missing"; } & CheckDefaults<{ readonly notFound: "missing"; }, "notFound" | "soldOut">' was reduced to 'never' because property 'notFound' has conflicting types in some constituents.`,
  },
  {
    mistake: 'an operation with a problem that the catalog does not define',
    from: `problems: ['notFound']`,
    to: `problems: ['notFound', 'gone']`,
    message: `is not assignable to parameter of type '"problems does not define gone"'.`,
  },
  {
    mistake: 'an operation with a security scheme that the document does not define',
    from: `summary: 'Read a cover',`,
    to: `summary: 'Read a cover', security: [{ login: [] }],`,
    message: `is not assignable to parameter of type '"securitySchemes does not define login"'.`,
  },
]
