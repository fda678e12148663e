import { defineProblems, ISSUES_SCHEMA as PLAIN_ISSUES } from '@plumbline/problem'
import { ISSUES_SCHEMA } from '@plumbline/problem/zod'
import { isFailure, unwrap } from '@plumbline/result'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accepts } from '../../../test/accepts.ts'
import { operation, posting } from './build.cases.ts'
import { createDocument } from './build.ts'
import type { DocumentOptions } from './builder.ts'

const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
  invalid: {
    slug: 'invalid',
    status: 422,
    title: 'The request is not valid',
    extensions: z.object({ errors: ISSUES_SCHEMA }),
  },
  lent: {
    slug: 'lent',
    status: 409,
    title: 'The book is lent',
    extensions: z.object({ until: z.iso.date() }),
  },
  held: {
    slug: 'held',
    status: 409,
    title: 'The book is reserved',
    extensions: type({ waiting: 'number.integer > 0', 'next?': 'string' }),
  },
  lost: { slug: 'https://example.org/lost', status: 409, title: 'The book is lost' },
})

const options: DocumentOptions = { info: { title: 'Books', version: '1' }, problems }

function build(...names: readonly string[]) {
  return unwrap(
    createDocument(options)
      .add(operation('a', { problems: names }))
      .build(),
  )
}

const exampleReference = (name: string) => ({
  $ref: `#/components/examples/${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
})
const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` })

it('without a catalog, a schema may be called Problem', () => {
  const { info } = options
  const schema = z.object({ code: z.string() }).meta({ id: 'Problem' })
  const built = createDocument({ info }).add(posting('a', schema)).build()
  expect(Object.keys(unwrap(built).components?.schemas ?? {})).toStrictEqual(['Problem'])
})

