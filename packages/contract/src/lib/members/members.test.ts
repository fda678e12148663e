import { type AnyOperation, createDocument, defineOperation, type Schema } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkCoverage } from '../coverage/check-coverage.ts'
import { createContractRecorder } from '../record/recorder.ts'

const info = { title: 'Pets', version: '1.0.0' }

/** The members of a report, with the counts of those that are covered. */
function membersOf(recorder: ReturnType<typeof createContractRecorder>) {
  const items = recorder
    .report()
    .operations.flatMap((one) => one.items)
    .filter(({ kind }) => kind === 'members')
  return {
    all: items.map(({ name }) => name),
    covered: items.filter(({ count }) => count > 0).map(({ name }) => name),
    counts: Object.fromEntries(items.map(({ name, count }) => [name, count])),
  }
}

function recorderOf(...operations: AnyOperation[]) {
  const document = createDocument({ info }).add(...operations)
  unwrap(document.build())
  return createContractRecorder(document)
}

/** A recorder of one operation with this response body, and the members that some answers cover. */
function answering(body: Schema) {
  const recorder = recorderOf(
    defineOperation('readPet', 'GET /pet', {
      summary: 'Read a pet',
      responses: { 200: { description: 'A pet', body } },
    }),
  )
  const answer = async (...values: unknown[]) => {
    for (const value of values) {
      const request = new Request('http://localhost/pet')
      await recorder.middleware({ request }, async () => Response.json(value))
    }
    return membersOf(recorder)
  }
  return { recorder, answer }
}

const Pet = z.object({
  note: z.string().nullable().optional(),
  pet: z.union([z.object({ purr: z.boolean() }), z.object({ bark: z.boolean() })]).optional(),
  kind: z.enum(['x', 'y']),
  list: z.array(z.object({ tag: z.string().optional() })),
})
const ArkPet = type({
  'note?': 'string | null',
  'pet?': type({ purr: 'boolean' }).or({ bark: 'boolean' }),
  kind: "'x' | 'y'",
  list: type({ 'tag?': 'string' }).array(),
})
const ValibotPet = toStandardJsonSchema(
  v.object({
    note: v.optional(v.nullable(v.string())),
    pet: v.optional(v.union([v.object({ purr: v.boolean() }), v.object({ bark: v.boolean() })])),
    kind: v.picklist(['x', 'y']),
    list: v.array(v.object({ tag: v.optional(v.string()) })),
  }),
)

const MEMBERS = [
  '200 /note',
  '200 /note absent',
  '200 /note null',
  '200 /pet',
  '200 /pet absent',
  '200 /pet {purr}',
  '200 /pet {bark}',
  '200 /kind "x"',
  '200 /kind "y"',
  '200 /list empty',
  '200 /list non-empty',
  '200 /list/* /tag'.replace(' /tag', '/tag'),
  '200 /list/*/tag absent',
]

const least = { kind: 'x', list: [] }
const seenByLeast = ['200 /note absent', '200 /pet absent', '200 /kind "x"', '200 /list empty']

describe.each([
  ['zod', Pet],
  ['ArkType', ArkPet],
  ['Valibot', ValibotPet],
])('body members in %s', (_, schema) => {
  it('optional members, null, branches, enum values and lists count as members', async () => {
    const { all } = await answering(schema).answer()
    expect(all.toSorted()).toEqual(MEMBERS.toSorted())
  })

  it.each<[unknown, string[]]>([
    [least, []],
    [{ ...least, note: 'n' }, ['200 /note']],
    [{ ...least, note: null }, ['200 /note null']],
    [{ ...least, pet: { purr: true } }, ['200 /pet', '200 /pet {purr}']],
    [{ ...least, pet: { bark: true } }, ['200 /pet', '200 /pet {bark}']],
    [{ ...least, kind: 'y' }, ['200 /kind "y"']],
    [{ ...least, list: [{}] }, ['200 /list non-empty', '200 /list/*/tag absent']],
    [{ ...least, list: [{ tag: 't' }] }, ['200 /list non-empty', '200 /list/*/tag']],
  ])('an answer covers the members it contains: %j', async (value, more) => {
    const { answer } = answering(schema)
    const before = new Set((await answer(least)).covered)
    expect([...before].toSorted()).toEqual(seenByLeast.toSorted())
    expect((await answer(value)).covered.filter((name) => !before.has(name)).toSorted()).toEqual(
      more.toSorted(),
    )
  })

  it('an answer that violates the contract covers nothing', async () => {
    const { recorder, answer } = answering(schema)
    const { covered } = await answer({ ...least, kind: 'z', note: 'n' }, { note: null })
    expect(covered).toEqual([])
    expect(recorder.violations().length).toBeGreaterThan(1)
  })
})

