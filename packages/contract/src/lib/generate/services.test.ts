import { own } from '@plumbline/base'
import { generateTests } from '@plumbline/contract'
import { createDocument, defineOperation, type OperationSpec } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const info = { title: 'Things', version: '1' }
const done = { 204: { description: 'Done' } }

/** Runs the tests of one operation. Returns the messages of those that fail, by name. */
async function failuresOf(
  route: `${string} ${string}`,
  spec: Omit<OperationSpec, 'summary' | 'responses'>,
  handle: (request: Request, input: { readonly body: unknown }) => void,
  seed = 1,
) {
  const operation = defineOperation('send', route, { summary: 'Send', responses: done, ...spec })
  const document = createDocument({ info, defaults: {} }).add(operation)
  const { fetch } = implement(document, {
    onError: () => undefined,
    handlers: {
      send: ({ request, reply, ...input }) => {
        handle(request, { body: own(input, 'body') })
        return reply(204)
      },
    },
  })
  return await failuresIn({ document, fetch }, seed)
}

async function failuresIn(api: Parameters<typeof generateTests>[0], seed: number) {
  const failures = new Map<string, string>()
  for (const { name, run } of generateTests(api, { seed })) {
    try {
      await run()
    } catch (error) {
      failures.set(name, String(error))
    }
  }
  return failures
}

describe('an unsatisfiable schema', () => {
  const at = '/paths/~1things/post/requestBody/content/application~1json/schema/properties/x'
  it.each<[string, z.ZodType]>([
    ['', z.int().min(5).max(4)],
    ['', z.number().gt(5).lt(5)],
    ['', z.string().min(5).max(4)],
    ['', z.array(z.string()).min(5).max(4)],
    ['/items', z.array(z.string().min(5).max(4)).min(1)],
    ['/properties/y', z.object({ y: z.never(), z: z.string() })],
    ['', z.intersection(z.literal(1), z.literal(2))],
  ])('one test names the schema with the operation and pointer %s', async (inner, x) => {
    const failures = await failuresOf('POST /things', { body: z.object({ x }) }, () => undefined)
    expect([...failures]).toEqual([
      [
        'send: valid requests get a declared answer',
        `TypeError: send: no value was found for the schema at ${at}${inner}`,
      ],
    ])
  })

  it('the schema is named if another media type has values, or if it is a parameter', async () => {
    const impossible = z.string().min(5).max(4)
    const bodies = { 'text/plain': z.string(), 'application/json': z.object({ x: impossible }) }
    const [first] = await failuresOf('POST /things', { body: bodies }, () => undefined)
    expect(first?.[1]).toContain(`no value was found for the schema at ${at}`)
    const query = z.object({ q: impossible })
    const [second] = await failuresOf('POST /things', { query }, () => undefined)
    expect(second?.[1]).toContain('schema at /paths/~1things/post/parameters/0/schema')
  })

  it('an unsatisfiable schema does not matter where nothing needs it', async () => {
    const body = z.object({ a: z.string(), b: z.never().optional() })
    expect(await failuresOf('POST /things', { body }, () => undefined)).toEqual(new Map())
  })
})