describe('a catalog', () => {
  const { components } = build()

  it('each entry adds a schema and a response, used or not', () => {
    expect(Object.keys(components?.schemas ?? {})).toStrictEqual([
      'Problem',
      'NotFoundProblem',
      'InvalidProblem',
      'LentProblem',
      'HeldProblem',
      'LostProblem',
    ])
    expect(Object.keys(components?.responses ?? {})).toStrictEqual([
      'NotFound',
      'Invalid',
      'Lent',
      'Held',
      'Lost',
    ])
  })

  it('Problem has the standard members (RFC 9457 §3.1)', () => {
    const reference = { type: 'string', format: 'uri-reference' }
    expect(components?.schemas?.Problem).toStrictEqual({
      title: 'Problem',
      description: 'A problem document (RFC 9457).',
      type: 'object',
      properties: {
        type: { ...reference, description: 'Names the type of problem.' },
        title: { type: 'string', description: 'The same for every problem of this type.' },
        status: { type: 'integer', minimum: 400, maximum: 599 },
        detail: { type: 'string', description: 'An explanation of this occurrence.' },
        instance: { ...reference, description: 'Names this occurrence.' },
      },
      required: ['type', 'title', 'status'],
    })
  })

  it("an entry's schema pins type, title and status, and has a title", () => {
    expect(components?.schemas?.NotFoundProblem).toStrictEqual({
      title: 'NotFoundProblem',
      description: 'Book not found',
      allOf: [schemaOf('Problem')],
      properties: {
        type: { const: 'https://example.com/problems/not-found' },
        title: { const: 'Book not found' },
        status: { const: 404 },
      },
    })
    expect(components?.schemas?.LostProblem).toMatchObject({
      properties: { type: { const: 'https://example.org/lost' } },
    })
  })

  it('extensions are added to the standard members', () => {
    expect(components?.schemas?.LentProblem).toMatchObject({
      allOf: [
        schemaOf('Problem'),
        { type: 'object', properties: { until: { type: 'string' } }, required: ['until'] },
      ],
    })
  })

  it('a schema record from several libraries is described as an object', () => {
    const Shelf = z.object({ floor: z.number() }).meta({ id: 'Shelf' })
    const catalog = defineProblems('https://example.com/', {
      moved: {
        slug: 'moved',
        status: 410,
        title: 'The book was moved',
        extensions: { errors: PLAIN_ISSUES, to: Shelf.optional(), 'a/b': type('string') },
      },
    })
    const { schemas } =
      unwrap(createDocument({ ...options, problems: catalog }).build()).components ?? {}
    expect(schemas?.MovedProblem).toMatchObject({
      allOf: [
        schemaOf('Problem'),
        {
          type: 'object',
          properties: {
            errors: { type: 'array' },
            to: schemaOf('Shelf'),
            'a/b': { type: 'string' },
          },
          required: ['errors', 'a/b'],
        },
      ],
    })
    expect(schemas?.Shelf).toMatchObject({ properties: { floor: { type: 'number' } } })
    expect(schemas?.MovedProblem).not.toHaveProperty('unevaluatedProperties')
  })

  it.each([
    ['a record', { to: z.json() }],
    ['a closed object', z.strictObject({ to: z.json() })],
  ])('a nameless schema in %s is named after the problem and the member', (_, extensions) => {
    const catalog = defineProblems('https://example.com/', {
      moved: { slug: 'moved', status: 410, title: 'Moved', extensions },
    })
    const { components } = unwrap(createDocument({ ...options, problems: catalog }).build())
    expect(Object.keys(components?.schemas ?? {})).toContain('MovedProblemExtensionsTo')
  })

  it('a record member without a conversion is reported', () => {
    const extensions = { at: z.date() }
    const catalog = defineProblems('https://example.com/', {
      moved: { slug: 'moved', status: 410, title: 'Moved', extensions },
    })
    const built = createDocument({ ...options, problems: catalog }).build()
    expect(isFailure(built) && built.error.errors).toMatchObject([
      {
        code: 'no-json-schema',
        pointer: '/components/schemas/MovedProblem/allOf/1/properties/at',
      },
    ])
  })

  it('problems are sent as application/problem+json (RFC 9457 §3)', () => {
    expect(components?.responses?.NotFound).toStrictEqual({
      description: 'Book not found',
      content: {
        'application/problem+json': {
          schema: schemaOf('NotFoundProblem'),
          examples: { notFound: { $ref: '#/components/examples/NotFound' } },
        },
      },
    })
  })

  it('each problem whose extension members have an example has one too', () => {
    const problems = defineProblems('https://example.com/', {
      plain: { slug: 'plain', status: 409, title: 'Plain' },
      invalid: {
        slug: 'invalid',
        status: 422,
        title: 'Invalid',
        extensions: { errors: ISSUES_SCHEMA, note: z.string().optional() },
      },
      lent: {
        slug: 'lent',
        status: 409,
        title: 'Lent',
        extensions: z.object({
          until: z.iso.date(),
          days: z.int().min(3),
          to: z.union([
            z.strictObject({ name: z.string().meta({ examples: ['Emma'] }) }),
            z.null(),
          ]),
        }),
      },
      secret: {
        slug: 'secret',
        status: 409,
        title: 'Secret',
        extensions: z.object({ code: z.string().regex(/^[A-Z]{3}-\d{4}$/) }),
      },
    })
    const built = unwrap(createDocument({ ...options, problems }).build())
    const problem = (slug: string, status: number, title: string) => ({
      type: `https://example.com/${slug}`,
      title,
      status,
    })
    expect(built.components?.examples).toEqual({
      Plain: { value: problem('plain', 409, 'Plain') },
      Invalid: {
        value: {
          ...problem('invalid', 422, 'Invalid'),
          errors: [{ location: 'body', pointer: '/title', detail: 'must be a string' }],
        },
      },
      Lent: {
        value: {
          ...problem('lent', 409, 'Lent'),
          until: '2026-01-31',
          days: 3,
          to: { name: 'Emma' },
        },
      },
    })
    expect(JSON.stringify(built.components?.responses?.Secret)).not.toContain('examples')
  })

  it('a closed extension requires the members, and closes the whole problem', async () => {
    const catalog = defineProblems('https://example.com/', {
      locked: {
        slug: 'locked',
        status: 423,
        title: 'The book is locked',
        extensions: z.strictObject({ by: z.string(), until: z.string().optional() }),
      },
      moved: {
        slug: 'moved',
        status: 410,
        title: 'The book was moved',
        extensions: z.strictObject({ to: z.string().optional() }),
      },
    })
    const document = unwrap(createDocument({ ...options, problems: catalog }).build())
    const { LockedProblem, MovedProblem } = Object(document.components?.schemas)
    expect(LockedProblem).toMatchObject({ unevaluatedProperties: false })
    expect(LockedProblem.allOf[1].required).toStrictEqual(['by'])
    expect(MovedProblem.allOf[1]).not.toHaveProperty('required')
    const { type, title, status } = catalog.locked
    const bodies = [{}, { by: 'Anne' }, { by: 'Anne', until: 'noon' }, { by: 'Anne', other: 1 }]
    const accepted = await Promise.all(
      bodies.map((own) =>
        accepts(document, schemaOf('LockedProblem'), { type, title, status, ...own }),
      ),
    )
    expect(accepted).toStrictEqual([false, true, true, false])
  })

  it('a catalog may have a status that is not an error, and Problem then allows it', async () => {
    const catalog = defineProblems('https://example.com/', {
      partial: { slug: 'partial', status: 207, title: 'Only some books were added' },
      gone: { slug: 'gone', status: 410, title: 'The book is gone' },
    })
    const document = unwrap(createDocument({ ...options, problems: catalog }).build())
    for (const [name, answer] of [
      ['PartialProblem', catalog.partial()],
      ['GoneProblem', catalog.gone()],
    ] as const) {
      expect(await accepts(document, schemaOf(name), await answer.json())).toBe(true)
    }
    const bounds = (of: typeof document) =>
      Object(of.components?.schemas?.Problem).properties.status.minimum
    expect([bounds(document), bounds(build())]).toStrictEqual([100, 400])
    const least = defineProblems('https://example.com/', {
      bad: { slug: 'bad', status: 400, title: 'Bad request' },
    })
    expect(bounds(unwrap(createDocument({ ...options, problems: least }).build()))).toBe(400)
  })

  it('an empty catalog adds nothing', () => {
    const empty = defineProblems('https://example.com/', {})
    const document = unwrap(createDocument({ ...options, problems: empty }).build())
    expect(document).not.toHaveProperty('components')
  })

  it('a catalog may name the extensions schema', () => {
    const credit = z.object({ balance: z.number() }).meta({ id: 'Credit' })
    const catalog = defineProblems('https://example.com/', {
      poor: { slug: 'poor', status: 403, title: 'Not enough credit', extensions: credit },
    })
    const document = unwrap(createDocument({ ...options, problems: catalog }).build())
    expect(document.components?.schemas).toMatchObject({
      Credit: { properties: { balance: { type: 'number' } } },
      PoorProblem: { allOf: [schemaOf('Problem'), schemaOf('Credit')] },
    })
  })
})

