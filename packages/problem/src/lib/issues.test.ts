import { array, assert, constantFrom, nat, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ISSUES_SCHEMA } from './issues.ts'
import { type InputError, type Issue, issuesFrom } from './issues-from.ts'
import { ISSUES_SCHEMA as ZOD_SCHEMA } from './issues-zod.ts'

describe('issuesFrom', () => {
  it.each<[path: InputError['issues'][number]['path'], pointer: string]>([
    [undefined, ''],
    [[], ''],
    [['page'], '/page'],
    [['books', 0, 'title'], '/books/0/title'],
    [[{ key: 'books' }, { key: 0 }], '/books/0'],
    // RFC 6901 §5
    [[''], '/'],
    [['a/b'], '/a~1b'],
    [['c%d'], '/c%d'],
    [['k"l'], '/k"l'],
    [[' '], '/ '],
    [['m~n'], '/m~0n'],
    [['~1'], '/~01'],
    [[Symbol('a')], '/Symbol(a)'],
  ])('issuesFrom points with %j to %s (RFC 6901 §3)', (path, pointer) => {
    const issues = [{ message: 'Wrong', path }]
    expect(issuesFrom({ location: 'body', issues })).toStrictEqual([
      { location: 'body', pointer, detail: 'Wrong' },
    ])
  })

  it('issuesFrom reads a path that is a subclass of Array, like those of ArkType', () => {
    class Path extends Array<PropertyKey> {
      constructor(...steps: readonly PropertyKey[]) {
        super()
        this.push(...steps)
      }
    }
    const pointers = [[], ['a'], ['a', 0]].map((steps) => {
      const issues = [{ message: 'Wrong', path: new Path(...steps) }]
      return issuesFrom({ location: 'body', issues }).map(({ pointer }) => pointer)
    })
    expect(pointers).toStrictEqual([[''], ['/a'], ['/a/0']])
  })

  it('issuesFrom replaces a message that throws when it is read', () => {
    const issue = {
      path: ['constructor'],
      get message(): string {
        throw new TypeError('to.push is not a function')
      },
    }
    expect(issuesFrom({ location: 'body', issues: [issue] })).toStrictEqual([
      { location: 'body', pointer: '/constructor', detail: 'is not valid' },
    ])
  })

  it('an issue is about the whole part of the request if its path throws', () => {
    const issue = {
      message: 'Wrong',
      get path(): PropertyKey[] {
        throw new TypeError('to.push is not a function')
      },
    }
    expect(issuesFrom({ location: 'body', issues: [issue] })).toStrictEqual([
      { location: 'body', pointer: '', detail: 'Wrong' },
    ])
  })

  it('issuesFrom keeps every issue, in order', () => {
    const issues = [{ message: 'First', path: ['b'] }, { message: 'Second' }]
    expect(issuesFrom({ location: 'query', issues })).toStrictEqual([
      { location: 'query', pointer: '/b', detail: 'First' },
      { location: 'query', pointer: '', detail: 'Second' },
    ])
    expect(issuesFrom({ location: 'query', issues: [] })).toStrictEqual([])
  })

  it('issuesFrom accepts a list of issues, which name their part of the request or are about the body', () => {
    const issues = [{ message: 'First', location: 'query' as const }, { message: 'Second' }]
    const locations = (list: readonly Issue[]) => list.map(({ location }) => location)
    expect(locations(issuesFrom(issues))).toStrictEqual(['query', 'body'])
    expect(locations(issuesFrom(issues, { location: 'params' }))).toStrictEqual(['query', 'params'])
    expect(issuesFrom([])).toStrictEqual([])
  })

  it('issuesFrom returns the first 100 issues, or as many as the limit', () => {
    const issues = Array.from({ length: 101 }, (_, at) => ({ message: 'Wrong', path: [at] }))
    expect(issuesFrom({ location: 'body', issues }).map(({ pointer }) => pointer)).toStrictEqual(
      issues.slice(0, 100).map((_, at) => `/${at}`),
    )
    expect(issuesFrom({ location: 'body', issues }, { limit: 101 })).toHaveLength(101)
    expect(issuesFrom(issues, { limit: 2 })).toHaveLength(2)
    expect(issuesFrom(issues, { limit: undefined })).toHaveLength(100)
  })

  it('issuesFrom returns a detail of at most 250 characters', () => {
    const details = ['a'.repeat(250), 'a'.repeat(251)].map(
      (message) => issuesFrom([{ message }])[0]?.detail,
    )
    expect(details).toStrictEqual(['a'.repeat(250), `${'a'.repeat(249)}…`])
  })

  it('issuesFrom points to the closest parent if a pointer would be longer than 250 characters', () => {
    const pointers = [249, 250].map(
      (length) => issuesFrom([{ message: '', path: ['a'.repeat(length), 0] }])[0]?.pointer,
    )
    expect(pointers).toStrictEqual([`/${'a'.repeat(249)}`, ''])
  })

  it('issuesFrom reads the issues of a schema library', () => {
    const Books = z.object({ books: z.array(z.object({ title: z.string() })) })
    const { issues = [] } = Books['~standard'].validate({ books: [{ title: 1 }] }) as {
      issues?: InputError['issues']
    }
    expect(issuesFrom({ location: 'body', issues })).toStrictEqual([
      {
        location: 'body',
        pointer: '/books/0/title',
        detail: 'Invalid input: expected string, received number',
      },
    ])
  })

  it('issuesFrom returns pointers that are parsed to the path (RFC 6901 §4)', () => {
    const steps = array(oneof(string(), nat(), constantFrom('', '/', '~', '~1', '~0')))
    assert(
      property(steps, (path) => {
        const [issue] = issuesFrom({ location: 'body', issues: [{ message: '', path }] })
        const [before, ...read] = (issue?.pointer ?? '').split('/')
        expect(before).toBe('')
        expect(read.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))).toStrictEqual(
          path.map(String),
        )
      }),
    )
  })
})

