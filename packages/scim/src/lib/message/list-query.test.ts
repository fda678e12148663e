import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { SEARCH_REQUEST_SCHEMA } from '../constants.ts'
import { stringifyFilter } from '../filter/stringify.ts'
import { project } from '../resource/project.ts'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import { read, rejected, schemaPaths, unknown } from './list-query.cases.ts'
import { parseListQuery, parseSearchRequest } from './list-query.ts'

const attributes = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const defaults = { startIndex: 1, count: 100, sortOrder: 'ascending' }

function url(query: string): URL {
  return new URL(`http://localhost/Users?${query}`)
}

function search(members: object): object {
  return { schemas: [SEARCH_REQUEST_SCHEMA], ...members }
}

describe('a list query (RFC 7644 §3.4.2)', () => {
  it.each(read)('a list query is read: %s', (_, query, expected) => {
    expect(unwrap(parseListQuery(url(query)))).toStrictEqual({ ...defaults, ...expected })
  })
})

describe('a rejected query is 400', () => {
  it.each(rejected)('a list query is rejected: %s', (_, query, scimType, message) => {
    const result = parseListQuery(url(query))
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType })
    expect(result.error.message.startsWith(message), result.error.message).toBe(true)
  })
})

describe('options.attributes: every path must exist', () => {
  it.each(unknown)('the list query %s names an unknown attribute', (query, scimType) => {
    expect(parseListQuery(url(query)).status).toBe('success')
    const result = parseListQuery(url(query), { attributes })
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType })
    const message = isFailure(result) ? result.error.message : ''
    expect(message).toMatch(/unknown attribute \S/)
    const [parameter = ''] = query.split('=')
    if (scimType === 'invalidPath') expect(message).toMatch(`${parameter}: unknown`)
  })

  it.each([
    'attributes=USERNAME,emails.VALUE,meta.created,id,schemas',
    'attributes=department,manager.value',
    `attributes=${ENTERPRISE_USER_DEFINITION.id}`,
    `excludedAttributes=${ENTERPRISE_USER_DEFINITION.id.toUpperCase()}:manager.displayName`,
    'sortBy=emails',
    'filter=emails[TYPE eq "work" and not (value pr)]',
    'filter=schemas[value eq "x"]',
    'filter=emails[type eq "work"] and not (meta.lastModified gt "2026-01-01T00:00:00Z")',
  ])('a query with %s resolves', (query) => {
    expect(parseListQuery(url(query), { attributes }).status).toBe('success')
  })
})

it.each(schemaPaths)('sortBy=%s is invalidPath, because a schema cannot be ordered', (path) => {
  const result = parseListQuery(url(`sortBy=${path}`), { attributes })
  expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType: 'invalidPath' })
  expect(parseListQuery(url(`attributes=${path}`), { attributes }).status).toBe('success')
})

it('every query option accepts an explicit undefined', () => {
  const options = { defaultCount: undefined, maxCount: undefined, attributes: undefined }
  expect(unwrap(parseListQuery(url(''), options))).toStrictEqual(defaults)
  expect(unwrap(parseSearchRequest(search({}), options))).toStrictEqual(defaults)
})

describe('options.tolerate', () => {
  const tolerant = { attributes, tolerate: ['unknown-attributes', 'text-booleans'] as const }

  it.each([
    ['attributes', ['shoeSize']],
    ['attributes', ['title', 'name.shoeSize', 'members']],
    ['excludedAttributes', ['members', 'urn:x:2.0:User:title']],
  ])('unknown-attributes: %s may name %j, which project does not find', (name, paths) => {
    const fromUrl = parseListQuery(url(`${name}=${paths.join(',')}`), tolerant)
    const fromBody = parseSearchRequest(search({ [name]: paths }), tolerant)
    const user = { id: '1', userName: 'b', title: 'Guide' }
    for (const result of [fromUrl, fromBody]) {
      const query = unwrap(result)
      expect(query).toMatchObject({ [name]: paths })
      const title = name === 'excludedAttributes' || paths.includes('title')
      expect(Object.hasOwn(project(user, query, attributes), 'title')).toBe(title)
    }
  })

  it.each([
    ['attributes=a+b', 'invalidPath'],
    ['sortBy=shoeSize', 'invalidPath'],
    ['filter=shoeSize+pr', 'invalidFilter'],
  ])('unknown-attributes: %s is still %s', (query, scimType) => {
    const result = parseListQuery(url(query), tolerant)
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType })
  })

  it.each([
    ['active eq "False"', 'active eq false'],
    ['not (active eq "TRUE") or active ne "false"', 'not (active eq true) or active ne false'],
    ['roles[primary eq "True" and value eq "true"]', 'roles[primary eq true and value eq "true"]'],
    ['emails.primary eq "true"', 'emails.primary eq true'],
    ['userName eq "true" and active eq "yes"', 'userName eq "true" and active eq "yes"'],
    ['active eq false', 'active eq false'],
  ])('text-booleans: %s is parsed as %s', (filter, written) => {
    for (const result of [
      parseListQuery(url(`filter=${encodeURIComponent(filter)}`), tolerant),
      parseSearchRequest(search({ filter }), tolerant),
    ]) {
      const { filter: read } = unwrap(result)
      expect(read && stringifyFilter(read)).toBe(written)
    }
    const strict = unwrap(
      parseListQuery(url(`filter=${encodeURIComponent(filter)}`), { attributes }),
    )
    expect(strict.filter && stringifyFilter(strict.filter)).toBe(filter)
  })
})

