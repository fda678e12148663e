import {
  checkCoverage,
  createContractRecorder,
  formatReport,
  generateTests,
} from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { basic, bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { expect, it } from 'vitest'

const info = { title: 'Books', version: '1' }
const deleteBook = defineOperation('deleteBook', 'DELETE /books/:id', {
  summary: 'Delete a book',
  responses: { 204: { description: 'Deleted' } },
  security: [{ token: [] }, { login: [] }],
})
const securitySchemes = { token: bearer(), login: basic() }
const builder = createDocument({ info, defaults: {}, securitySchemes }).add(deleteBook)
const api = implement(builder, {
  handlers: { deleteBook: () => new Response(null, { status: 204 }) },
  security: { token: () => null, login: () => null },
} as never)
const report = createContractRecorder(builder).report()

// A program in JavaScript, or an object that is spread in TypeScript, may have any member.
const recorder = (options: unknown) => createContractRecorder(builder, options as never)
const tests = (options: unknown) => generateTests(api, options as never)
const coverage = (options: unknown) => checkCoverage(report, options as never)

it.each<[call: (options: never) => unknown, options: unknown, message: string]>([
  [recorder, { runner: {} }, 'createContractRecorder: runner must be an object with currentT'],
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
])('%o with %j throws a TypeError that says what to write: %s', (call, options, message) => {
  expect(() => call(options as never)).toThrow(TypeError)
  expect(() => call(options as never)).toThrow(message)
})

it('messages about credentials contain no secrets', () => {
  expect(() => tests({ credentials: 's3cret' })).toThrow(/^[^']*per scheme, not a string$/)
  const credentials = { token: ['s3cret'] }
  expect(() => tests({ credentials })).toThrow(
    /^generateTests: credentials.token must be a string that is not empty, or a function, not a list$/,
  )
})

it('credentials from a function are checked before the first request', async () => {
  const [test] = tests({ credentials: async () => ({ token: { token: 'a' } }) })
  await expect(test?.run()).rejects.toThrow('generateTests: credentials.token must be a string')
})
