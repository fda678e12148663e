import { defineProblems } from '@plumbline/problem'
import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createConformanceRecorder } from '../conformance/recorder.ts'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { createSender } from './sender.ts'
import { signWebhooks, verifyWebhooks } from './signature.ts'
import { defineWebhook } from './webhook.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
const info = { title: 'Books', version: '1' }
const problems = defineProblems('https://example.com/problems/', {
  gone: { slug: 'gone', status: 410, title: 'Unsubscribed' },
})
const bookSold = defineWebhook('bookSold', {
  summary: 'A book was sold',
  body: z.object({ title: z.string(), note: z.string().optional() }),
  headers: z.object({ 'X-Shop': z.string() }),
  responses: { 204: { description: 'Accepted' }, 409: { description: 'Known' } },
  problems: ['gone'],
})
const url = 'https://example.com/hooks'
const headers = { 'X-Shop': 's1' }

/** A sender whose requests get this answer, and the requests that it sent. */
function sending(answer: (request: Request) => Response | Promise<Response>, secret = SECRET) {
  const sent: Request[] = []
  const sender = createSender(
    { bookSold },
    {
      sign: signWebhooks(secret),
      problems,
      fetch: async (request) => {
        sent.push(request.clone())
        return await answer(request)
      },
    },
  )
  return { sent, send: (title = 'Emma') => sender.bookSold(url, { title }, { headers }) }
}
const accepted = () => new Response(null, { status: 204 })
const first = async () => {
  const { sent, send } = sending(accepted)
  await send()
  const [request] = sent
  if (request === undefined) throw new Error('not sent')
  return request
}

describe('a signature (Standard Webhooks)', () => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const timestamp = 1614265330
  const text = '{"test": 2432232314}'
  const body = new TextEncoder().encode(text)
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  const now = () => timestamp * 1_000
  const headersOf = (given: Record<string, string> = {}) =>
    new Headers({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
      ...given,
    })

  it('equals the vector of the reference implementation', async () => {
    expect(await signWebhooks(SECRET)({ id, timestamp, body })).toBe(signature)
    expect(await verifyWebhooks(SECRET, { now })(headersOf(), body)).toEqual({ id, timestamp })
  })

  it('of two secrets is verified by either, while a secret is replaced', async () => {
    const both = await signWebhooks(SECRET, OTHER)({ id, timestamp, body })
    expect(both.split(' ')).toHaveLength(2)
    const signed = headersOf({ 'webhook-signature': both })
    for (const secrets of [SECRET, OTHER, [OTHER, SECRET]]) {
      expect(await verifyWebhooks(secrets, { now })(signed, body)).toEqual({ id, timestamp })
    }
  })

  it.each<[what: string, given: Record<string, string>, text: string, code: string]>([
    ['a changed byte', {}, '{"test": 2432232315}', 'invalid-signature'],
    ['a changed ID', { 'webhook-id': 'msg_2' }, text, 'invalid-signature'],
    ['a changed time', { 'webhook-timestamp': `${timestamp + 1}` }, text, 'invalid-signature'],
    ['an old time', { 'webhook-timestamp': `${timestamp - 301}` }, text, 'expired'],
    ['a time ahead', { 'webhook-timestamp': `${timestamp + 301}` }, text, 'expired'],
    ['a time that is not a number', { 'webhook-timestamp': '1e9' }, text, 'expired'],
    [
      'another version',
      { 'webhook-signature': signature.replace('v1', 'v1a') },
      text,
      'invalid-signature',
    ],
    ['a signature that is not base64', { 'webhook-signature': 'v1,?' }, text, 'invalid-signature'],
    ['an empty signature', { 'webhook-signature': '' }, text, 'invalid-signature'],
    [
      'a valid signature after sixteen others',
      { 'webhook-signature': `${'v1,AAAA '.repeat(16)}${signature}` },
      text,
      'invalid-signature',
    ],
  ])('with %s is rejected', async (_, given, sent, code) => {
    const verify = verifyWebhooks(SECRET, { now })
    expect(await verify(headersOf(given), new TextEncoder().encode(sent))).toMatchObject({ code })
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'without the header %s is rejected',
    async (name) => {
      const without = headersOf()
      without.delete(name)
      const message = `the header ${name} is missing`
      const verified = await verifyWebhooks(SECRET, { now })(without, body)
      expect(verified).toEqual({ code: 'missing-header', message })
    },
  )

  it('is accepted at the edge of the tolerance, which may be chosen', async () => {
    const late = (seconds: number) => () => (timestamp + seconds) * 1_000
    const verify = (options: object) => verifyWebhooks(SECRET, options)(headersOf(), body)
    expect(await verify({ now: late(300) })).toEqual({ id, timestamp })
    expect(await verify({ now: late(11), tolerance: 10 })).toMatchObject({ code: 'expired' })
  })

  it.each(['', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AAAA', 'whsec_?'])(
    'needs a secret of 24 to 64 bytes, not %j',
    (secret) => {
      expect(() => signWebhooks(secret)).toThrow(TypeError)
      expect(() => verifyWebhooks([SECRET, secret])).toThrow(TypeError)
    },
  )
})

it('a sender without sign sends a body and headers of its own', async () => {
  const pushed = defineWebhook('pushed', {
    summary: 'A token that is signed itself',
    body: { 'application/secevent+jwt': z.string() },
    responses: { 202: { description: 'Accepted' } },
  })
  const sent: Request[] = []
  const fetch = async (request: Request) => {
    sent.push(request.clone())
    return new Response(null, { status: 202 })
  }
  const given = { authorization: 'Bearer b1' }
  const { outcome } = await createSender({ pushed }, { fetch }).pushed(url, 'a.b.c', {
    headers: given,
  })
  expect(outcome).toBe('accepted')
  expect(await sent[0]?.text()).toBe('a.b.c')
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
    ...given,
    'content-type': 'application/secevent+jwt',
  })
})