describe('generated values', () => {
  it('two unions produce all combinations', async () => {
    const seen = new Set<string>()
    const body = z.intersection(
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      z.union([z.object({ c: z.string() }), z.object({ d: z.string() })]),
    )
    const failures = await failuresOf('POST /things', { body }, (_, input) => {
      seen.add(Object.keys(Object(input.body)).sort().join(''))
    })
    expect(failures).toEqual(new Map())
    expect([...seen]).toEqual(expect.arrayContaining(['ac', 'ad', 'bc', 'bd']))
  })

  it('each branch of 14 unions is generated', async () => {
    const seen = new Set<string>()
    let body: z.ZodType = z.unknown()
    for (let at = 0; at < 14; at += 1) {
      const branches = ['a', 'b'].map((name) => z.object({ [`${name}${at}`]: z.int() }))
      body = z.intersection(body, z.union(branches))
    }
    await failuresOf('POST /things', { body }, (_, input) => {
      for (const name of Object.keys(Object(input.body))) seen.add(name)
    })
    expect(seen.size).toBe(28)
  })

  it.each([1, 2, 3, 4, 5])(
    'multiples are exact for every library, with the seed %i',
    async (seed) => {
      const body = z.object({
        quarter: z.number().multipleOf(0.25),
        tenth: z.number().multipleOf(0.1).min(1e6),
        cent: z.number().multipleOf(0.01).max(-3),
        tiny: z.number().multipleOf(1e-7),
        week: z.int().multipleOf(7),
      })
      expect(await failuresOf('POST /things', { body }, () => undefined, seed)).toEqual(new Map())
    },
  )

  it('numbers include limits and zero', async () => {
    const seen = new Set<unknown>()
    const query = z.object({ n: z.int().min(-900).max(900) })
    await failuresOf('GET /things', { query }, ({ url }) => {
      seen.add(new URL(url).searchParams.get('n'))
    })
    expect([...seen]).toEqual(expect.arrayContaining(['-900', '0', '900']))
  })

  it.each<[string, z.ZodType]>([
    ['a duration', z.iso.duration()],
    ['an emoji', z.emoji()],
  ])('strings match a pattern with a look-ahead: %s', async (_, text) => {
    const body = z.object({ text })
    expect(await failuresOf('PUT /name', { body }, () => undefined)).toEqual(new Map())
  })

  it('strings include blanks only', async () => {
    const handle = (_: Request, input: { readonly body: unknown }) => {
      if (String(input.body).trim() === '') throw new Error('a blank name')
    }
    const body = { 'text/plain': z.string().min(2) }
    expect((await failuresOf('PUT /name', { body }, handle)).size).toBe(1)
  })
})

describe('50 generated requests', () => {
  it('strings include quotes, slashes, percent signs and NUL', async () => {
    const seen = new Set<string>()
    const body = z.object({ name: z.string().min(1).max(40) })
    await failuresOf('POST /things', { body }, (_, input) => {
      for (const character of Object(input.body).name) seen.add(character)
    })
    expect([...seen]).toEqual(expect.arrayContaining([...`'"\\/%\0+{é😀`]))
  })

  it('record keys include names inherited by every object', async () => {
    const seen = new Set<string>()
    await failuresOf('POST /things', { body: z.record(z.string(), z.int()) }, (_, input) => {
      for (const key of Object.keys(Object(input.body))) seen.add(key)
    })
    expect([...seen]).toEqual(expect.arrayContaining(['constructor', 'toString']))
  })
})

describe('generated files', () => {
  it.each<[string, string, NonNullable<OperationSpec['body']>, readonly string[]]>([
    [
      'their type',
      'png',
      { 'multipart/form-data': z.object({ png: z.file().mime('image/png') }) },
      ['image/png'],
    ],
    [
      'each of their types',
      'file',
      { 'multipart/form-data': z.object({ file: z.file().mime(['image/png', 'image/gif']) }) },
      ['image/gif', 'image/png'],
    ],
    [
      'the type of the body',
      '',
      z.file().mime(['image/png', 'image/gif']),
      ['image/gif', 'image/png'],
    ],
    ['a type within a range', '', { 'image/*': z.file() }, ['image/png']],
  ])('generated files have %s', async (_, field, body, types) => {
    const seen = new Set<unknown>()
    const failures = await failuresOf('PUT /files', { body }, (_, input) => {
      const file = field === '' ? input.body : Object(input.body)[field]
      seen.add(file instanceof Blob ? file.type : file)
    })
    expect(failures).toEqual(new Map())
    expect([...seen].toSorted()).toEqual(types)
  })

  it('generated files have another type, which the server must reject', async () => {
    const body = { 'multipart/form-data': z.object({ png: z.file().mime('image/png') }) }
    const operation = defineOperation('send', 'PUT /files', { summary: 'S', body, responses: done })
    const document = createDocument({ info, defaults: {} }).add(operation)
    const anyType = { 'multipart/form-data': z.object({ png: z.file() }) }
    const lenient = createDocument({ info, defaults: {} }).add(
      defineOperation('send', 'PUT /files', { summary: 'S', body: anyType, responses: done }),
    )
    const { fetch } = implement(lenient, { handlers: { send: ({ reply }) => reply(204) } })
    const failures = await failuresIn({ document, fetch }, 1)
    expect([...failures.keys()]).toEqual(['send: requests that break one constraint are rejected'])
    expect([...failures.values()].join()).toContain('/properties/png/contentMediaType')
  })
})

