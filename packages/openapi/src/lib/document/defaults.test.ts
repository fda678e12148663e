import { defineProblems } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { bearer } from '../spec/security.ts'
import { createDocument } from './build.ts'
import type { DefaultProblemName, ProblemDefaults } from './defaults.ts'

const info = { title: 'Books', version: '1' }
const problems = defineProblems('https://example.com/', {
  invalid: { slug: 'invalid', status: 422, title: 'Not valid' },
  badRequest: { slug: 'bad-request', status: 400, title: 'Bad' },
  gone: { slug: 'gone', status: 410, title: 'Gone' },
})
const base = { info, problems, securitySchemes: { token: bearer() } }

/** The statuses of an operation in the document. */
function statusesOf(
  spec: Omit<OperationSpec, 'summary'>,
  options: { readonly defaults?: ProblemDefaults; readonly isSecured?: boolean } = { defaults: {} },
): readonly number[] {
  const operation = defineOperation('a', 'POST /a', { summary: 'A', ...spec })
  const { isSecured = false, ...defaults } = options
  const security = isSecured ? [{ token: [] }] : []
  const builder = createDocument({ ...base, security, ...(defaults as object) }).add(
    operation as never,
  )
  const { paths = {} } = unwrap(builder.build())
  return Object.keys(paths['/a']?.post?.responses ?? {}).map(Number)
}

const object = z.object({ a: z.string() })

describe("an operation's default problems", () => {
  it.each<[string, Omit<OperationSpec, 'summary'>, readonly number[]]>([
    ['without input', {}, [500]],
    ['with a query', { query: object }, [422, 500]],
    ['with headers', { headers: object }, [422, 500]],
    ['with cookies', { cookies: object }, [422, 500]],
    ['with a body', { body: object }, [400, 413, 415, 422, 500]],
    ['with a body that is not an object', { body: z.string() }, [400, 413, 415, 422, 500]],
    ['with a record of bodies', { body: { 'text/plain': z.string() } }, [400, 413, 415, 422, 500]],
    ['with a file of any media type', { body: z.file() }, [400, 413, 422, 500]],
    ['with security', { security: [{ token: [] }] }, [401, 403, 500]],
    ['without security', { security: [] }, [500]],
    ['with optional security', { security: [{ token: [] }, {}] }, [500]],
    ['with a problem of its own', { problems: ['gone'] }, [410, 500]],
    ['with a problem that is also a default', { problems: ['invalid'], query: object }, [422, 500]],
  ])('the document has default problems for an operation %s', (_, spec, statuses) => {
    expect(statusesOf(spec)).toEqual(statuses)
  })

  it("the document's security adds default problems", () => {
    expect(statusesOf({}, { defaults: {}, isSecured: true })).toEqual([401, 403, 500])
    expect(statusesOf({ security: [] }, { defaults: {}, isSecured: true })).toEqual([500])
  })

  it('a document without default problems adds none', () => {
    expect(statusesOf({ body: object, problems: ['gone'] }, {})).toEqual([410])
  })
})

describe("a reason's problem", () => {
  const entriesOf = (defaults: ProblemDefaults<'invalid' | 'badRequest' | 'gone'>) => {
    const found = createDocument({ ...base, defaults }).defaults()
    return (reason: DefaultProblemName) => {
      const { name, entry } = found?.[reason] ?? {}
      return [name, entry?.type, entry?.status]
    }
  }

  it('the problem is the entry named in defaults', () => {
    const find = entriesOf({ invalid: 'badRequest' })
    expect(find('invalid')).toEqual(['badRequest', 'https://example.com/bad-request', 400])
  })

  it("the problem is the entry with the reason's name", () => {
    expect(entriesOf({})('invalid')).toEqual(['invalid', 'https://example.com/invalid', 422])
  })

  // RFC 9457 §4.2.1
  it.each<[DefaultProblemName, number, string]>([
    ['malformed', 400, 'Bad request'],
    ['unauthorized', 401, 'Unauthorized'],
    ['forbidden', 403, 'Forbidden'],
    ['notFound', 404, 'Not found'],
    ['methodNotAllowed', 405, 'Method not allowed'],
    ['tooLarge', 413, 'Content too large'],
    ['unsupportedMediaType', 415, 'Unsupported media type'],
    ['internal', 500, 'Internal server error'],
  ])('a reason without an entry is about:blank: %s', async (reason, status, title) => {
    const { name, entry } = createDocument({ ...base, defaults: {} }).defaults()?.[reason] ?? {}
    expect(name).toBe(reason)
    expect({ ...entry }).toMatchObject({ type: 'about:blank', status, title })
  })

  it('the problem is null without default problems', () => {
    expect(createDocument(base).defaults()).toBeNull()
  })
})

describe('components in a document with default problems', () => {
  const read = defineOperation('read', 'GET /a', { summary: 'A', query: object })

  it('the catalog and each about:blank problem in an operation are components', () => {
    const { components } = unwrap(
      createDocument({ ...base, defaults: {} })
        .add(read)
        .build(),
    )
    expect(Object.keys(components?.responses ?? {})).toEqual([
      'Invalid',
      'BadRequest',
      'Gone',
      'Internal',
    ])
    expect(components?.schemas?.InternalProblem).toMatchObject({
      properties: { type: { const: 'about:blank' }, status: { const: 500 } },
    })
  })

  it('problems with one status are described together', () => {
    const options = { ...base, defaults: { internal: 'invalid' } } as const
    const { paths } = unwrap(createDocument(options).add(read).build())
    expect(paths?.['/a']?.get?.responses).toEqual({
      422: { $ref: '#/components/responses/Invalid' },
    })
  })
})

describe('a build with default problems', () => {
  const faultsOf = (builder: {
    build(): ReturnType<ReturnType<typeof createDocument>['build']>
  }) => {
    const built = builder.build()
    return isFailure(built) ? built.error.errors.map(({ code, pointer }) => [code, pointer]) : []
  }

  it('build rejects a default problem the catalog does not define', () => {
    const defaults: ProblemDefaults = { invalid: 'missing' }
    expect(faultsOf(createDocument({ ...base, defaults }))).toEqual([['unknown-problem', '']])
  })

  it('build rejects a status if it is also declared as a response', () => {
    const operation = defineOperation('a', 'GET /a', {
      summary: 'A',
      query: object,
      responses: { 422: { description: 'Not valid' }, '5XX': { description: 'Failed' } },
    })
    expect(faultsOf(createDocument({ ...base, defaults: {} }).add(operation))).toEqual([
      ['duplicate-status', '/paths/~1a/get/responses/422'],
    ])
  })
})
