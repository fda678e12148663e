import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../src/features/log/entry.ts'
import { exchangeText, type RecordedExchange } from '../../../src/features/recordings/exchange.ts'
import { createPseudonyms } from '../../../src/features/recordings/pseudonyms.ts'
import { createReplacements } from '../../../src/features/recordings/replace-body.ts'
import {
  isByEquality,
  replaceFilter,
  replacePath,
} from '../../../src/features/recordings/replace-filter.ts'
import { buildSteps } from '../../../src/features/recordings/run.ts'
import { extendTypes } from '../../../src/features/scim/stored-types.ts'
import { RESOURCE_TYPES } from '../../../src/kernel/resources/resource-types.ts'

const OWN_ID = '0195f0e0-0000-7000-8000-00000000000a'

describe("a string's replacement", () => {
  it.each([
    ['a UUID', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '00000000-0000-4000-8000-000000000001'],
    ['an email address', 'anna@corp.test', 'user1@example.com'],
    ['a URL', 'HTTPS://corp.test/anna', 'https://example.com/1'],
    ['a dateTime', '2001-02-03T04:05:06+01:00', '1970-01-02T00:00:00.000Z'],
    ['a phone number', '+1 (555) 123-45.67', '1'],
    ['Base64', 'aGVsbG8gd29ybGQh', 'MDAwMDAwMDAwMDAx'],
    ['Base64 with padding', 'aGVsbG8gd29ybGQhIQ==', 'MDAwMDAwMDAwMDAx'],
    ['Base64 with one padding character', 'aGVsbG8gd29ybGQhISE=', 'MDAwMDAwMDAwMDAx'],
    ['a short name', 'Anna', 'value1'],
    ['a text that contains a UUID', 'x 6f9619ff-8b86-d011-b42d-00c04fc964ff', 'value1'],
    ['a UUID and more', '6f9619ff-8b86-d011-b42d-00c04fc964ff!', 'value1'],
    ['a text with an address', 'mail anna@corp.test', 'value1'],
    ['two at signs', 'anna@corp@test', 'value1'],
    ['a text with a URL', 'see https://corp.test', 'value1'],
    ['a text with a dateTime', 'at 2001-02-03T04:05:06Z', 'value1'],
    ['a text with digits', 'room 7', 'value1'],
    ['digits and a letter', '7a', 'value1'],
    ['12 characters of Base64', 'aGVsbG8gd29y', 'value1'],
    ['Base64 and more', 'aGVsbG8gd29ybGQh!', 'value1'],
  ])('a replacement has the shape of %s', (_, text, replaced) => {
    expect(createPseudonyms().replace(text)).toBe(replaced)
  })

  it('a replacement is the same in any letter case, and differs for each string', () => {
    const { replace } = createPseudonyms()
    const replaced = ['anna', 'bert', 'ANNA', 'b@corp.test'].map(replace)
    expect(replaced).toEqual(['value1', 'value2', 'value1', 'user3@example.com'])
  })

  it.each(['', 'true', 'False', '***'])(
    'a replacement is %j itself, which says nothing',
    (text) => {
      expect(createPseudonyms().replace(text)).toBe(text)
    },
  )

  it.each([
    ['untrue', 'value1'],
    ['true story', 'value1'],
    ['****', 'value1'],
  ])('a replacement is not %j itself', (text, replaced) => {
    expect(createPseudonyms().replace(text)).toBe(replaced)
  })

  it('a known id is replaced with its placeholder', () => {
    const { addId, findId, replace } = createPseudonyms()
    expect([findId('a'), addId('a'), addId('b')]).toEqual([null, 'id1', 'id2'])
    expect([findId('a'), findId('b'), replace('b')]).toEqual(['{{id1}}', '{{id2}}', '{{id2}}'])
  })
})

/** Replaces a value by the name of its attribute and its length. */
const lengths = (name: string, text: string) => `${name}-${text.length}`