it('a wildcard may be generated empty', async () => {
  const failures = await failuresOf('GET /files/*path', {}, ({ url }) => {
    if (new URL(url).pathname === '/files/') throw new Error('no path')
  })
  expect([...failures.values()].join()).toContain(`curl 'http://localhost/files/'`)
})

it.each([1, 2, 3])(
  'a correct service with three libraries, forms and streams passes, with the seed %i',
  async (seed) => {
    const Tree: z.ZodType = z
      .lazy(() =>
        z.union([
          z.object({ a: Tree.optional(), t: z.string().optional() }),
          z.object({ a: Tree.optional(), i: z.int().optional() }),
        ]),
      )
      .meta({ id: 'Tree' })
    const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(20))
    const document = createDocument({ info, defaults: {} }).add(
      defineOperation('sendZod', 'POST /zod/:day', {
        summary: 'Send',
        params: z.object({ day: z.iso.date() }),
        query: z.object({
          tags: z.array(z.string().max(5)).optional(),
          dry: z.boolean().optional(),
        }),
        headers: z.object({ 'X-Trace': z.string().min(1).max(20).optional() }),
        cookies: z.object({ session: z.string().min(2).optional() }),
        body: z.object({
          name: z.string().min(1).max(30),
          price: z.number().multipleOf(0.01).min(0).optional(),
          tree: Tree.optional(),
          mail: z.email().optional(),
          map: z.record(z.string(), z.int()).optional(),
        }),
        responses: done,
      }),
      defineOperation('sendForm', 'POST /form', {
        summary: 'Send',
        body: {
          'application/x-www-form-urlencoded': z.object({
            a: z.string().min(2).max(9),
            n: z.int().min(0).optional(),
            list: z.array(z.string()).optional(),
          }),
          'multipart/form-data': z.object({
            text: z.string().min(2).max(20),
            png: z.file().mime('image/png'),
            meta: z.object({ a: z.string() }).optional(),
            step: z.number().multipleOf(0.5).optional(),
          }),
        },
        responses: done,
      }),
      defineOperation('sendArk', 'POST /ark', {
        summary: 'Send',
        body: type({
          name: '1 <= string <= 20',
          'age?': '0 <= number.integer <= 150',
          tags: 'string[]',
        }),
        responses: done,
      }),
      defineOperation('sendValibot', 'POST /valibot', {
        summary: 'Send',
        body: toStandardJsonSchema(
          v.object({
            name: Name,
            step: v.optional(v.pipe(v.number(), v.multipleOf(5))),
            either: v.union([v.object({ a: Name }), v.object({ b: v.number() })]),
          }),
        ),
        responses: done,
      }),
      defineOperation('watch', 'GET /watch', {
        summary: 'Watch',
        responses: {
          200: { description: 'Ticks', stream: events({ tick: z.object({ n: z.int() }) }) },
        },
      }),
    )
    const { fetch } = implement(document, {
      handlers: {
        sendZod: ({ reply }) => reply(204),
        sendForm: ({ reply }) => reply(204),
        sendArk: ({ reply }) => reply(204),
        sendValibot: ({ reply }) => reply(204),
        watch: async function* () {
          yield { event: 'tick', data: { n: 1 } }
        },
      },
    })
    expect(await failuresIn({ document, fetch }, seed)).toEqual(new Map())
  },
)
