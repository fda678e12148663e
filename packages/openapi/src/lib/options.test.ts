import { createDocument, defineOperation, parse } from '@plumbline/openapi'
import { createClient } from '@plumbline/openapi/client'
import { openapiHandler } from '@plumbline/openapi/router'
import { basic, bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import {
  checkCoverage,
  checkResponse,
  createConformanceRecorder,
  formatReport,
  generateTests,
} from '@plumbline/openapi/testing'
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
const api = implement(builder, serving as never)
const report = createConformanceRecorder(builder).report()

// A program in JavaScript, or an object that is spread in TypeScript, may have any member.
const document = (options: unknown) => createDocument(options as never)
const recorder = (options: unknown) => createConformanceRecorder(builder, options as never)
const serve = (options: object) => implement(builder, { ...serving, ...options } as never)
const tests = (options: unknown) => generateTests(api, options as never)
const coverage = (options: unknown) => checkCoverage(report, options as never)
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
  [recorder, { runner: {} }, 'createConformanceRecorder: runner must be an object with currentT'],
  [serve, { handlers: undefined }, 'implement: handlers must be an object, not undefined'],
  [serve, { onerror: console.log }, 'implement: the option onerror is unknown; expected basePath'],
  [serve, { onError: true }, 'implement: onError must be a function, not a boolean'],
  [serve, { bodyLimit: '1 MB' }, 'implement: bodyLimit must be a whole number of at least 0'],
  [serve, { heartbeat: 2 ** 31 }, 'heartbeat must be a whole number of at least 0 and at most 214'],
  [serve, { checkResponses: 'thorw' }, 'implement: checkResponses must be throw, report or an ob'],
  [serve, { checkResponses: {} }, 'checkResponses: found must be one of report, not undefined'],
  [serve, { checkResponses: { found: 'report', sampel: 1 } }, 'the option sampel is unknown'],
  [serve, { docs: { path: '/docs' } }, 'docs: script must be a string or a Uint8Array, not undefi'],
  [serve, { docs: { path: '/', script: '', style: '', styles: '' } }, 'the option styles is unkn'],
  [tests, { runs: 0 }, 'generateTests: runs must be a whole number of at least 1, not 0'],
  [tests, { runs: Number.NaN }, 'generateTests: runs must be a whole number of at least 1, not Na'],
  [tests, { seed: '7' }, 'generateTests: seed must be a whole number, not "7"'],
  [tests, { exclude: 'deleteBook' }, 'generateTests: exclude must be a list of strings'],
  [tests, { cover: {} }, 'generateTests: cover must be a coverage report, not an object'],
  [tests, { recorder: {} }, 'generateTests: recorder must be a conformance recorder, not an obj'],
  [tests, { run: 5 }, 'generateTests: the option run is unknown; expected seed, runs, cover'],
  [tests, { credentials: 'secret' }, 'credentials must be an object with a string per scheme, not'],
  [tests, { credentials: { token: '' } }, 'credentials.token must be a string that is not empty'],
  [tests, { credentials: { token: { token: 'a' } } }, 'not empty, or a function, not an object'],
  [
    tests,
    { credentials: { token: undefined } },
    'a string that is not empty, or a function, not undefined',
  ],
  [tests, { credentials: { login: { username: 'a' } } }, 'or an object with username and password'],
  [
    tests,
    { credentials: { bearer: 'a' } },
    'credentials.bearer is not a scheme of the document; expected token, login',
  ],
  [coverage, { threshold: 100 }, 'checkCoverage: the option threshold is unknown; expected ignore'],
  [coverage, { thresholds: '100' }, 'checkCoverage: thresholds must be a number or an object'],
  [coverage, { ignore: {} }, 'checkCoverage: ignore must be a list, not an object'],
  [(options) => formatReport(report, options), { treshold: 1 }, 'formatReport: the option tresho'],
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
  expect(() => tests({ credentials: 's3cret' })).toThrow(/^[^']*per scheme, not a string$/)
  expect(() => serve({ security: 's3cret' })).toThrow('security must be an object, not a string')
})

it('messages about credentials contain no secrets', () => {
  const credentials = { token: ['s3cret'] }
  expect(() => tests({ credentials })).toThrow(
    /^generateTests: credentials.token must be a string that is not empty, or a function, not a list$/,
  )
})

it('credentials from a function are checked before the first request', async () => {
  const [test] = tests({ credentials: async () => ({ token: { token: 'a' } }) })
  await expect(test?.run()).rejects.toThrow('generateTests: credentials.token must be a string')
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