describe('a filter and a path with other values (RFC 7644 §3.4.2.2)', () => {
  it.each([
    ['userName eq "anna"', 'userName eq "userName-4"'],
    ['name.familyName co "a"', 'name.familyName co "familyName-1"'],
    ['not (title eq "ab")', 'not (title eq "title-2")'],
    ['title eq "a" and active eq true', 'title eq "title-1" and active eq true'],
    ['title pr or title eq "a"', 'title pr or title eq "title-1"'],
    ['emails[value eq "a" and type eq "b"]', 'emails[value eq "value-1" and type eq "type-1"]'],
    ['userName eq "anna', '['],
  ])('the filter %s gets other values', (filter, replaced) => {
    expect(replaceFilter(filter, lengths)).toBe(replaced)
  })

  it.each([
    ['userName', 'userName'],
    ['urn:a:b:2.0:User:costCenter', 'urn:a:b:2.0:User:costCenter'],
    ['x-y.$ref', 'x-y.$ref'],
    ['emails[value eq "a"]', 'emails[value eq "value-1"]'],
    ['emails[value eq "a"].display', 'emails[value eq "value-1"].display'],
    ['emails[value eq "]"].display', 'emails[value eq "value-1"].display'],
    ['emails[value eq "a"].display name', '['],
    ['emails[value eq "a"]display', '['],
    ['a b[value eq "a"]', '['],
    ['[value eq "a"]', '['],
    ['a]b[', '['],
    ['ab]', '['],
    ['a[b', '['],
    ['emails[value\neq "a"]', 'emails[[]'],
    ['emails[value eq "a"] ', '['],
    ['Anna Arbor', '['],
    ['Anna!', '['],
    ['!Anna', '['],
  ])('the path %j gets other values', (path, replaced) => {
    expect(replacePath(path, lengths)).toBe(replaced)
  })

  it.each([
    ['userName eq "a"', true],
    ['userName pr', true],
    ['userName eq "a" and title eq "b"', true],
    ['not (userName eq "a")', true],
    ['emails[value eq "a"]', true],
    ['userName sw "a"', false],
    ['userName eq "a" and title co "b"', false],
    ['title co "b" or userName eq "a"', false],
    ['not (userName gt "a")', false],
    ['emails[value ew "a"]', false],
    ['userName eq', false],
  ])('the result from %s depends only on equal values: %j', (filter, expected) => {
    expect(isByEquality(filter)).toBe(expected)
  })
})

