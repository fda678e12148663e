import { createDocument, defineOperation } from '@plumbline/openapi'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { ownSource } from '../own/source.ts'
import { KNOWN, type Parts } from './parts.ts'
import { planOperations } from './plan.ts'
import { arrivesUnchanged } from './read-back.ts'

const responses = { 204: { description: 'Done' } }
const text = z.string().optional()
const list = z.array(z.string()).optional()
const document = createDocument({ info: { title: 'Parts', version: '1' }, defaults: {} }).add(
  defineOperation('send', 'POST /things/:thing', {
    summary: 'Send everything',
    query: z.object({ q: text, list }),
    headers: z.object({ 'X-Text': text, 'X-List': list }),
    cookies: z.object({ c: text }),
    body: {
      'application/json': z.unknown(),
      'text/plain': z.string(),
      'application/x-www-form-urlencoded': z.object({ a: text, list }),
      'multipart/form-data': z.object({ a: text, list, file: z.file().optional() }),
    },
    responses,
  }),
  defineOperation('sendNew', 'POST /things/new', { summary: 'Send new things', responses }),
  defineOperation('readFile', 'GET /files/*path', { summary: 'Read a file', responses }),
)
const source = ownSource(document)
const { plans } = planOperations(source)
const none: Parts = { params: {}, query: {}, headers: {}, cookies: {}, body: null }

function arrives(operationId: string, parts: Partial<Parts>) {
  const plan = plans.find(({ operation }) => operation.operationId === operationId)
  if (plan === undefined) throw new TypeError(operationId)
  return arrivesUnchanged(source, plan, { ...none, ...parts }, '')
}

const thing = { thing: 'a' }
it.each<[boolean, string, Partial<Parts>]>([
  [true, 'a plus sign in a query', { query: { q: 'a+b &=' } }],
  [true, 'a line break in a query', { query: { q: '\r\n' } }],
  [false, 'a lone surrogate in a query', { query: { q: '\ud800' } }],
  [true, 'a list in a query', { query: { list: ['a', ''] } }],
  [false, 'a list without elements, which is absent', { query: { list: [] } }],
  [true, 'an empty header', { headers: { 'X-Text': '' } }],
  [true, 'blanks within a header', { headers: { 'X-Text': 'a  b' } }],
  [false, 'a blank before a header value', { headers: { 'X-Text': ' a' } }],
  [false, 'a blank after a header value', { headers: { 'X-Text': 'a\t' } }],
  [false, 'a line break in a header', { headers: { 'X-Text': 'a\nb' } }],
  [false, 'a character that is not a byte in a header', { headers: { 'X-Text': '中' } }],
  [true, 'a list in a header', { headers: { 'X-List': ['a', 'b'] } }],
  [false, 'a comma within an element of a header', { headers: { 'X-List': ['a,b'] } }],
  [true, 'any characters in a cookie', { cookies: { c: ' ";=,é\n' } }],
  [false, 'a lone surrogate in a cookie', { cookies: { c: '\udc00' } }],
  [true, 'a slash in a path parameter', { params: { thing: 'a/b' } }],
  [true, 'a path parameter that is not known yet', { params: { thing: KNOWN } }],
  [false, 'an empty path parameter', { params: { thing: '' } }],
  [false, 'a segment that a URL parser removes', { params: { thing: '..' } }],
  [false, 'a segment of another operation', { params: { thing: 'new' } }],
])('a request arrives unchanged: %j, %s', async (isSame, _, parts) => {
  expect(await arrives('send', { params: thing, ...parts })).toBe(isSame)
})

it.each([
  [true, ''],
  [true, 'a//b'],
  [false, '../a'],
])('a request arrives unchanged: %j, a wildcard with %j', async (isSame, path) => {
  expect(await arrives('readFile', { params: { path } })).toBe(isSame)
})

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
it.each<[boolean, string, unknown]>([
  [true, 'application/json', { a: ['\ud800', -0, '\n', null] }],
  [true, 'text/plain', '\r\n é'],
  [false, 'text/plain', '\ufeffa'],
  [false, 'text/plain', '\ud800'],
  [true, FORM, { a: '\r\n+', list: ['', 'b'] }],
  [false, FORM, { a: '\ud800' }],
  [false, MULTIPART, { a: '\n' }],
  [false, MULTIPART, { a: '\r' }],
  [true, MULTIPART, { a: '\r\n', list: ['"', 'é'] }],
  [true, MULTIPART, { file: new Blob(['\n'], { type: 'image/png' }) }],
  [true, MULTIPART, { a: { b: '\n' } }],
])('a request arrives unchanged: %j, the body of %s %j', async (isSame, type, value) => {
  const plan = plans[0]?.bodies.find((body) => body.type === type)
  if (plan === undefined) throw new TypeError(type)
  expect(await arrives('send', { params: thing, body: { plan, value } })).toBe(isSame)
})