describe('a receiver', () => {
  const verify = verifyWebhooks(SECRET)

  it('verifies and parses what a sender sends', async () => {
    const received = unwrap(await bookSold.receive(await first(), { verify }))
    expect(received).toEqual({
      id: expect.stringMatching(/^msg_/),
      timestamp: expect.any(Number),
      headers: { 'X-Shop': 's1' },
      body: { title: 'Emma' },
    })
  })

  it('rejects a changed body, another secret, and a schema that does not match', async () => {
    const request = await first()
    const changed = new Request(request.clone(), { body: '{"title":"Emm@"}' })
    expect(await bookSold.receive(changed, { verify })).toMatchObject({
      error: { name: 'WebhookError', code: 'invalid-signature' },
    })
    expect(
      await bookSold.receive(request.clone(), { verify: verifyWebhooks(OTHER) }),
    ).toMatchObject({ error: { code: 'invalid-signature' } })
    const stricter = defineWebhook('bookSold', { summary: '', body: z.object({ price: z.int() }) })
    expect(await stricter.receive(request, { verify })).toMatchObject({
      error: { name: 'OperationInputError', location: 'body' },
    })
  })

  it('rejects a body above its limit', async () => {
    const small = defineWebhook('small', { summary: '', body: z.string(), bodyLimit: 3 })
    expect(await small.receive(await first(), { verify })).toMatchObject({
      error: { code: 'too-large' },
    })
  })
})

