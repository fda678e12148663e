import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parsePath } from '../path/parse-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { accepted, rejected } from './parse.cases.ts'
import { parseFilter, parsePatchPath } from './parse.ts'
import { stringifyFilter } from './stringify.ts'

describe('a valid filter (RFC 7644 §3.4.2.2)', () => {
  it.each(accepted)('a filter has one written form: %s', (_, text, written) => {
    const tree = unwrap(parseFilter(text))
    expect(stringifyFilter(tree)).toBe(written)
    expect(parseFilter(written)).toStrictEqual(parseFilter(text))
  })
})

describe('a filter that does not parse (RFC 7644 §3.12)', () => {
  it.each(rejected)('a filter is invalidFilter with the position: %s', (_, text, position) => {
    const result = parseFilter(text)
    if (!isFailure(result)) throw new Error(`parsed: ${text}`)
    expect(result.error).toMatchObject({ status: 400, scimType: 'invalidFilter' })
    expect(result.error.message).toContain(`at position ${position},`)
  })
})

it('the error underlines the position with a caret', () => {
  const result = parseFilter('userName is "bjensen"')
  expect(isFailure(result) && result.error.message.split('\n')).toEqual([
    'expected an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr) at position 9, found "i"',
    'userName is "bjensen"',
    '         ^',
  ])
})

it('the caret stays in place in a long filter with line ends', () => {
  const result = parseFilter(`${'a eq "\\n" and '.repeat(50)}b eq "\n"`)
  const [, excerpt = '', caret = ''] = isFailure(result) ? result.error.message.split('\n') : []
  expect(excerpt[caret.indexOf('^')]).toBe('·')
})

describe('the message for a filter that does not parse shows the place (RFC 7644 §3.12)', () => {
  const linesOf = (text: string): string[] => {
    const result = parseFilter(text)
    return isFailure(result) ? result.error.message.split('\n') : []
  }

  it('the message has 40 characters on either side and marks the omitted parts', () => {
    expect(linesOf(`${'a'.repeat(50)} ${'1'.repeat(50)}`)).toEqual([
      'expected an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr) at position 51, found "1"',
      `…${'a'.repeat(39)} ${'1'.repeat(40)}…`,
      `${' '.repeat(41)}^`,
    ])
  })

  it('the message has the whole filter if at most 40 characters are on either side', () => {
    expect(linesOf(`${'a'.repeat(39)} ${'1'.repeat(40)}`).slice(1)).toEqual([
      `${'a'.repeat(39)} ${'1'.repeat(40)}`,
      `${' '.repeat(40)}^`,
    ])
  })

  it.each([
    ['a', 'expected a space and an operator at position 1, found the end'],
    [':a pr', 'expected a schema URN before the colon at position 0, found ":"'],
    ['a eq "b" ;', 'expected the end at position 9, found ";"'],
    ['a eq 😀', 'true, false or null) at position 5, found "😀"'],
    ['a[b[c pr]]', 'expected no value path inside a value path at position 3, found "["'],
    ['a.b[c pr]', 'expected an operator at position 3, found "["'],
    ['(a pr', `expected ')', 'and' or 'or' at position 5, found the end`],
    ['a[b pr', `expected ']', 'and' or 'or' at position 6, found the end`],
    ['a pr and', `expected a space after 'and' at position 8, found the end`],
    ['a eq', 'expected a space and a value at position 4, found the end'],
    ['a eq "b', 'expected a closing quote at position 7, found the end'],
    ['a eq "\t"', 'expected no control character in a string at position 6, found "·"'],
    ['a eq "\ud800"', 'expected a string without lone surrogates at position 5, found "\\""'],
    ['a eq "\\x"', 'expected a string with the escapes of JSON at position 5, found "\\""'],
    ['a eq 1e400', 'expected a number of double precision at position 5, found "1"'],
    [`${'('.repeat(65)}a pr`, 'expected at most 64 levels of nesting at position 65, found "a"'],
  ])('the message for the filter %j contains: %s', (text, sentence) => {
    expect(linesOf(text)[0]).toContain(sentence)
  })
})

it("a filter's tree is plain data", () => {
  expect(unwrap(parseFilter('a pr and not (b.c lt 2)'))).toStrictEqual({
    type: 'logical',
    operator: 'and',
    operands: [
      { type: 'present', path: { schema: null, attribute: 'a', subAttribute: null } },
      {
        type: 'not',
        operand: {
          type: 'compare',
          path: { schema: null, attribute: 'b', subAttribute: 'c' },
          operator: 'lt',
          value: 2,
        },
      },
    ],
  })
})