describe.each([
  ['without a schema library', ISSUES_SCHEMA],
  ['of zod', ZOD_SCHEMA],
])('ISSUES_SCHEMA %s', (_, schema) => {
  it('ISSUES_SCHEMA accepts the issues of issuesFrom, from every part of a request', () => {
    const locations = ['params', 'query', 'headers', 'cookies', 'body'] as const
    const issues = [{ message: 'Wrong', path: ['a', 0] }, { message: '' }]
    const list = locations.flatMap((location) => issuesFrom({ location, issues }))
    expect(schema['~standard'].validate(list)).toStrictEqual({ value: list })
  })

  it.each([
    ['no list', { location: 'body', pointer: '', detail: '' }],
    ['another location', [{ location: 'path', pointer: '', detail: '' }]],
    ['no pointer', [{ location: 'body', detail: '' }]],
    ['a pointer that is not a string', [{ location: 'body', pointer: ['a'], detail: '' }]],
    ['no detail', [{ location: 'body', pointer: '' }]],
    ['an element that is null', [null]],
    ['an element that is a string', ['body']],
  ])('ISSUES_SCHEMA rejects %s', (_what, value) => {
    expect(schema['~standard'].validate(value)).toMatchObject({ issues: [{}] })
  })

  it('ISSUES_SCHEMA removes members that an issue does not have', () => {
    const issue = { location: 'body', pointer: '/a', detail: 'Wrong' }
    const { validate } = schema['~standard']
    expect(validate([{ ...issue, extra: 1 }])).toStrictEqual({ value: [issue] })
  })

  it('ISSUES_SCHEMA describes the pointer of an issue in a document', () => {
    const json = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
    expect(json).toMatchObject({
      type: 'array',
      examples: [[{ location: 'body', pointer: '/title', detail: 'must be a string' }]],
      items: {
        type: 'object',
        required: ['location', 'pointer', 'detail'],
        properties: {
          location: { type: 'string', enum: ['params', 'query', 'headers', 'cookies', 'body'] },
          pointer: { type: 'string', description: 'A JSON Pointer into that part of the request' },
          detail: { type: 'string' },
        },
      },
    })
  })
})

it('ISSUES_SCHEMA names the path of each fault', () => {
  const value = [
    { location: 'body', pointer: '', detail: '' },
    { location: 'path', pointer: 1 },
  ]
  expect(ISSUES_SCHEMA['~standard'].validate(value)).toStrictEqual({
    issues: [
      { message: 'must be one of params, query, headers, cookies, body', path: [1, 'location'] },
      { message: 'must be a string', path: [1, 'pointer'] },
      { message: 'must be a string', path: [1, 'detail'] },
    ],
  })
})

it.each<[value: unknown, issue: object]>([
  [{}, { message: 'must be an array' }],
  ['body', { message: 'must be an array' }],
  [[null], { message: 'must be an object', path: [0] }],
  [['body'], { message: 'must be an object', path: [0] }],
])('ISSUES_SCHEMA rejects %j with its one issue', (value, issue) => {
  expect(ISSUES_SCHEMA['~standard'].validate(value)).toStrictEqual({ issues: [issue] })
})

it('ISSUES_SCHEMA names its vendor, and cannot be changed', () => {
  const { version, vendor } = ISSUES_SCHEMA['~standard']
  expect({ version, vendor }).toStrictEqual({ version: 1, vendor: 'plumbline' })
  expect(Object.isFrozen(ISSUES_SCHEMA)).toBe(true)
  expect(Object.isFrozen(ISSUES_SCHEMA['~standard'])).toBe(true)
})

it('ISSUES_SCHEMA of /zod can be nested in a zod schema', () => {
  const list = issuesFrom({ location: 'body', issues: [{ message: 'Wrong' }] })
  expect(z.object({ errors: ZOD_SCHEMA }).parse({ errors: list })).toStrictEqual({ errors: list })
})
