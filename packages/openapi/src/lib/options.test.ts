import { createDocument, defineOperation, parse } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { openapiHandler } from '@plumbline/openapi/router'
import { basic, bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { checkResponse, createConformanceRecorder } from '@plumbline/openapi/testing'
import { createSender } from '@plumbline/openapi/webhooks'
import { expect, it } from 'vitest'

const info = { title: 'Books', version: '1' }
const deleteBook = defineOperation('deleteBook', 'DELETE /books/:id', {
  summary: 'Delete a book',
  responses: { 204: { description: 'Deleted' } },
  security: [{ token: [] }, { login: [] }],
})
const securitySchemes = { token: bearer(), login: basic() }
const builder = createDocument({ info, defaults: {}, securitySchemes }).add(deleteBook)
const serving = {
  handlers: { deleteBook: () => new Response(null, { status: 204 }) },
  security: { token: () => null, login: () => null },
}

// A program in JavaScript, or an object that is spread in TypeScript, may have any member.
const document = (options: unknown) => createDocument(options as never)
const recorder = (options: unknown) => createConformanceRecorder(builder, options as never)
const serve = (options: object) => implement(builder, { ...serving, ...options } as never)
const read = (options: unknown) => parse('openapi: 3.1.1', options as never)
const client = (options: unknown) => createClient(builder, options as never)

it.each<[call: (options: never) => unknown, options: unknown, message: string]>([
  [document, undefined, 'the options of createDocument must be an object, not undefined'],
  [document, {}, 'createDocument: info must be an object, not undefined'],
  [document, { info: 'Books' }, 'createDocument: info must be an object, not a string'],
  [document, { info, openapi: '3.0.0' }, 'openapi must be one of 3.1.1, 3.2.0, not "3.0.0"'],
  [document, { info, server: [] }, 'createDocument: the option server is unknown; expected info, '],
  [document, { info, servers: '/' }, 'createDocument: servers must be a list, not "/"'],
  [document, { info, security: {} }, 'createDocument: security must be a list, not an object'],
  [document, { info, defaults: { notfound: 'a' } }, 'defaults: the option notfound is unknown'],
  [document, { info, defaults: { notFound: 7 } }, 'defaults: notFound must be a string, not 7'],
  [recorder, { basePath: 7 }, 'createConformanceRecorder: basePath must be a string, not 7'],
  [recorder, { ignore: '/docs' }, 'createConformanceRecorder: ignore must be a list of strings'],
  [recorder, { ignores: [] }, 'createConformanceRecorder: the option ignores is unknown; expec'],
  [serve, { handlers: undefined }, 'implement: handlers must be an object, not undefined'],
  [serve, { onerror: console.log }, 'implement: the option onerror is unknown; expected basePath'],
  [serve, { onError: true }, 'implement: onError must be a function, not a boolean'],
  [serve, { bodyLimit: '1 MB' }, 'implement: bodyLimit must be a whole number of at least 0'],
  [serve, { heartbeat: 2 ** 31 }, 'heartbeat must be a whole number of at least 0 and at most 214'],
  [serve, { checkResponses: 'thorw' }, 'implement: checkResponses must be one of throw, report, '],
  [serve, { docs: { path: '/docs' } }, 'docs: script must be a string or a Uint8Array, not undefi'],
  [serve, { docs: { path: '/', script: '', style: '', styles: '' } }, 'the option styles is unkn'],
  [(options) => openapiHandler(() => builder.build(), options), { cacheControl: 300 }, 'a string'],
  [read, { version: '3.2' }, 'parse: the option version is unknown; expected versions'],
  [
    read,
    { versions: '3.2' },
    `parse: versions must be a list with '3.1', '3.2' or both, not "3.2"`,
  ],
  [read, { versions: ['3.2.0'] }, "parse: versions must be a list with '3.1', '3.2' or both"],
  [read, { versions: [] }, "parse: versions must be a list with '3.1', '3.2' or both, not a list"],
  [client, undefined, 'createClient: baseUrl must be a string'],
  [client, { baseURL: '/' }, 'createClient: baseUrl must be a string'],
])('%o with %j throws a TypeError that says what to write: %s', (call, options, message) => {
  expect(() => call(options as never)).toThrow(TypeError)
  expect(() => call(options as never)).toThrow(message)
})

it('a secret passed in place of a function or an object is not in the message', () => {
  const message = 'createSender: sign must be a function, not a string'
  expect(() => createSender({}, { sign: 's3cret' } as never)).toThrow(new TypeError(message))
  expect(() => serve({ security: 's3cret' })).toThrow('security must be an object, not a string')
})

it('checkResponse rejects an unknown option', async () => {
  const [request, response] = [new Request('http://localhost/books/b1'), new Response()]
  await expect(
    checkResponse(builder, request, response, { basepath: '/api' } as never),
  ).rejects.toThrow('checkResponse: the option basepath is unknown; expected basePath')
})

const ROUTE = 'must be text such as GET /books/:id, or have a method and a pattern, not'
it.each<[args: readonly unknown[], message: string]>([
  [['GET /a', {}], `GET /a: the route ${ROUTE} an object`],
  [['a', { method: 'GET', path: '/a' }, {}], `a: the route ${ROUTE}`],
  [['a', { pattern: '/a' }, {}], `a: the route ${ROUTE}`],
  [['a', undefined, {}], `a: the route ${ROUTE} undefined`],
  [['a', 'GET /a'], 'a: the spec must be an object, not undefined'],
])('defineOperation(...%j) throws a TypeError that says what to write', (args, message) => {
  const define = defineOperation as (...args: readonly unknown[]) => unknown
  expect(() => define(...args)).toThrow(TypeError)
  expect(() => define(...args)).toThrow(message)
})

it('an undefined option counts as omitted', () => {
  expect(() => recorder({ basePath: undefined, ignores: undefined })).not.toThrow()
})