describe('a body with other values', () => {
  const bodyOf = (body: unknown) => createReplacements(createPseudonyms()).body(body)

  it.each([
    [
      'strings and numbers are replaced',
      { title: 'Dr', level: 7, ratio: 0.5 },
      { title: 'value1', level: 2, ratio: 3 },
    ],
    ['null and booleans are kept', { a: null, b: true }, { a: null, b: true }],
    ['the elements of lists are replaced', ['a', ['b']], ['value1', ['value2']]],
    [
      'the values of the protocol are kept',
      { OP: 'Add', method: 'POST', bulkId: 'b', scimType: 'x', status: '400', resourceType: 'y' },
      { OP: 'Add', method: 'POST', bulkId: 'b', scimType: 'x', status: '400', resourceType: 'y' },
    ],
    [
      'the numbers of the protocol are kept',
      { count: 1, startIndex: 2, totalResults: 3, itemsPerPage: 4, failOnErrors: 5 },
      { count: 1, startIndex: 2, totalResults: 3, itemsPerPage: 4, failOnErrors: 5 },
    ],
    [
      'the canonical values of RFC 7643 §4 are kept',
      { type: ['Work', 'home', 'other', 'mobile', 'fax', 'pager', 'photo', 'thumbnail'] },
      { type: ['Work', 'home', 'other', 'mobile', 'fax', 'pager', 'photo', 'thumbnail'] },
    ],
    [
      'the values of a search are kept',
      ['user', 'Group', 'direct', 'indirect', 'ascending', 'descending'],
      ['user', 'Group', 'direct', 'indirect', 'ascending', 'descending'],
    ],
    [
      'URNs and references of a bulk request are kept',
      ['urn:ietf:params:scim:api', 'URN:a:b', 'bulkId:qwerty', `bulkId:${'x'.repeat(100)}`],
      ['urn:ietf:params:scim:api', 'URN:a:b', 'bulkId:qwerty', `bulkId:${'x'.repeat(100)}`],
    ],
    [
      'strings that are longer than such values are replaced',
      ['urn:a b', 'my urn:a', 'bulkId:a b', 'x bulkId:a', `bulkId:${'x'.repeat(101)}`, 'bulkId:'],
      ['value1', 'value2', 'value3', 'value4', 'value5', 'value6'],
    ],
    [
      'the values in a filter and a path are replaced',
      { Filter: 'title eq "Dr"', path: 'emails[value eq "Dr"]', Path: 'title' },
      { Filter: 'title eq "value1"', path: 'emails[value eq "value1"]', Path: 'title' },
    ],
    [
      'a name that only contains filter or path has an ordinary value',
      { myfilter: 'title eq "Dr"', filters: 'x y', mypath: 'a b', paths: 'c d' },
      { myfilter: 'value1', filters: 'value2', mypath: 'value3', paths: 'value4' },
    ],
    [
      'the id in the path of a bulk operation is replaced',
      { path: '/Users/anna' },
      { path: '/Users/value1' },
    ],
    [
      'a reference in the path of a bulk operation is kept',
      { path: '/Users/bulkId:a' },
      { path: '/Users/bulkId:a' },
    ],
    ['the path of an endpoint is kept', { path: '/Users' }, { path: '/Users' }],
    [
      'the values of JSON in a string are replaced',
      { roles: ' {"value":"Admin","n":7}', list: '["Admin"]' },
      { roles: '{"value":"value1","n":2}', list: '["value1"]' },
    ],
    [
      'a string that only looks like JSON is replaced',
      { roles: '{Admin', note: 'x {"a":1}' },
      { roles: 'value1', note: 'value2' },
    ],
    [
      'the values in a name that is a path are replaced',
      { 'emails[value eq "x"].type': 'y' },
      { 'emails[value eq "value1"].type': 'value2' },
    ],
  ])('in a recorded body, %s', (_, body, replaced) => {
    expect(bodyOf(body)).toEqual(replaced)
  })

  it('an answer omits whatever another directory answers differently', () => {
    const answer = {
      meta: {},
      detail: 'a',
      location: 'b',
      version: 'c',
      groups: [],
      nextCursor: 'd',
      id: 'e',
      members: [{ value: 'f', $ref: 'g' }],
    }
    const { answer: answerOf, body } = createReplacements(createPseudonyms())
    expect(answerOf(answer)).toEqual({ id: 'value1', members: [{ value: 'value2' }] })
    expect(body({ detail: 'e', meta: {} })).toEqual({ detail: 'value1', meta: {} })
  })
})

const CREATED: RecordedExchange = {
  method: 'POST',
  target: '/Users',
  route: '/Users',
  tokenId: null,
  contentType: 'application/scim+json',
  body: { userName: 'anna' },
  status: 201,
  answer: { id: OWN_ID, userName: 'anna', meta: {} },
}
const FOUND: RecordedExchange = {
  method: 'GET',
  target: '/Users',
  route: '/Users',
  tokenId: null,
  contentType: null,
  status: 200,
  answer: { totalResults: 0 },
}