describe('paths (RFC 7644 §3.10)', () => {
  it.each([
    ['userName', { schema: null, attribute: 'userName', subAttribute: null }],
    ['name.givenName', { schema: null, attribute: 'name', subAttribute: 'givenName' }],
    ['urn:x:2.0:User:a.b', { schema: 'urn:x:2.0:User', attribute: 'a', subAttribute: 'b' }],
    ['urn:x:2.0:User', { schema: 'urn:x:2.0', attribute: 'User', subAttribute: null }],
    ['urn:x:badge:1.0', { schema: 'urn:x:badge', attribute: '1.0', subAttribute: null }],
    ['urn:x:v1.0', { schema: 'urn:x', attribute: 'v1.0', subAttribute: null }],
    [
      'http://example.com/x:a',
      { schema: 'http://example.com/x', attribute: 'a', subAttribute: null },
    ],
    ['urn:x:my.badge', { schema: 'urn:x', attribute: 'my', subAttribute: 'badge' }],
  ])('the path %s is parsed', (text, path) => {
    expect(unwrap(parsePath(text))).toStrictEqual(path)
    expect(stringifyPath(path)).toBe(text)
  })

  it.each([
    '',
    'a b',
    'a.',
    '.a',
    'a[b pr]',
    'a.b.c',
    '"a"',
    '__proto__',
    'urn:x:',
    'x:1.0',
    'urn:1 0',
    'notaurn:userName',
    'notaurn:name.givenName',
    'urn:attr',
    'urn::attr',
    'urn:extension:.attr',
    'urn:extension:attr.',
    'urn:extension:1..0',
    'xurn:example:badge:1.0',
    '1urn:example:badge',
  ])('the path %j is rejected as invalidPath', (text) => {
    const result = parsePath(text)
    expect(isFailure(result) && result.error.scimType).toBe('invalidPath')
  })
})

describe('PATCH paths (RFC 7644 §3.5.2)', () => {
  it.each([
    ['members', null, null],
    ['name.familyName', 'familyName', null],
    ['addresses[type eq "work"]', null, 'type eq "work"'],
    ['addresses[type eq "work"].streetAddress', 'streetAddress', 'type eq "work"'],
    ['members[value eq"2819c223-7f76-453a-919d-413861904646"].display', 'display', null],
  ])('the PATCH path %s is parsed', (text, subAttribute, filter) => {
    const path = unwrap(parsePatchPath(text))
    expect(path.attribute.subAttribute).toBe(subAttribute)
    if (filter !== null) expect(path.filter && stringifyFilter(path.filter)).toBe(filter)
  })

  it.each(['members[', 'members[]', 'a[b pr].c.d', 'a[b pr] and c pr', 'a.b[c pr]'])(
    'the PATCH path %j is rejected as invalidPath',
    (text) => {
      const result = parsePatchPath(text)
      expect(isFailure(result) && result.error.scimType).toBe('invalidPath')
    },
  )
})

describe('a hostile filter', () => {
  it.each([
    ['100,000 parentheses', '('.repeat(100_000)],
    ['100,000 negations', 'not ('.repeat(100_000)],
    ['100,000 brackets', 'a['.repeat(100_000)],
    ['a megabyte of backslashes in an unclosed string', `a eq "${'\\'.repeat(1_000_000)}`],
    ['a megabyte of line ends in an unclosed string', `a eq "${'\n'.repeat(1_000_000)}`],
    ['a megabyte of spaces', ' '.repeat(1_000_000)],
    ['a megabyte of colons', ':'.repeat(1_000_000)],
    ['a megabyte of name', 'a'.repeat(1_000_000)],
    ['a megabyte of digits', `a eq ${'1'.repeat(1_000_000)}x`],
  ])('a filter with %s is rejected quickly', (_, text) => {
    expect(parseFilter(text).status).toBe('failure')
  })

  it('a filter may have 64 levels, and 65 are rejected', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}a pr${')'.repeat(levels)}`
    expect(parseFilter(nested(64)).status).toBe('success')
    expect(parseFilter(nested(65)).status).toBe('failure')
  })

  it('50,000 clauses are parsed and written back', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `a eq ${at}`).join(' or ')
    expect(stringifyFilter(unwrap(parseFilter(text)))).toBe(text)
  })
})