describe('a member', () => {
  it('a member counts once per exchange, however often it occurs', async () => {
    const { answer } = answering(Pet)
    const list = [{ tag: 'a' }, { tag: 'b' }, {}]
    const { counts } = await answer({ ...least, list }, { ...least, list }, least)
    expect(counts).toMatchObject({
      '200 /list non-empty': 2,
      '200 /list/*/tag': 2,
      '200 /list/*/tag absent': 2,
      '200 /list empty': 1,
    })
  })

  it.each<[string, Schema, unknown, string[], string[]]>([
    ['null of the whole body', z.string().nullable(), null, ['200 null'], ['200 present']],
    ['an empty list as a body', z.array(z.string()), [], ['200 empty'], ['200 non-empty']],
    [
      'a value of an enum that may be null',
      z.object({ a: z.enum(['b', 'c']).nullable() }),
      { a: 'b' },
      ['200 /a', '200 /a "b"'],
      ['200 /a null', '200 /a "c"'],
    ],
    [
      'a scalar of a union, by its type',
      z.object({ a: z.union([z.string(), z.int(), z.null()]) }),
      { a: 1 },
      ['200 /a', '200 /a number'],
      ['200 /a null', '200 /a string'],
    ],
    [
      'a branch with a discriminator',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), of: z.string() }),
        z.object({ kind: z.literal('b'), of: z.string() }),
      ]),
      { kind: 'b', of: 'c' },
      ['200 {kind: "b"}'],
      ['200 {kind: "a"}'],
    ],
    [
      'a component by its name',
      z.union([
        z.object({ a: z.string() }).meta({ id: 'First' }),
        z.object({ b: z.string() }).meta({ id: 'Second' }),
      ]),
      { a: 'x' },
      ['200 First'],
      ['200 Second'],
    ],
    [
      'both branches, if both accept the value',
      z.union([z.string(), z.literal('a')]),
      'a',
      ['200 string', '200 "a"'],
      [],
    ],
    [
      'a value of a record, and an element of a tuple',
      z.object({
        record: z.record(z.string(), z.boolean().nullable()),
        tuple: z.tuple([z.string().nullable(), z.int()]),
      }),
      { record: { a: null, b: true }, tuple: ['a', 1] },
      ['200 /record/*', '200 /record/* null', '200 /tuple/0'],
      ['200 /tuple/0 null'],
    ],
    [
      'a member of one part of an intersection',
      z.intersection(z.object({ a: z.string().optional() }), z.object({ b: z.string() })),
      { b: '' },
      ['200 /a absent'],
      ['200 /a'],
    ],
    [
      'a name that is syntax of a pointer, or of every object (RFC 6901 §3)',
      z.object({ 'a/b': z.string().optional(), constructor: z.string().optional() }),
      {},
      ['200 /a~1b absent', '200 /constructor absent'],
      ['200 /a~1b', '200 /constructor'],
    ],
    [
      'values whose first 40 characters are equal, each by itself',
      z.enum([`${'x'.repeat(50)}1`, `${'x'.repeat(50)}2`]),
      `${'x'.repeat(50)}2`,
      [`200 "${'x'.repeat(39)}… 2`],
      [`200 "${'x'.repeat(39)}…`],
    ],
    [
      'a component with the name of another kind of item',
      z.object({
        a: z.union([z.object({ b: z.string() }).meta({ id: 'absent' }), z.string()]).optional(),
      }),
      { a: { b: '' } },
      ['200 /a', '200 /a {absent}'],
      ['200 /a absent', '200 /a string'],
    ],
    [
      'only possible lengths of a list',
      z.object({ some: z.array(z.string()).min(1), none: z.array(z.string()).max(0) }),
      { some: ['a'], none: [] },
      [],
      [],
    ],
  ])('an answer covers %s', async (_, schema, value, covered, others) => {
    const members = await answering(schema).answer(value)
    expect(members.covered.toSorted()).toEqual(covered.toSorted())
    expect(members.all.toSorted()).toEqual([...covered, ...others].toSorted())
  })
})