describe('the steps in a run', () => {
  it('the steps create resources, save their ids, and use them later', () => {
    const read = { ...FOUND, target: `/Users/${OWN_ID}`, route: '/Users/:id' }
    const missing = { ...read, status: 404, target: '/Users/a%20b', answer: { status: '404' } }
    expect(buildSteps([CREATED, { ...read, answer: { id: OWN_ID } }, missing])).toEqual({
      omitted: 0,
      steps: [
        {
          name: '1: POST /Users',
          request: {
            method: 'POST',
            path: '/Users',
            headers: { 'Content-Type': 'application/scim+json' },
            body: { userName: 'value1' },
          },
          expect: { status: 201, body: { id: '{{id1}}', userName: 'value1' } },
          save: { id1: '/id' },
        },
        {
          name: '2: GET /Users/:id',
          request: { method: 'GET', path: '/Users/{{id1}}' },
          expect: { status: 200, body: { id: '{{id1}}' } },
        },
        {
          name: '3: GET /Users/:id',
          request: { method: 'GET', path: '/Users/value2' },
          expect: { status: 404, body: { status: '404' } },
        },
      ],
    })
  })

  it.each<readonly [string, Partial<RecordedExchange>]>([
    ['a resource that existed before', { target: `/Users/${OWN_ID}`, route: '/Users/:id' }],
    ['its id in the body', { body: { members: [{ value: OWN_ID }] } }],
    ['its id in the query', { target: `/Users?filter=${encodeURIComponent(`id eq "${OWN_ID}"`)}` }],
    ['a page by a cursor (RFC 9865)', { target: '/Users?count=1&CURSOR=x' }],
    ...[304, 401, 403, 412, 428, 429, 499, 500, 503].map(
      (status) => [`the status ${status}`, { status }] as const,
    ),
  ])('the steps omit %s', (_, other) => {
    expect(buildSteps([{ ...FOUND, ...other }])).toEqual({ steps: [], omitted: 1 })
  })

  it('the steps contain a request for an id unknown in both directories', () => {
    const target = `/Users/${OWN_ID}`
    const { steps } = buildSteps([{ ...FOUND, status: 404, target, route: '/Users/:id' }])
    expect(steps).toMatchObject([
      { request: { path: '/Users/00000000-0000-4000-8000-000000000001' }, expect: { status: 404 } },
    ])
  })

  it.each([
    ['/Schemas/urn:a', '/Schemas/:id'],
    ['/ResourceTypes/User', '/ResourceTypes/:id'],
  ])('the steps keep the path %s, and do not compare the answer', (target, route) => {
    const { steps } = buildSteps([{ ...FOUND, target, route }])
    expect(steps).toMatchObject([{ request: { path: target } }])
    expect(steps[0]?.expect).toEqual({ status: 200 })
  })

  it.each([
    ['/Users?count=2&startIndex=1', '/Users?count=2&startIndex=1'],
    ['/Users?attributes=userName,title&unknown=anna', '/Users?attributes=userName,title'],
    ['/Users?ATTRIBUTES=a&excludedAttributes=b', '/Users?ATTRIBUTES=a&excludedAttributes=b'],
    ['/Users?sortBy=title&sortOrder=descending', '/Users?sortBy=title&sortOrder=descending'],
    ['/Users?aadOptscim062020', '/Users?aadOptscim062020'],
    ['/Users?attributes=a b', '/Users?'],
    ['/Users?mycount=1&counts=2', '/Users?'],
    ['/Users?', '/Users?'],
    ['/Users?Filter=title%20pr', '/Users?Filter=title%20pr'],
    ['/Users?filter=title+eq+%22Dr%22', '/Users?filter=title%20eq%20%22value1%22'],
    ['/Users?filter', '/Users?filter=%5B'],
    ['/Users?myfilter=anna&filters=anna', '/Users?'],
    ['/Users?mycursor=anna', '/Users?'],
  ])('a step with the path %s gets other values', (target, path) => {
    expect(buildSteps([{ ...FOUND, target }]).steps).toMatchObject([{ request: { path } }])
  })

  it('a filter with a created id has the placeholder', () => {
    const target = `/Groups?filter=${encodeURIComponent(`members.value eq "${OWN_ID}"`)}`
    const [, step] = buildSteps([CREATED, { ...FOUND, target, route: '/Groups' }]).steps
    expect(step?.request.path).toBe('/Groups?filter=members.value%20eq%20%22{{id1}}%22')
  })

  it.each([
    ['a search by equality', { target: '/Users?filter=title%20eq%20%22a%22' }, true],
    ['another search', { target: '/Users?filter=title%20co%20%22a%22' }, false],
    ['a POST of a search by equality', { body: { filter: 'title eq "a"' } }, true],
    ['a POST of another search', { body: { filter: 'title co "a"' } }, false],
    ['a rejected search', { status: 400, target: '/Users?filter=title%20co%20%22a%22' }, true],
    ['an unknown resource', { answer: { Resources: [{ id: OWN_ID }] } }, false],
    ['the configuration', { route: '/ServiceProviderConfig' }, false],
    ['no body', { answer: undefined }, false],
  ])('the answer is compared after %s: %j', (_, other, isCompared) => {
    const [step] = buildSteps([{ ...FOUND, ...other }]).steps
    expect(Object.hasOwn(step?.expect ?? {}, 'body')).toBe(isCompared)
  })

  it.each([
    ['an answer without an id', { answer: {} }],
    ['an id that is not a string', { answer: { id: 7 } }],
    ['another status', { status: 200 }],
    ['another method', { method: 'PUT' }],
    ['no answer', { answer: undefined }],
  ])('no id is saved from %s', (_, other) => {
    const [step] = buildSteps([{ ...CREATED, answer: { id: 'a' }, ...other }]).steps
    expect(step).toBeDefined()
    expect(step).not.toHaveProperty('save')
  })

  it.each([
    [null, false],
    ['application/scim+json; charset=utf-8', true],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['', false],
    ['text/"anna"', false],
    ['"anna"/x', false],
  ])('the media type %j is sent: %j', (contentType, isSent) => {
    const [step] = buildSteps([{ ...FOUND, contentType }]).steps
    expect(step?.request.headers).toEqual(isSent ? { 'Content-Type': contentType } : undefined)
  })
})

