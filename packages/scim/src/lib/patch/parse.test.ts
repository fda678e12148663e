import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { parsePatch } from './parse.ts'

const schemas = [PATCH_OP_SCHEMA]
const title = { attribute: { schema: null, attribute: 'title', subAttribute: null }, filter: null }

function patch(...Operations: unknown[]): object {
  return { schemas, Operations }
}

describe('operations (RFC 7644 §3.5.2)', () => {
  it.each<[string, object, object]>([
    [
      'add with a path',
      { op: 'add', path: 'title', value: 'x' },
      { op: 'add', path: title, value: 'x' },
    ],
    [
      'add without a path',
      { op: 'add', value: { a: 1 } },
      { op: 'add', path: null, value: { a: 1 } },
    ],
    [
      'replace',
      { op: 'replace', path: 'title', value: 'x' },
      { op: 'replace', path: title, value: 'x' },
    ],
    ['remove', { op: 'remove', path: 'title' }, { op: 'remove', path: title }],
    [
      'remove with values',
      { op: 'remove', path: 'title', value: [1] },
      { op: 'remove', path: title, value: [1] },
    ],
    [
      'Entra ID: op in title case',
      { op: 'Replace', path: 'title', value: 'x' },
      { op: 'replace', path: title, value: 'x' },
    ],
    ['op in capitals', { op: 'REMOVE', path: 'title' }, { op: 'remove', path: title }],
    [
      'members in another letter case',
      { OP: 'add', Path: 'title', VALUE: 1 },
      { op: 'add', path: title, value: 1 },
    ],
    [
      'a null path is the same as no path',
      { op: 'add', path: null, value: {} },
      { op: 'add', path: null, value: {} },
    ],
    [
      'an empty path is the same as no path',
      { op: 'add', path: '', value: {} },
      { op: 'add', path: null, value: {} },
    ],
    [
      'null is a value',
      { op: 'replace', path: 'title', value: null },
      { op: 'replace', path: title, value: null },
    ],
    [
      'false is a value',
      { op: 'add', path: 'title', value: false },
      { op: 'add', path: title, value: false },
    ],
    [
      'other members are ignored',
      { op: 'remove', path: 'title', name: 'x' },
      { op: 'remove', path: title },
    ],
  ])('a PATCH operation is read: %s', (_, sent, expected) => {
    expect(unwrap(parsePatch(patch(sent)))).toStrictEqual([expected])
  })

  it('operations are read in order', () => {
    const body = patch(
      { op: 'remove', path: 'a' },
      { op: 'add', value: {} },
      { op: 'remove', path: 'b' },
    )
    expect(unwrap(parsePatch(body)).map(({ path }) => path?.attribute.attribute)).toEqual([
      'a',
      undefined,
      'b',
    ])
  })

  it('a path may have a filter', () => {
    const body = patch({ op: 'remove', path: 'emails[type eq "work"].display' })
    expect(unwrap(parsePatch(body))).toMatchObject([
      {
        path: {
          attribute: { attribute: 'emails', subAttribute: 'display' },
          filter: { type: 'compare', operator: 'eq', value: 'work' },
        },
      },
    ])
  })

  it('the value stays unchanged', () => {
    const value = Object.freeze([Object.freeze({ value: 'x' })])
    const [operation] = unwrap(parsePatch(patch({ op: 'add', path: 'emails', value })))
    expect(operation?.value).toBe(value)
  })
})

describe('the body', () => {
  it.each<[string, object]>([
    [
      'names in another letter case',
      { Schemas: schemas, operations: [{ op: 'remove', path: 'a' }] },
    ],
    [
      'the schema in capitals',
      { schemas: [PATCH_OP_SCHEMA.toUpperCase()], Operations: [{ op: 'remove', path: 'a' }] },
    ],
    [
      'other schemas in addition',
      { schemas: ['urn:x', ...schemas], Operations: [{ op: 'remove', path: 'a' }] },
    ],
  ])('parsePatch accepts %s', (_, body) => {
    expect(unwrap(parsePatch(body))).toHaveLength(1)
  })

  it('a body without operations is accepted only if tolerated', () => {
    expect(parsePatch(patch()).status).toBe('failure')
    expect(unwrap(parsePatch(patch(), { tolerate: ['empty-operations'] }))).toEqual([])
    expect(parsePatch({ schemas }, { tolerate: ['empty-operations'] }).status).toBe('failure')
  })
})