describe('a recursive schema', () => {
  it('a component counts once for each place, however deep the value', async () => {
    const Node = z
      .object({
        name: z.string().optional(),
        get children() {
          return z.array(Node)
        },
      })
      .meta({ id: 'Node' })
    const { answer } = answering(z.object({ left: Node, right: Node.nullable() }))
    let value: unknown = { name: 'deepest', children: [] }
    for (let depth = 1; depth < 6; depth += 1) value = { children: [value] }
    const { all, covered } = await answer({ left: value, right: null })
    expect(all.toSorted()).toEqual(
      [
        '200 /left/name',
        '200 /left/name absent',
        '200 /left/children empty',
        '200 /left/children non-empty',
        '200 /right',
        '200 /right null',
        '200 /right/name',
        '200 /right/name absent',
        '200 /right/children empty',
        '200 /right/children non-empty',
      ].toSorted(),
    )
    expect(covered.filter((name) => !name.startsWith('200 /right'))).toHaveLength(4)
  })

  it('counting ends, although each of six components contains all others', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F']
    const all: Record<string, Schema> = {}
    for (const name of names) {
      all[name] = z
        .lazy(() =>
          z.object(
            Object.fromEntries(names.map((other) => [other, (all[other] as z.ZodType).optional()])),
          ),
        )
        .meta({ id: name })
    }
    const { recorder } = answering(all.A as Schema)
    const { total, cut } = recorder.report().members
    expect({ total, cut }).toEqual({ total: 500, cut: ['readPet'] })
  })
})

describe('an intersection of unions', () => {
  const A = z.object({ a: z.string(), note: z.string().optional() })
  const B = z.object({ b: z.string() })
  const C = z.object({ c: z.string() })
  const D = z.object({ d: z.string().nullable() })

  it.each<[string, Schema, unknown, string[], string[]]>([
    [
      'the branches of both unions',
      z.intersection(z.union([A, B]), z.union([C, D])),
      { a: '', d: null },
      ['200 {a, note}', '200 {d}', '200 /note absent', '200 /d null'],
      ['200 {b}', '200 {c}', '200 /note', '200 /d'],
    ],
    [
      'only branches that all three unions allow',
      z.intersection(
        z.intersection(
          z.union([z.string(), z.string().max(5), z.int()]),
          z.union([z.literal('x'), z.literal('y'), z.int()]),
        ),
        z.union([z.string().max(1), z.boolean()]),
      ),
      'x',
      ['200 string', '200 string 2', '200 "x"'],
      ['200 "y"'],
    ],
    [
      'null, if all unions accept it',
      z.intersection(z.union([A, z.null()]), z.union([C, D, z.null()])),
      { a: '', c: '' },
      ['200 present', '200 {c}', '200 /note absent'],
      ['200 null', '200 {d}', '200 /note', '200 /d', '200 /d null'],
    ],
    [
      'an enum by its values',
      z.intersection(
        z.union([z.literal(1), z.literal(2), z.literal(10)]),
        z.union([z.literal(10), z.literal(2), z.literal(21)]),
      ),
      10,
      ['200 10', '200 10 2'],
      ['200 2', '200 2 2'],
    ],
  ])('an answer to an intersection covers %s', async (_, schema, value, covered, others) => {
    const { recorder, answer } = answering(schema)
    const members = await answer(value)
    expect(recorder.violations()).toEqual([])
    expect(members.covered.toSorted()).toEqual(covered.toSorted())
    expect(members.all.toSorted()).toEqual([...covered, ...others].toSorted())
  })

  it('each branch of 14 unions is an item', () => {
    const pair = (at: number) =>
      z.union([z.object({ [`a${at}`]: z.string() }), z.object({ [`b${at}`]: z.string() })])
    let all: z.ZodType = pair(0)
    for (let at = 1; at < 14; at += 1) all = z.intersection(all, pair(at))
    expect(answering(all).recorder.report().members).toEqual({ total: 28, covered: 0, cut: [] })
  })
})