describe('the count', () => {
  it.each([
    ['is 100 by default', '', {}, 100],
    ['is options.defaultCount if the client sends no count', '', { defaultCount: 20 }, 20],
    ['is capped at options.maxCount', 'count=1000', { maxCount: 200 }, 200],
    ['is not capped without it', 'count=1000', {}, 1000],
    ['caps the default as well', '', { maxCount: 50 }, 50],
    ['may be below the cap', 'count=3', { maxCount: 50 }, 3],
    ['0 stays 0', 'count=0', { defaultCount: 20, maxCount: 50 }, 0],
    ['is capped with a cursor', 'cursor=x&count=1000', { maxCount: 200 }, 200],
    ['has its default with a cursor', 'cursor=x', { defaultCount: 20 }, 20],
  ])('the count %s', (_, query, options, count) => {
    expect(unwrap(parseListQuery(url(query), options)).count).toBe(count)
    const { searchParams } = url(query)
    const text = searchParams.get('count')
    const cursor = searchParams.get('cursor')
    const body = search({ cursor, ...(text === null ? {} : { count: Number(text) }) })
    expect(unwrap(parseSearchRequest(body, options)).count).toBe(count)
  })
})

describe('a search request (RFC 7644 §3.4.3)', () => {
  it("a search request is read as in the section's example", () => {
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      attributes: ['displayName', 'userName'],
      filter: 'displayName sw "smith"',
      startIndex: 1,
      count: 10,
    }
    const path = { schema: null, attribute: 'displayName', subAttribute: null }
    expect(unwrap(parseSearchRequest(body, { attributes }))).toStrictEqual({
      filter: { type: 'compare', path, operator: 'sw', value: 'smith' },
      startIndex: 1,
      count: 10,
      sortOrder: 'ascending',
      attributes: ['displayName', 'userName'],
    })
  })

  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['RFC 7643 §2.5: nulls', { filter: null, count: null, attributes: null, sortOrder: null }, {}],
    [
      'names in another letter case',
      { STARTINDEX: 3, SortBy: 'id' },
      { startIndex: 3, sortBy: 'id' },
    ],
    ['a startIndex below 1', { startIndex: -3 }, { startIndex: 1 }],
    ['a count below 0', { count: -3 }, { count: 0 }],
    ['empty lists', { attributes: [], excludedAttributes: [] }, {}],
    ['an order in another letter case', { sortOrder: 'Descending' }, { sortOrder: 'descending' }],
    ['RFC 9865 §3: the first page by cursor', { cursor: '', count: 5 }, { cursor: '', count: 5 }],
    ['RFC 9865 §3: a page further on', { Cursor: 'x' }, { cursor: 'x' }],
    ['a null cursor is absent', { cursor: null, startIndex: 2 }, { startIndex: 2 }],
    ['members of others', { cursors: 'x', constructor: 'y' }, {}],
  ])('a search request is read: %s', (_, members, expected) => {
    expect(unwrap(parseSearchRequest(search(members)))).toStrictEqual({ ...defaults, ...expected })
  })

  it("a search request's schema is accepted in any letter case, with others next to it", () => {
    const schemas = ['urn:x', SEARCH_REQUEST_SCHEMA.toUpperCase()]
    expect(parseSearchRequest({ Schemas: schemas }).status).toBe('success')
  })

  it.each<[string, unknown, string, string]>([
    ['no object', [], 'invalidSyntax', 'the body must be a JSON object'],
    ['null', null, 'invalidSyntax', 'the body must be a JSON object'],
    ['no schemas', {}, 'invalidSyntax', `schemas must list ${SEARCH_REQUEST_SCHEMA}`],
    ['schemas as a string', { schemas: SEARCH_REQUEST_SCHEMA }, 'invalidSyntax', 'schemas must'],
    ['other schemas', { schemas: ['urn:x', 5] }, 'invalidSyntax', 'schemas must list'],
    [
      'a filter that is not a string',
      search({ filter: 5 }),
      'invalidValue',
      'filter must be a string',
    ],
    ['a filter that is a list', search({ filter: ['a pr'] }), 'invalidValue', 'filter must be'],
    ['a malformed filter', search({ filter: 'a' }), 'invalidFilter', 'expected a space and'],
    [
      'sortBy that is not a string',
      search({ sortBy: {} }),
      'invalidValue',
      'sortBy must be a string',
    ],
    ['a malformed sortBy', search({ sortBy: 'a b' }), 'invalidPath', 'expected'],
    [
      'an order that is not a string',
      search({ sortOrder: true }),
      'invalidValue',
      'sortOrder must be a',
    ],
    ['an unknown order', search({ sortOrder: 'up' }), 'invalidValue', 'sortOrder must be asc'],
    ['a number as a string', search({ count: '10' }), 'invalidValue', 'count must be an integer'],
    ['a fraction', search({ startIndex: 1.5 }), 'invalidValue', 'startIndex must be an integer'],
    [
      'infinity',
      search({ count: JSON.parse('1e999') }),
      'invalidValue',
      'count must be an integer',
    ],
    [
      'a cursor that is not a string',
      search({ cursor: 5 }),
      'invalidValue',
      'cursor must be a string',
    ],
    [
      'a cursor together with startIndex',
      search({ cursor: 'x', startIndex: 1 }),
      'invalidValue',
      'cursor and startIndex cannot be sent together',
    ],
    [
      'RFC 9865 §2: a count of 0 with a cursor',
      search({ cursor: 'x', count: 0 }),
      'invalidCount',
      'count must be at least 1',
    ],
    [
      'RFC 9865 §2: a count that is a string',
      search({ cursor: '', count: '5' }),
      'invalidCount',
      'count must be an integer',
    ],
    [
      'attributes as a string',
      search({ attributes: 'a' }),
      'invalidValue',
      'attributes must be a list',
    ],
    [
      'attributes of numbers',
      search({ attributes: [5] }),
      'invalidValue',
      'attributes must be a list',
    ],
    ['names with a comma', search({ attributes: ['a,b'] }), 'invalidPath', 'expected'],
    ['an empty name', search({ attributes: [''] }), 'invalidPath', 'expected'],
    ['a member twice', search({ count: 1, Count: 2 }), 'invalidValue', 'count is duplicated'],
    [
      '§3.9: attributes and excludedAttributes',
      search({ attributes: ['a'], excludedAttributes: ['b'] }),
      'invalidValue',
      'attributes and excludedAttributes cannot be sent together',
    ],
  ])('a search request rejects %s', (_, body, scimType, message) => {
    const result = parseSearchRequest(body)
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType })
    expect(result.error.message.startsWith(message), result.error.message).toBe(true)
  })

  it('a search request rejects names missing from the definitions', () => {
    for (const members of [{ attributes: ['shoeSize'] }, { sortBy: 'shoeSize' }]) {
      const result = parseSearchRequest(search(members), { attributes })
      expect(isFailure(result) && result.error.scimType).toBe('invalidPath')
    }
    const result = parseSearchRequest(search({ filter: 'shoeSize pr' }), { attributes })
    expect(isFailure(result) && result.error.scimType).toBe('invalidFilter')
  })
})

it('a one-megabyte query is read quickly', () => {
  const long = 'a'.repeat(1_000_000)
  for (const query of [`count=${'1'.repeat(1_000_000)}`, `filter=${long}`, `sortOrder=${long}`]) {
    expect(parseListQuery(url(query)).status).toBe('failure')
  }
  const names = Array.from({ length: 100_000 }, () => 'a').join(',')
  expect(unwrap(parseListQuery(url(`attributes=${names}`))).attributes).toHaveLength(100_000)
})