describe("an operation's problems", () => {
  const responsesOf = (...names: string[]) => build(...names).paths?.['/books']?.get?.responses

  it('problems are references by status', () => {
    expect(responsesOf('invalid', 'notFound')).toStrictEqual({
      204: { description: 'Done' },
      404: { $ref: '#/components/responses/NotFound' },
      422: { $ref: '#/components/responses/Invalid' },
    })
  })

  it('problems sharing a status are one response with a oneOf', () => {
    expect(responsesOf('lost', 'notFound', 'lent', 'held')).toStrictEqual({
      204: { description: 'Done' },
      404: { $ref: '#/components/responses/NotFound' },
      409: {
        description: 'The book is lost; or: The book is lent; or: The book is reserved',
        content: {
          'application/problem+json': {
            schema: { oneOf: ['LostProblem', 'LentProblem', 'HeldProblem'].map(schemaOf) },
            examples: Object.fromEntries(
              ['lost', 'lent', 'held'].map((name) => [name, exampleReference(name)]),
            ),
          },
        },
      },
    })
  })

  it('a problem named twice is listed once', () => {
    expect(responsesOf('lent', 'lent')?.[409]).toStrictEqual({
      $ref: '#/components/responses/Lent',
    })
  })
})

describe("an entry's response", () => {
  const document = build()
  const errors = [{ location: 'query', pointer: '/page', detail: 'Too small' }] as const
  const answers: readonly (readonly [name: string, answer: Response])[] = [
    ['NotFoundProblem', problems.notFound()],
    ['NotFoundProblem', problems.notFound({ detail: 'No b1', instance: '/books/b1' })],
    ['InvalidProblem', problems.invalid({ extensions: { errors: [...errors] } })],
    ['LentProblem', problems.lent({ extensions: { until: '2030-01-31' } })],
    ['HeldProblem', problems.held({ extensions: { waiting: 2 }, detail: 'Two do' })],
    ['LostProblem', problems.lost()],
  ]

  it.each(answers)('the response conforms only to the schema %s', async (name, answer) => {
    const body = await answer.clone().json()
    const names = ['NotFound', 'Invalid', 'Lent', 'Held', 'Lost'].map((one) => `${one}Problem`)
    const taking: string[] = []
    for (const one of names) if (await accepts(document, schemaOf(one), body)) taking.push(one)
    expect(taking).toStrictEqual([name])
    expect(await accepts(document, schemaOf('Problem'), body)).toBe(true)
    expect(answer.status).toBe(body.status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  it('a shared status accepts each problem with this status', async () => {
    const { paths } = build('lent', 'held', 'lost')
    const response = paths?.['/books']?.get?.responses?.[409]
    const schema = Object(response).content['application/problem+json'].schema
    for (const [name, answer] of answers) {
      const body = await answer.clone().json()
      const isOne = ['LentProblem', 'HeldProblem', 'LostProblem'].includes(name)
      expect(await accepts(document, schema, body)).toBe(isOne)
    }
  })

  it('a response with another status or title, or without extensions, is a violation', async () => {
    const body = await problems.lent({ extensions: { until: '2030-01-31' } }).json()
    const { until: _, ...bare } = body
    for (const other of [{ ...body, status: 404 }, { ...body, title: 'Gone' }, bare]) {
      expect(await accepts(document, schemaOf('LentProblem'), other)).toBe(false)
    }
  })
})

describe('a status shared between a response and problems', () => {
  const responseOf = (body: Record<string, z.ZodString> | null, names: readonly string[]) => {
    const response = { description: 'Another error', ...(body && { body }) }
    const added = operation('a', { responses: { 409: response }, problems: names })
    return createDocument(options).add(added).build()
  }

  it('the status has both contents if the media types differ', () => {
    const text = { 'text/plain': z.string() }
    const built = unwrap(responseOf(text, ['lent', 'lost'])).paths?.['/books']?.get?.responses
    expect(built?.['409']).toEqual({
      description: 'Another error; or: The book is lent; or: The book is lost',
      content: {
        'text/plain': { schema: { type: 'string' } },
        'application/problem+json': {
          schema: { oneOf: [schemaOf('LentProblem'), schemaOf('LostProblem')] },
          examples: { lent: exampleReference('lent'), lost: exampleReference('lost') },
        },
      },
    })
    const one = unwrap(responseOf(text, ['lent'])).paths?.['/books']?.get?.responses
    expect(one?.['409']).toMatchObject({
      content: { 'application/problem+json': { schema: schemaOf('LentProblem') } },
    })
  })

  it.each([
    ['without a body', null],
    ['a problem', { 'application/problem+json; charset=utf-8': z.string() }],
    ['of any media type', { '*/*': z.string() }],
    ['a text or a problem', { 'text/plain': z.string(), 'application/*': z.string() }],
  ])('the status is a fault if the response is %s', (_, body) => {
    const built = responseOf(body, ['lent'])
    expect(isFailure(built) && built.error.errors.map(({ code }) => code)).toEqual([
      'duplicate-status',
    ])
  })
})