const remove = { op: 'remove', path: 'a' }

describe('a rejected body is 400, and the message names the place', () => {
  it.each<[string, unknown, string, string]>([
    ['no object', null, 'invalidSyntax', 'the body must be a JSON object'],
    ['a list', [remove], 'invalidSyntax', 'the body must be a JSON object'],
    [
      'no schemas',
      { Operations: [remove] },
      'invalidSyntax',
      `schemas must list ${PATCH_OP_SCHEMA}`,
    ],
    [
      'other schemas',
      { schemas: ['urn:x'], Operations: [remove] },
      'invalidSyntax',
      'schemas must list',
    ],
    [
      'schemas as a string',
      { schemas: PATCH_OP_SCHEMA, Operations: [remove] },
      'invalidSyntax',
      'schemas must',
    ],
    ['no operations', { schemas }, 'invalidSyntax', 'Operations must be a list'],
    [
      'one operation without a list',
      { schemas, Operations: remove },
      'invalidSyntax',
      'Operations must be',
    ],
    ['§3.5.2: an empty list', patch(), 'invalidSyntax', 'Operations must contain at least one'],
    [
      'operations twice',
      { ...patch(remove), operations: [] },
      'invalidSyntax',
      'the body: operations is duplicated',
    ],
    [
      'an operation that is null',
      patch(remove, 'remove'),
      'invalidSyntax',
      'Operations[1] must be a JSON',
    ],
    [
      'an operation that is a list',
      patch([]),
      'invalidSyntax',
      'Operations[0] must be a JSON object',
    ],
    ['no op', patch({ path: 'a' }), 'invalidSyntax', 'Operations[0].op must be add, replace or'],
    [
      'another op',
      patch(remove, { op: 'move', path: 'a' }),
      'invalidSyntax',
      'Operations[1].op must be',
    ],
    [
      'an op that is not a string',
      patch({ op: ['add'], path: 'a' }),
      'invalidSyntax',
      'Operations[0].op must',
    ],
    [
      'an op that objects inherit',
      patch({ op: 'constructor' }),
      'invalidSyntax',
      'Operations[0].op must',
    ],
    [
      'op twice',
      patch({ op: 'add', Op: 'remove' }),
      'invalidSyntax',
      'Operations[0]: Op is duplicated',
    ],
    [
      'a path that is not a string',
      patch({ op: 'remove', path: 5 }),
      'invalidPath',
      'Operations[0].path must be',
    ],
    [
      'a malformed path',
      patch({ op: 'remove', path: 'a..b' }),
      'invalidPath',
      'Operations[0].path: expected',
    ],
    [
      'a malformed filter',
      patch({ op: 'remove', path: 'a[b]' }),
      'invalidPath',
      'Operations[0].path: ',
    ],
    [
      '§3.5.2.2: remove without a path',
      patch({ op: 'remove' }),
      'noTarget',
      'Operations[0]: remove requires',
    ],
    [
      'remove with a value only',
      patch({ op: 'remove', value: {} }),
      'noTarget',
      'Operations[0]: remove',
    ],
    [
      '§3.5.2.1: add without a value',
      patch({ op: 'add', path: 'a' }),
      'invalidValue',
      'Operations[0]: add requires',
    ],
    [
      '§3.5.2.3: replace without a value',
      patch({ op: 'replace', path: 'a' }),
      'invalidValue',
      'Operations[0]: rep',
    ],
    [
      '§3.5.2.1: a list without a path',
      patch({ op: 'add', value: [] }),
      'invalidValue',
      'Operations[0]: without',
    ],
    [
      '§3.5.2.3: a string without a path',
      patch({ op: 'replace', value: 'x' }),
      'invalidValue',
      'Operations[0]: wit',
    ],
    [
      'null without a path',
      patch({ op: 'add', value: null }),
      'invalidValue',
      'Operations[0]: without a path',
    ],
  ])('a PATCH body is rejected: %s', (_, body, scimType, message) => {
    const result = parsePatch(body)
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType })
    expect(result.error.message.startsWith(message), result.error.message).toBe(true)
  })
})