describe('the step limit', () => {
  const Tree: z.ZodType = z
    .lazy(() =>
      z.union([
        z.object({ a: Tree.optional(), t: z.string().optional() }),
        z.object({ a: Tree.optional(), i: z.string().optional() }),
      ]),
    )
    .meta({ id: 'Tree' })
  const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) })

  it('a recursive union whose branches all accept the value stays under the limit', async () => {
    const { recorder, answer } = answering(Tree)
    expect((await answer(nested(40))).covered).toEqual([
      '200 {t}',
      '200 {i}',
      '200 /a',
      '200 /a absent',
      '200 /t absent',
      '200 /i absent',
    ])
    expect(recorder.report().members.cut).toEqual([])
  })

  it.each<[string, Schema, unknown]>([
    ['long', z.array(z.string().nullable()), Array.from({ length: 40_000 }, () => 'x')],
    ['deep', Tree, nested(200)],
  ])(
    'a value is cut if it is too %s, so the operation is not covered whole',
    async (_, body, value) => {
      const { recorder, answer } = answering(body)
      await answer(value, value)
      const report = recorder.report()
      expect(recorder.violations()).toEqual([])
      expect(report.members.cut).toEqual(['readPet'])
      expect(report.operations).toMatchObject([{ exchanges: 2, cut: 2 }])
      const operations = report.operations.map((one) => ({
        ...one,
        items: one.items.map((item) => ({ ...item, count: 1 })),
      }))
      const { failures } = checkCoverage(
        { ...report, operations },
        { thresholds: { members: 100 } },
      )
      expect(failures).toEqual([
        'members: 99.9 % covered, expected 100 %, and not all of them were counted',
      ])
    },
  )
})

