import { describe, expect, it } from 'vitest'
import { ERROR_SCHEMA, LIST_RESPONSE_SCHEMA, MEDIA_TYPE } from '../constants.ts'
import { type ErrorType, ScimError } from '../error.ts'
import type * as Scim from '../model.ts'
import { RawJson } from './raw-json.ts'
import {
  errorResponse,
  listResponse,
  scimResponse,
  stringifyList,
  stringifyWithList,
} from './responses.ts'

describe('scimResponse (RFC 7644 §3.1)', () => {
  it('scimResponse sends the body as application/scim+json with status 200', async () => {
    const response = scimResponse({ id: '1', title: undefined })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(MEDIA_TYPE)
    expect(await response.text()).toBe('{"id":"1"}')
  })

  it('scimResponse accepts a status and headers in every form, and keeps the media type', () => {
    const location = 'http://localhost/Users/1'
    const forms = [
      { Location: location, 'content-type': 'text/html' },
      new Headers({ Location: location, 'Content-Type': 'text/html' }),
      [['Location', location] as [string, string]],
    ]
    for (const headers of forms) {
      const response = scimResponse({}, { status: 201, headers })
      expect(response.status).toBe(201)
      expect(response.headers.get('Location')).toBe(location)
      expect(response.headers.get('Content-Type')).toBe(MEDIA_TYPE)
    }
  })

  it('scimResponse sends raw JSON unchanged', async () => {
    const text = '{ "id": "1" }'
    const response = scimResponse(new RawJson(text))
    expect(await response.text()).toBe(text)
    expect(response.headers.get('Content-Type')).toBe(MEDIA_TYPE)
    const page = { resources: [new RawJson(text), { id: '2' }], totalResults: 2, startIndex: 1 }
    expect(await listResponse(page, (one) => one).json()).toMatchObject({
      Resources: [{ id: '1' }, { id: '2' }],
    })
    // Inside another value as well.
    expect(await scimResponse({ response: new RawJson(text) }).json()).toEqual({
      response: { id: '1' },
    })
  })

  it("scimResponse does not change the caller's headers", () => {
    const headers = new Headers({ ETag: 'W/"1"' })
    scimResponse({}, { headers })
    expect([...headers.keys()]).toEqual(['etag'])
  })
})

describe('errorResponse (RFC 7644 §3.12)', () => {
  // Table 9 and RFC 9865 §2, each code with its status.
  it.each<[ErrorType, number]>([
    ['invalidFilter', 400],
    ['tooMany', 400],
    ['uniqueness', 409],
    ['mutability', 400],
    ['invalidSyntax', 400],
    ['invalidPath', 400],
    ['noTarget', 400],
    ['invalidValue', 400],
    ['invalidVers', 400],
    ['sensitive', 403],
    ['invalidCursor', 400],
    ['expiredCursor', 400],
    ['invalidCount', 400],
  ])('errorResponse writes %s', async (scimType, status) => {
    const response = errorResponse(new ScimError(status, 'why', { scimType }))
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toBe(MEDIA_TYPE)
    expect(await response.json()).toStrictEqual({
      schemas: [ERROR_SCHEMA],
      scimType,
      detail: 'why',
      status: String(status),
    })
  })

  it('errorResponse omits scimType if the error does not have one', async () => {
    const response = errorResponse(new ScimError(404, 'user 1 not found'))
    expect(await response.json()).toStrictEqual({
      schemas: [ERROR_SCHEMA],
      detail: 'user 1 not found',
      status: '404',
    })
  })

  it("errorResponse uses the error's status whatever init contains, and accepts headers", () => {
    const init = { status: 200, headers: { 'Retry-After': '5' } }
    const response = errorResponse(new ScimError(429, 'slow down'), init)
    expect(response.status).toBe(429)
    expect(response.headers.get('Retry-After')).toBe('5')
  })

  it('errorResponse never shows the cause', async () => {
    const cause = new Error('password=hunter2')
    const error = new ScimError(400, 'no', { cause, scimType: 'invalidSyntax' })
    expect(await errorResponse(error).text()).not.toContain('hunter2')
    expect(error.cause).toBe(cause)
  })
})

describe('ScimError', () => {
  it('a ScimError is an Error with a name, a status and a detail', () => {
    const error = new ScimError(409, 'userName is taken', { scimType: 'uniqueness' })
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toBe('ScimError: userName is taken')
    expect(error).toMatchObject({ status: 409, scimType: 'uniqueness' })
    expect(Object.hasOwn(error, 'cause')).toBe(false)
  })

  it('a ScimError does not have a scimType by default', () => {
    expect(new ScimError(404, 'gone').scimType).toBeNull()
    expect(new ScimError(404, 'gone', { cause: 'x' }).scimType).toBeNull()
  })
})