const ANSWERED: AnsweredRequest = {
  request: new Request('http://localhost/scim/v2/Users'),
  target: '/Users',
  requestId: 'r',
  time: 0,
  milliseconds: 1,
  tenantId: 'a',
  tokenId: 't',
  types: RESOURCE_TYPES,
  rejection: null,
  pattern: '/scim/v2/Users',
  fault: null,
  route: '/Users',
  resourceId: null,
  userName: null,
  status: 200,
  error: null,
  body: undefined,
  ignored: [],
}
const recordedOf = (other: Partial<AnsweredRequest>, answer: string | null = ''): unknown =>
  JSON.parse(exchangeText({ ...ANSWERED, ...other }, answer) ?? 'null')

describe('a recorded request', () => {
  it('a recorded request does not have sensitive values', () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/scim+json' } }
    const request = new Request('http://localhost/scim/v2/Users', init)
    const body = { userName: 'anna', password: 'hunter2' }
    const target = '/Users?access_token=hunter2'
    expect(recordedOf({ request, target, body, status: 201 }, '{"password":"hunter2"}')).toEqual({
      method: 'POST',
      target: '/Users?access_token=***',
      route: '/Users',
      tokenId: 't',
      status: 201,
      contentType: 'application/scim+json',
      body: { userName: 'anna', password: '***' },
      answer: { password: '***' },
    })
  })

  it('a recorded request does not have attribute values the tenant never returns', () => {
    const id = 'urn:example:acme:2.0:User'
    const attributes = [{ name: 'door', type: 'string', returned: 'never' }] as const
    const definition = { id, name: 'Acme', attributes }
    const types = extendTypes([{ resourceType: 'User', required: false, definition }])
    const target = `/Users?filter=${encodeURIComponent(`${id}:door eq "hunter2"`)}`
    const detail = 'the value hunter2 is wrong'
    const recorded = recordedOf(
      { types, target, status: 400, body: { [id]: { DOOR: 'hunter2' } } },
      JSON.stringify({ status: '400', detail, Operations: [{ response: { detail } }] }),
    )
    expect(recorded).toMatchObject({
      body: { [id]: { DOOR: '***' } },
      answer: { status: '400', Operations: [{ response: {} }] },
    })
    expect(JSON.stringify(recorded)).not.toContain('hunter2')
  })

  it.each([null, ''])(
    'a recorded request without a body and with the answer %j does not have them',
    (answer) => {
      expect(recordedOf({}, answer)).toEqual({
        method: 'GET',
        target: '/Users',
        route: '/Users',
        tokenId: 't',
        status: 200,
        contentType: null,
      })
    },
  )

  it.each([
    ['without a route', { route: null }],
    ['with a long path', { target: `/${'x'.repeat(8_000)}` }],
    ['with a long string', { body: { title: 'x'.repeat(20_001) } }],
    ['with many values', { body: Array(20_001).fill(1) }],
    ['with many long strings', { body: Array(53).fill('x'.repeat(20_000)) }],
  ])('%s is not stored', (_, other) => {
    expect(recordedOf(other)).toBeNull()
  })

  it.each([
    ['a path of 8,000 characters', { target: '/x'.repeat(4_000) }],
    ['a string of 20,000 characters', { body: { title: 'x'.repeat(20_000) } }],
  ])('a recorded request with %s is stored', (_, other) => {
    expect(recordedOf(other)).toMatchObject(other)
  })

  it('a recorded request with a very large answer is stored without it', () => {
    const recorded = recordedOf({}, JSON.stringify({ title: 'x'.repeat(20_001) }))
    expect(recorded).toMatchObject({ status: 200 })
    expect(recorded).not.toHaveProperty('answer')
  })
})
