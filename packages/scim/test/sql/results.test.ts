import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Dialect, type Executed, type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { sender } from '../endpoint/serve.ts'
import { definitions, userName } from './people.ts'

/** Serves users whose statements return a value, as a program in JavaScript may. */
function serve(
  result: unknown,
  {
    dialect = 'postgres',
    tenant = () => 1,
    id = 'id',
  }: {
    readonly dialect?: Dialect
    readonly tenant?: () => unknown
    readonly id?: SqlStoreOptions<unknown>['id']
  } = {},
) {
  const statements: string[] = []
  const errors: unknown[] = []
  const store = sqlStore<unknown>({
    dialect,
    definitions,
    table: 'people',
    id,
    attributes: userName,
    tenant: { column: 'org_id', value: tenant as () => number },
    execute: async (statement) => {
      statements.push(statement)
      return result as Executed
    },
  })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
    onError: (error) => errors.push(String(error)),
  })
  return { send: sender(fetch), statements, errors }
}

const REQUESTS = [
  ['GET', '/Users', undefined],
  ['GET', '/Users/a', undefined],
  ['POST', '/Users', { userName: 'a' }],
  ['PUT', '/Users/a', { userName: 'a' }],
  ['DELETE', '/Users/a', undefined],
] as const

describe('an execute that returns no rows', () => {
  it.each([
    ['the pg result object', { rowCount: 0, rows: [] }, 'an object with rows: return its .rows'],
    [
      'the D1 result object',
      { success: true, results: [] },
      'an object with results: return its .results',
    ],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['another object', {}, 'an object'],
    [
      'the mysql2 rows and fields',
      [[], []],
      'a list of lists: of mysql2, return the first element',
    ],
  ])(
    'an execute that returns %s is an error with advice, before a second statement',
    async (_, result, found) => {
      for (const [method, path, body] of REQUESTS) {
        const { send, statements, errors } = serve(result)
        expect(await send(method, path, body)).toMatchObject({ status: 500 })
        expect(errors).toEqual([
          `TypeError: execute must return the rows as an array, not ${found}`,
        ])
        expect(statements).toHaveLength(1)
      }
    },
  )

  it('an execute that returns rows only for reads is an error', async () => {
    const { send, errors } = serve([], { id: { column: 'id', key: 'integer' } })
    expect(await send('POST', '/Users', { userName: 'a' })).toMatchObject({ status: 500 })
    expect(errors).toEqual([
      'TypeError: execute returned no rows for "insert … returning": return the rows of writes',
    ])
  })

  it('an execute that returns no rows for a count is an error', async () => {
    const { send, errors } = serve([])
    expect(await send('GET', '/Users')).toMatchObject({ status: 500 })
    expect(errors).toEqual([
      'TypeError: execute returned no rows for "select count(*)": return the rows of reads',
    ])
  })

  it('an insertId for a read is an error on MySQL, where only writes may return it', async () => {
    const { send, errors } = serve({ insertId: 0, affectedRows: 0 }, { dialect: 'mysql' })
    expect(await send('GET', '/Users')).toMatchObject({ status: 500 })
    expect(errors).toEqual(['TypeError: execute must return the rows as an array, not an object'])
  })
})

describe('a tenant without a value is an error before any statement', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN or Infinity'],
    [{ id: 1 }, 'an object'],
    [Promise.resolve(1), 'a promise'],
    [true, 'a boolean'],
  ])('the tenant %o is an error', async (tenant, found) => {
    for (const [method, path, body] of REQUESTS) {
      const { send, statements, errors } = serve([], { tenant: () => tenant })
      expect(await send(method, path, body)).toMatchObject({ status: 500 })
      expect(errors).toEqual([
        `TypeError: tenant: value() returned ${found}, not a string or a number`,
      ])
      expect(statements).toEqual([])
    }
  })

  it.each(['a', 0, 7n])('the tenant %o is accepted', async (tenant) => {
    expect(
      await serve([{ total: 0 }], { tenant: () => tenant }).send('GET', '/Users'),
    ).toMatchObject({
      status: 200,
    })
  })
})