describe('listResponse (RFC 7644 §3.4.2)', () => {
  it('listResponse writes every resource, and counts the page', async () => {
    const page = { resources: ['a', 'b'], totalResults: 7, startIndex: 3 }
    const response = listResponse(page, (id) => ({ id }), { headers: { ETag: 'W/"1"' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe('W/"1"')
    expect(response.headers.get('Content-Type')).toBe(MEDIA_TYPE)
    expect(await response.json()).toStrictEqual({
      schemas: [LIST_RESPONSE_SCHEMA],
      totalResults: 7,
      itemsPerPage: 2,
      startIndex: 3,
      Resources: [{ id: 'a' }, { id: 'b' }],
    })
  })

  it('listResponse writes an empty list for an empty page: clients that look up a user need it', async () => {
    const page = { resources: [], totalResults: 0, startIndex: 1 }
    const body = await listResponse(page, (one: object) => one).json()
    expect(body).toMatchObject({ totalResults: 0, itemsPerPage: 0, Resources: [] })
  })

  it('listResponse calls the mapping with the resource only', () => {
    const seen: unknown[][] = []
    const page = { resources: ['a'], totalResults: 1, startIndex: 1 }
    listResponse(page, (...given: unknown[]) => {
      seen.push(given)
      return {}
    })
    expect(seen).toStrictEqual([['a']])
  })
})

describe('listResponse for a page by cursor (RFC 9865 §2)', () => {
  it.each<[string, Scim.CursorPage<string>, object]>([
    [
      'has the cursors, and no startIndex',
      { resources: ['a'], totalResults: 3, nextCursor: 'n', previousCursor: 'p' },
      { totalResults: 3, itemsPerPage: 1, nextCursor: 'n', previousCursor: 'p' },
    ],
    [
      'may omit the total',
      { resources: ['a'], nextCursor: 'n' },
      { itemsPerPage: 1, nextCursor: 'n' },
    ],
    [
      'does not have a nextCursor on the last page',
      { resources: ['a'], previousCursor: 'p' },
      { itemsPerPage: 1, previousCursor: 'p' },
    ],
  ])('a list response by cursor %s', async (_, page, expected) => {
    expect(await listResponse(page, (id) => ({ id })).json()).toStrictEqual({
      schemas: [LIST_RESPONSE_SCHEMA],
      ...expected,
      Resources: [{ id: 'a' }],
    })
  })

  it('a page by cursor may be empty', async () => {
    const body = await listResponse({ resources: [], totalResults: 0 }, (one: object) => one).json()
    expect(body).toMatchObject({ totalResults: 0, itemsPerPage: 0, Resources: [] })
  })
})

describe('stringifyList', () => {
  it.each([
    ['without resources', { resources: [], totalResults: 0, startIndex: 1 }],
    ['by index', { resources: ['a', 'b', 'c'], totalResults: 9, startIndex: 4 }],
    ['by cursor', { resources: ['a'], nextCursor: 'n"', previousCursor: 'p' }],
  ])('stringifyList writes the listResponse body in pieces for a page %s', async (_, page) => {
    const toResource = (id: string): object =>
      id === 'b' ? new RawJson('{"id": "b", "x": [1]}') : { id, more: [']}'] }
    const pieces = stringifyList(page, toResource)
    expect(pieces).toHaveLength(page.resources.length + 2)
    expect(pieces.join('')).toBe(await listResponse(page, toResource).text())
  })
})

describe('stringifyWithList', () => {
  it('stringifyWithList joins lists, without the empty lists', () => {
    const lists = ['[]', '["a","]"]', '[]', '[{"b":[]}]']
    const pieces = stringifyWithList({ id: '1' }, 'members', lists)
    expect(pieces).toHaveLength(4)
    expect(pieces.join('')).toBe('{"id":"1","members":["a","]",{"b":[]}]}')
  })

  it('stringifyWithList writes an empty list, and adds to a RawJson', () => {
    const pieces = stringifyWithList(new RawJson('{"id":"1"}'), 'members', ['[]'])
    expect(pieces.join('')).toBe('{"id":"1","members":[]}')
  })
})

describe('RawJson.withMembers', () => {
  it('withMembers adds members at the end, without the undefined ones', () => {
    const stored = new RawJson('{"id":"1"}')
    const meta = { version: 'W/"1"' }
    expect(stored.withMembers({ groups: undefined, meta }).text).toBe(
      JSON.stringify({ id: '1', meta }),
    )
    expect(stored.withMembers({ groups: undefined }).text).toBe(stored.text)
  })
})