describe('a sender', () => {
  it.each<[outcome: string, answer: () => Response]>([
    ['accepted', accepted],
    ['rejected', () => new Response(null, { status: 409 })],
    ['rejected', () => problems.gone()],
    ['undeclared', () => new Response('', { status: 500 })],
    ['undeclared', () => new Response(null, { status: 302, headers: { Location: '/' } })],
    [
      'unanswered',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ])('returns %s', async (outcome, answer) => {
    const { sent, send } = sending(answer)
    expect(await send()).toMatchObject({ outcome, id: sent[0]?.headers.get('webhook-id') })
    expect(sent[0]?.redirect).toBe('manual')
  })

  it('names the declared problem of a rejection', async () => {
    const delivery = await sending(() => problems.gone({ detail: 'Moved' })).send()
    expect(delivery.outcome === 'rejected' && delivery.answer.problem).toBe('gone')
  })

  it('does not send a message that does not conform, or to a URL that is not valid', async () => {
    const { sent, send } = sending(accepted)
    const wrong = await send(7 as unknown as string)
    expect(wrong).toMatchObject({ outcome: 'invalid', error: { location: 'body' } })
    const sender = createSender({ bookSold }, { sign: signWebhooks(SECRET), problems })
    const nowhere = await sender.bookSold('/hooks', { title: 'Emma' }, { headers })
    expect([nowhere.outcome, sent.length]).toEqual(['unanswered', 0])
  })

  it('has a time limit', async () => {
    // The timer of a time limit alone does not keep Node alive.
    const hanging = () =>
      new Promise<Response>((resolve) => setTimeout(() => resolve(accepted()), 1_000))
    const options = { sign: signWebhooks(SECRET), problems, timeout: 1, fetch: hanging }
    const { bookSold: send } = createSender({ bookSold }, options)
    expect(await send(url, { title: 'Emma' }, { headers })).toMatchObject({
      outcome: 'unanswered',
      error: { name: 'TimeoutError' },
    })
  })

  it('sends the same ID again with a new signature', async () => {
    const { sent } = sending(accepted)
    const sender = createSender(
      { bookSold },
      {
        sign: signWebhooks(SECRET),
        problems,
        fetch: async (request) => {
          sent.push(request)
          return accepted()
        },
      },
    )
    await sender.bookSold(url, { title: 'Emma' }, { headers, id: 'msg_1' })
    expect(sent[0]?.headers.get('webhook-id')).toBe('msg_1')
  })
})

describe('the document', () => {
  // Each level has two branches, so a search that enters a schema twice does not end.
  const Tree = z
    .object({
      url: z.url(),
      get left() {
        return z.union([Tree, z.object({ left: Tree })])
      },
    })
    .meta({ id: 'Tree' })
  const subscribe = (expression: string) =>
    defineOperation('subscribe', 'POST /shops/:shop/hooks', {
      summary: 'Subscribe',
      query: z.object({ page: z.string().optional() }),
      headers: z.object({ 'X-Url': z.string() }),
      body: z.object({
        callbackUrl: z.url(),
        list: z.array(z.object({ url: z.string() })),
        pair: z.tuple([z.string(), z.url()]),
        more: z.tuple([z.string()], z.url()),
        tree: Tree,
        any: z.unknown(),
        either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      }),
      responses: {
        201: {
          description: 'A',
          body: z.object({ url: z.string() }),
          headers: { Location: { schema: z.string() } },
        },
      },
      callbacks: { onSold: { url: expression, webhook: bookSold } },
    })
  const build = (expression: string) =>
    createDocument({ info, problems, defaults: {} })
      .add(subscribe(expression))
      .addWebhook(bookSold)
      .build()

  it('has webhooks and callbacks (OpenAPI 3.1.1 §4.8.1, §4.8.18)', () => {
    const { webhooks, paths } = unwrap(build('{$request.body#/callbackUrl}'))
    const post = {
      summary: 'A book was sold',
      parameters: [{ name: 'X-Shop', in: 'header', required: true, schema: { type: 'string' } }],
      requestBody: { required: true },
      responses: { 204: { description: 'Accepted' }, 410: { $ref: '#/components/responses/Gone' } },
    }
    expect(webhooks).toMatchObject({ bookSold: { post: { operationId: 'bookSold', ...post } } })
    expect(Object.keys(webhooks?.bookSold?.post?.responses ?? {})).toEqual(['204', '409', '410'])
    const callbacks = paths?.['/shops/{shop}/hooks']?.post?.callbacks
    expect(callbacks).toMatchObject({ onSold: { '{$request.body#/callbackUrl}': { post } } })
    expect(callbacks).not.toHaveProperty([
      'onSold',
      '{$request.body#/callbackUrl}',
      'post',
      'operationId',
    ])
  })

  it.each([
    'https://example.com/{$request.path.shop}?a={$request.query.page}',
    '{$request.header.x-url}',
    '{$request.body#/list/0/url}',
    '{$request.body#/any/a/b}',
    '{$request.body#/either/b}',
    '{$request.body}',
    '{$response.body#/url}',
    '{$response.header.location}',
    '{$url}{$method}{$statusCode}',
    '$request.body#/callbackUrl',
    '{$request.body#}',
    '{$request.body#/pair/1}',
    '{$request.body#/more/7}',
    `{$request.body#/tree${'/left'.repeat(64)}/url}`,
    'https://example.com/hooks',
  ])('accepts the expression %s (§4.8.20.4)', (expression) => {
    expect(build(expression)).toMatchObject({ status: 'success' })
  })

  it.each([
    ['{$request.body#/callbackurl}', 'points to a value that the body does not have'],
    ['{$request.body#/list/url}', 'points to a value that the body does not have'],
    ['{$request.body#/callbackUrl/x}', 'points to a value that the body does not have'],
    ['{$response.body#/callbackUrl}', 'points to a value that the body does not have'],
    ['{$request.query.pages}', 'names a query parameter that is not declared'],
    ['{$request.header.page}', 'names a header that is not declared'],
    ['{$response.header.X-Url}', 'names a header that is not declared'],
    ['{$request.path.id}', 'names a variable that the route does not have'],
    ['{request.body}', 'is not a runtime expression of OpenAPI'],
    ['{$response.query.a}', 'is not a runtime expression of OpenAPI'],
    ['{}', 'is not a runtime expression of OpenAPI'],
    ['$request.body#/callbackurl', 'points to a value that the body does not have'],
    ['{$request.body#callbackUrl}', 'has a JSON Pointer that does not start with /'],
    ['{$request.body#/any/~2}', 'has a lone ~'],
    ['{$request.bodyx}', 'is not a runtime expression of OpenAPI'],
    ['{$request.body#/pair/2}', 'points to a value that the body does not have'],
    ['{$request.body#/list/01/url}', 'points to a value that the body does not have'],
    ['{$request.body#/callbackUrl', 'has an unpaired {'],
    ['https://example.com/{{$request.body#/callbackUrl}', 'has an unpaired {'],
    ['$request.body#/callbackUrl}', 'points to a value that the body does not have'],
    ['https://example.com/$request.body#/callbackUrl}', 'has an unpaired }'],
    ['', 'is empty'],
  ])('rejects the expression %s', (expression, reason) => {
    expect(build(expression)).toMatchObject({
      error: {
        code: 'invalid-callback-url',
        operationId: 'subscribe',
        message: expect.stringContaining(reason),
      },
    })
  })

  it('rejects a webhook that is named like an operation', () => {
    const operation = defineOperation('bookSold', 'GET /sold', { summary: 'Sold' })
    const builder = createDocument({ info, problems }).add(operation).addWebhook(bookSold)
    expect(builder.build()).toMatchObject({
      error: { code: 'duplicate-operation-id', pointer: '/webhooks/bookSold/post' },
    })
  })

  it('does not require the credentials of the API', () => {
    const bearer = { type: 'http', scheme: 'bearer' } as const
    const options = { info, problems, securitySchemes: { bearer }, security: [{ bearer: [] }] }
    const { webhooks } = unwrap(createDocument(options).addWebhook(bookSold).build())
    expect(webhooks?.bookSold?.post?.security).toEqual([])
  })
})

describe('a recorder', () => {
  const builder = createDocument({ info, problems }).addWebhook(bookSold)

  it('reports the webhooks that no test has sent', () => {
    const recorder = createConformanceRecorder(builder)
    expect(recorder.uncovered()).toEqual(
      [204, 409, 410].map((status) => ({ operationId: 'bookSold', status })),
    )
    expect(recorder.report().operations).toMatchObject([
      { operationId: 'bookSold', method: 'POST', path: 'bookSold', exchanges: 0 },
    ])
  })

  it('counts and checks those that a sender sends', async () => {
    const recorder = createConformanceRecorder(builder)
    const answers = [accepted(), new Response('', { status: 500 })]
    const sender = createSender(
      { bookSold },
      {
        sign: signWebhooks(SECRET),
        problems,
        middleware: recorder.middleware,
        fetch: async () => answers.shift() ?? accepted(),
      },
    )
    await sender.bookSold(url, { title: 'Emma' }, { headers })
    await sender.bookSold(url, { title: 'Emma' }, { headers })
    expect(recorder.violations()).toMatchObject([
      { kind: 'undocumented-status', operationId: 'bookSold', status: 500 },
    ])
    const items = recorder.report().operations[0]?.items ?? []
    expect(items.map(({ name, count }) => `${name}: ${count}`)).toEqual([
      '204: 1',
      '409: 0',
      'gone: 0',
      'application/json: 1',
      'request /note: 0',
      'request /note absent: 1',
    ])
  })
})