describe('request members', () => {
  const recorded = () =>
    recorderOf(
      defineOperation('addPet', 'POST /pets/:kind', {
        summary: 'Add a pet',
        params: z.object({ kind: z.enum(['cat', 'dog']) }),
        query: z.object({ tags: z.array(z.enum(['a', 'b'])).optional(), page: z.int().optional() }),
        headers: z.object({ 'X-Mode': z.enum(['fast', 'safe']) }),
        cookies: z.object({ theme: z.enum(['dark', 'light']).optional() }),
        body: {
          'application/json': z.object({ title: z.string().trim().optional() }),
          'application/x-www-form-urlencoded': z.object({ size: z.enum(['s', 'm']).optional() }),
        },
        responses: {
          201: {
            description: 'Added',
            headers: {
              ETag: { schema: z.string() },
              Age: { schema: z.union([z.literal(1), z.literal(2)]), required: true },
            },
          },
          '4XX': { description: 'Rejected', body: z.object({ why: z.string().optional() }) },
        },
      }),
    )
  const json = { 'Content-Type': 'application/json', 'X-Mode': 'safe' }

  async function send(
    init: RequestInit & { search?: string },
    response = new Response(null, { status: 201, headers: { Age: '2' } }),
    recorder = recorded(),
  ) {
    const { search = '', ...rest } = init
    const url = `http://localhost/pets/cat${search}`
    const request = new Request(url, { method: 'POST', headers: json, ...rest })
    await recorder.middleware({ request }, async () => {
      await request.text()
      return response
    })
    return membersOf(recorder)
  }

  it('parameters, bodies per media type and response headers have members', async () => {
    expect((await send({})).all).toEqual([
      'path:kind "cat"',
      'path:kind "dog"',
      'query:tags absent',
      'query:tags /* "a"',
      'query:tags /* "b"',
      'query:page absent',
      'header:X-Mode "fast"',
      'header:X-Mode "safe"',
      'cookie:theme absent',
      'cookie:theme "dark"',
      'cookie:theme "light"',
      'request /title',
      'request /title absent',
      'request application/x-www-form-urlencoded /size',
      'request application/x-www-form-urlencoded /size absent',
      'request application/x-www-form-urlencoded /size "s"',
      'request application/x-www-form-urlencoded /size "m"',
      '201 header:ETag present',
      '201 header:ETag absent',
      '201 header:Age 1',
      '201 header:Age 2',
      '4XX /why',
      '4XX /why absent',
    ])
  })

  it('an accepted request and the answer to it cover members', async () => {
    expect((await send({ search: '?tags=b', body: '{"title":" a "}' })).covered).toEqual([
      'path:kind "cat"',
      'query:tags /* "b"',
      'query:page absent',
      'header:X-Mode "safe"',
      'cookie:theme absent',
      'request /title',
      '201 header:ETag absent',
      '201 header:Age 2',
    ])
  })

  it('a form covers members under the form media type', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Mode': 'safe' }
    const { covered } = await send({ headers, body: 'size=m' })
    expect(covered.filter((name) => name.startsWith('request'))).toEqual([
      'request application/x-www-form-urlencoded /size',
      'request application/x-www-form-urlencoded /size "m"',
    ])
  })

  it('a rejected request covers nothing, but the answer covers response members', async () => {
    const rejected = Response.json({ why: 'no' }, { status: 422 })
    const { covered } = await send({ search: '?tags=b', body: '{"title":"a"}' }, rejected)
    expect(covered).toEqual(['4XX /why'])
  })

  it('an answer that violates the contract covers no request member', async () => {
    const { covered } = await send({ body: '{"title":"a"}' }, new Response(null, { status: 201 }))
    expect(covered).toEqual([])
  })

  it('the handler can still read the body', async () => {
    const recorder = recorded()
    const request = new Request('http://localhost/pets/cat', {
      method: 'POST',
      headers: json,
      body: '{"title":"a"}',
    })
    let read: unknown
    await recorder.middleware({ request }, async () => {
      read = await request.json()
      return new Response(null, { status: 201, headers: { Age: '1' } })
    })
    expect(read).toEqual({ title: 'a' })
  })

  it('an exchange is not kept if the body was read earlier, or is unreadable', async () => {
    const recorder = recorded()
    const used = new Request('http://localhost/pets/cat', {
      method: 'POST',
      headers: json,
      body: '{}',
    })
    await used.text()
    const locked = new Request(used.url, { method: 'POST', headers: json, body: '{}' })
    locked.body?.getReader()
    const answer = async () => new Response(null, { status: 201, headers: { Age: '1' } })
    await recorder.middleware({ request: used }, answer)
    await recorder.middleware({ request: locked }, answer)
    await send({ body: 'not JSON' }, await answer(), recorder)
    expect(membersOf(recorder).covered.filter((name) => name.startsWith('request'))).toEqual([])
    expect(recorder.report().exchanges).toBe(3)
  })
})

it('a request without a body covers the absent body, if the body is optional', async () => {
  const recorder = recorderOf(
    defineOperation('addPet', 'POST /pets', {
      summary: 'Add a pet',
      body: z.object({ name: z.string() }).optional(),
      responses: { 204: { description: 'Added' } },
    }),
  )
  const send = async (init: RequestInit) => {
    const request = new Request('http://localhost/pets', { method: 'POST', ...init })
    await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
    return membersOf(recorder)
  }
  expect(
    await send({ headers: { 'Content-Type': 'application/json' }, body: '{"name":"a"}' }),
  ).toMatchObject({ all: ['request absent'], covered: [] })
  expect((await send({})).covered).toEqual(['request absent'])
})

it('1,000 operations sharing a component have members at each place', () => {
  const Shared = z
    .object({
      a: z.string().optional(),
      kind: z.enum(['x', 'y', 'z']),
      list: z.array(z.object({ b: z.string().nullable() })),
      either: z.union([z.object({ c: z.string() }), z.object({ d: z.string() })]),
    })
    .meta({ id: 'Shared' })
  const document = createDocument({ info }).add(
    ...Array.from({ length: 1_000 }, (_, at) =>
      defineOperation(`operation${at}`, `POST /path${at}`, {
        summary: 'Do it',
        body: Shared,
        responses: { 200: { description: 'Done', body: Shared } },
      }),
    ),
  )
  unwrap(document.build())
  expect(createContractRecorder(document).report().members.total).toBe(22_000)
})
