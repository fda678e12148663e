import { createHmac } from 'node:crypto'
import { defineProblems } from '@plumbline/problem'
import { isFailure, unwrap } from '@plumbline/result'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createConformanceRecorder } from '../check/recorder.ts'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { createSender } from './sender.ts'
import { signWebhooks, type Verify, verifyWebhooks } from './signature.ts'
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
  return { sent, sender, send: (title = 'Emma') => sender.bookSold(url, { title }, { headers }) }
}
const ANY = { description: 'Any' }
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

  it("the signature equals the reference implementation's vector", async () => {
    expect(await signWebhooks(SECRET)({ id, timestamp, body })).toBe(signature)
    expect(await verifyWebhooks(SECRET, { now })(headersOf(), body)).toEqual({ id, timestamp })
  })

  it('either secret verifies a signature made with both, while a secret is replaced', async () => {
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
    ['a time that is not a number', { 'webhook-timestamp': '1e9' }, text, 'malformed-header'],
    ['a word as its time', { 'webhook-timestamp': 'hello' }, text, 'malformed-header'],
    ['an empty ID', { 'webhook-id': '' }, text, 'malformed-header'],
    ['an ID of two parts', { 'webhook-id': 'msg 1' }, text, 'malformed-header'],
    ['a long ID', { 'webhook-id': 'a'.repeat(257) }, text, 'malformed-header'],
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
  ])('a signature with %s is rejected', async (_, given, sent, code) => {
    const verify = verifyWebhooks(SECRET, { now })
    expect(await verify(headersOf(given), new TextEncoder().encode(sent))).toMatchObject({ code })
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'a signature without the header %s is rejected',
    async (name) => {
      const without = headersOf()
      without.delete(name)
      const message = `the header ${name} is missing`
      const verified = await verifyWebhooks(SECRET, { now })(without, body)
      expect(verified).toEqual({ code: 'missing-header', message })
    },
  )

  it('a signature is accepted at the edge of the tolerance, which can be set', async () => {
    const late = (seconds: number) => () => (timestamp + seconds) * 1_000
    const verify = (options: object) => verifyWebhooks(SECRET, options)(headersOf(), body)
    expect(await verify({ now: late(300) })).toEqual({ id, timestamp })
    expect(await verify({ now: late(11), tolerance: 10 })).toMatchObject({ code: 'expired' })
  })

  it('an ID with a dot is neither signed nor verified, because it could be split differently', async () => {
    const key = Uint8Array.from(atob(SECRET.slice(6)), (character) => character.charCodeAt(0))
    const signed = `msg.${timestamp}.${timestamp}.pay 1`
    const hmac = createHmac('sha256', key).update(signed).digest('base64')
    const dotted = headersOf({
      'webhook-id': `msg.${timestamp}`,
      'webhook-signature': `v1,${hmac}`,
    })
    const paid = new TextEncoder().encode('pay 1')
    expect(await verifyWebhooks(SECRET, { now })(dotted, paid)).toEqual({
      code: 'malformed-header',
      message: 'the header webhook-id must be 1 to 256 visible ASCII characters without a dot',
    })
    await expect(
      signWebhooks(SECRET)({ id: `msg.${timestamp}`, timestamp, body: paid }),
    ).rejects.toThrow('sign: id must be 1 to 256 visible ASCII characters without a dot, not "msg.')
    await expect(
      signWebhooks(SECRET)({ id: 'msg', timestamp: timestamp + 0.5, body: paid }),
    ).rejects.toThrow('sign: timestamp must be a whole number of at least 0, not 1614265330.5')
  })

  const bytes = (length: number) => `whsec_${btoa('a'.repeat(length))}`

  it.each<[secret: unknown, found: string]>([
    ['', 'an empty string'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'a number'],
    ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a string without whsec_'],
    ['whsec_', '0 bytes'],
    [bytes(23), '23 bytes'],
    [bytes(65), '65 bytes'],
    ['whsec_?', 'a string of other characters'],
  ])('a signature needs secrets with 24 to 64 bytes, not %j', (secret, found) => {
    const wanted = 'must be whsec_ and 24 to 64 bytes of base64, not'
    // A program in JavaScript, or an environment variable that is not set.
    const given = secret as string
    expect(() => signWebhooks(given)).toThrow(
      new TypeError(`signWebhooks: the secret ${wanted} ${found}`),
    )
    expect(() => verifyWebhooks(given)).toThrow(
      new TypeError(`verifyWebhooks: the secret ${wanted} ${found}`),
    )
    expect(() => verifyWebhooks([SECRET, given])).toThrow(
      new TypeError(`verifyWebhooks: secret 2 ${wanted} ${found}`),
    )
  })

  it.each<[what: string, body: ArrayBufferView | ArrayBuffer | string]>([
    ['text', 'a'],
    ['a buffer without a view', new ArrayBuffer(2)],
    ['elements of two bytes', new Uint16Array([256, 2])],
    ['a view without elements', new DataView(new ArrayBuffer(2))],
  ])('the signer rejects %s', async (_, given) => {
    const content = { id, timestamp, body: given as typeof body }
    await expect(signWebhooks(SECRET)(content)).rejects.toThrow(/^sign: body must be a Uint8Array/)
  })

  it('a signature needs a secret, which may have 24 or 64 bytes', () => {
    const none: readonly string[] = []
    expect(() => verifyWebhooks(none)).toThrow(new TypeError('verifyWebhooks needs a secret'))
    expect(() => signWebhooks(...(none as [string]))).toThrow('signWebhooks needs a secret')
    expect(() => verifyWebhooks([bytes(24), bytes(64)])).not.toThrow()
  })

  it.each<[options: object, message: string]>([
    [{ tolerance: Number.NaN }, 'tolerance must be seconds of at least 0, not NaN'],
    [{ tolerance: -1 }, 'tolerance must be seconds of at least 0, not -1'],
    [{ tolerance: null }, 'tolerance must be seconds of at least 0, not null'],
    [{ tolerance: '300' }, 'tolerance must be seconds of at least 0, not "300"'],
    [{ tolerance: Number.POSITIVE_INFINITY }, 'seconds of at least 0, not Infinity'],
    [{ now: 1_614_265_330 }, 'now must be a function, not 1614265330'],
    [{ tolerence: 10 }, 'the option tolerence is unknown; expected tolerance, now'],
  ])('a signature is not verified with the options %j', (options, message) => {
    expect(() => verifyWebhooks(SECRET, options)).toThrow(TypeError)
    expect(() => verifyWebhooks(SECRET, options)).toThrow(message)
  })
})

it('a sender without sign sends the given body and headers', async () => {
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

  it("the receiver verifies and parses the sender's message", async () => {
    const received = unwrap(await bookSold.receive(await first(), { verify }))
    expect(received).toEqual({
      id: expect.stringMatching(/^msg_/),
      timestamp: expect.any(Number),
      headers: { 'X-Shop': 's1' },
      body: { title: 'Emma' },
    })
  })

  it('the receiver rejects a changed body, another secret, and a schema mismatch', async () => {
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

  it.each([undefined, {}, { verify: SECRET }])(
    'the receiver throws for the options %j',
    async (options) => {
      const receiving = bookSold.receive(await first(), options as unknown as { verify: Verify })
      await expect(receiving).rejects.toThrow(/^bookSold\.receive: verify must be a function, not /)
    },
  )

  it('the receiver rejects a body above the limit', async () => {
    const small = defineWebhook('small', { summary: '', body: z.string(), bodyLimit: 3 })
    expect(await small.receive(await first(), { verify })).toMatchObject({
      error: { code: 'too-large' },
    })
  })
})

describe('a sender', () => {
  const redirected = () => {
    const response = new Response('ok')
    Object.defineProperty(response, 'redirected', { value: true })
    return response
  }

  it.each<[outcome: string, status: number, isDeclared: boolean, answer: () => Response]>([
    ['accepted', 204, true, accepted],
    ['accepted', 200, false, () => new Response('ok')],
    ['accepted', 202, false, () => new Response(null, { status: 202 })],
    ['accepted', 299, false, () => new Response('{', { status: 299 })],
    ['rejected', 409, true, () => new Response(null, { status: 409 })],
    ['rejected', 410, true, () => problems.gone()],
    ['rejected', 500, false, () => new Response('', { status: 500 })],
    ['rejected', 302, false, () => new Response(null, { status: 302, headers: { Location: '/' } })],
    ['rejected', 304, false, () => new Response(null, { status: 304 })],
    ['rejected', 200, false, redirected],
  ])('the sender returns %s for %i, declared: %s', async (outcome, status, isDeclared, answer) => {
    const { sent, send } = sending(answer)
    const delivery = await send()
    expect(delivery).toMatchObject({
      outcome,
      status,
      id: sent[0]?.headers.get('webhook-id'),
      answer: isDeclared ? { status } : null,
      error: isDeclared ? null : { name: 'ResponseError', code: 'undeclared-status' },
    })
    expect(sent[0]?.redirect).toBe('manual')
  })

  it.each<[declared: 'default' | '3XX' | '2XX', status: number, outcome: string]>([
    ['default', 302, 'rejected'],
    ['3XX', 302, 'rejected'],
    ['default', 200, 'accepted'],
    ['2XX', 200, 'accepted'],
    ['default', 500, 'rejected'],
  ])('a webhook that declares %s gets %i, which is %s', async (declared, status, outcome) => {
    const any = defineWebhook('any', { summary: '', responses: { [declared]: ANY } })
    const fetch = async () => new Response('x', { status })
    const delivery = await createSender({ any }, { fetch }).any(url, undefined)
    expect(delivery).toMatchObject({ outcome, status, answer: { status }, error: null })
  })

  it("the message is accepted even if the answer's body is not as declared, or never ends", async () => {
    const body = z.object({ queued: z.boolean() })
    const told = defineWebhook('told', { summary: '', responses: { 200: { ...ANY, body } } })
    const json = { headers: { 'Content-Type': 'application/json' } }
    for (const [response, error] of [
      [new Response('queued'), { code: 'undeclared-media-type' }],
      [new Response(new ReadableStream(), json), { name: 'TimeoutError' }],
    ] as const) {
      const sender = createSender({ told }, { timeout: 1, fetch: async () => response })
      // The timer of a time limit alone does not keep Node alive.
      const awake = setTimeout(() => undefined, 1_000)
      expect(await sender.told(url, undefined)).toMatchObject({ outcome: 'accepted', error })
      clearTimeout(awake)
    }
  })

  it('an unreachable receiver returns unanswered', async () => {
    const { sent, send } = sending(() => {
      throw new TypeError('fetch failed')
    })
    const { outcome, status, error } = await send()
    expect([sent.length, outcome, status, error]).toEqual([
      1,
      'unanswered',
      null,
      new TypeError('fetch failed'),
    ])
  })

  it("the sender names a rejection's declared problem", async () => {
    const delivery = await sending(() => problems.gone({ detail: 'Moved' })).send()
    expect(delivery.answer?.problem).toBe('gone')
  })

  it('an invalid message or URL is not sent', async () => {
    const { sent, send } = sending(accepted)
    const wrong = await send(7 as unknown as string)
    expect(wrong).toMatchObject({ outcome: 'invalid', error: { location: 'body' } })
    const sender = createSender({ bookSold }, { sign: signWebhooks(SECRET), problems })
    const nowhere = await sender.bookSold('/hooks', { title: 'Emma' }, { headers })
    expect([nowhere.outcome, sent.length]).toEqual(['unanswered', 0])
  })

  it.each(['data:,ok', 'blob:https://example.com/1', 'file:///hooks', 'ftp://example.com/'])(
    'the sender sends nothing to %s, which fetch may answer itself',
    async (address) => {
      const { sent, sender } = sending(accepted)
      const delivery = await sender.bookSold(address, { title: 'Emma' }, { headers })
      const error = new TypeError('the URL of a webhook must start with https: or http:')
      expect(delivery).toMatchObject({ outcome: 'unanswered', error })
      expect(sent).toEqual([])
    },
  )

  it('the sender has a time limit', async () => {
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

  it.each<[message: object, reason: string]>([
    [{ id: '' }, 'bookSold: id must be 1 to 256 visible ASCII characters without a dot, not ""'],
    [{ id: 'msg.1' }, 'without a dot, not "msg.1"'],
    [{ id: 'msg\n1' }, 'without a dot, not "msg\\n1"'],
    [{ id: 'a'.repeat(257) }, 'bookSold: id must be 1 to 256'],
    [{ id: 'müsg' }, 'bookSold: id must be 1 to 256'],
    [{ id: null }, 'bookSold: id must be 1 to 256'],
    [{ id: 7 }, 'without a dot, not 7'],
    [{ ids: 'msg_1' }, 'bookSold: the option ids is unknown; expected id, headers, sign, signal'],
    [{ signal: true }, 'bookSold: signal must be an AbortSignal, not a boolean'],
    [{ headers: new Headers(headers) }, 'bookSold: the message cannot be written: TypeError: an'],
    [{ headers: { 'X-Shop': 'a\nb' } }, 'bookSold: the message cannot be written: TypeError'],
  ])('the sender throws for the message options %j', async (message, reason) => {
    const { sent, sender } = sending(accepted)
    const delivery = sender.bookSold(url, { title: 'Emma' }, { headers, ...message })
    await expect(delivery).rejects.toThrow(TypeError)
    await expect(sender.bookSold(url, { title: 'Emma' }, { headers, ...message })).rejects.toThrow(
      reason,
    )
    expect(sent).toEqual([])
  })

  it('the sender throws if a body is not JSON, or if the URL is missing', async () => {
    const open = defineWebhook('open', { summary: '', body: z.unknown() })
    const { open: send } = createSender({ open }, { fetch: async () => accepted() })
    const circle: unknown[] = []
    circle.push(circle)
    for (const body of [7n, { a: [7n] }, circle]) {
      await expect(send(url, body)).rejects.toThrow(/^open: the message cannot be written: Type/)
    }
    const missing = undefined as unknown as string
    await expect(send(missing, 'a')).rejects.toThrow(
      'open: the URL must be a string, not undefined',
    )
  })

  it.each<[options: unknown, reason: string]>([
    [
      { timeout: Number.NaN },
      'timeout must be a whole number of at least 1 and at most 2147483647',
    ],
    [{ timeout: 2 ** 31 }, 'timeout must be a whole number'],
    [{ timeout: '15' }, 'timeout must be a whole number'],
    [{ sign: SECRET }, 'sign must be a function'],
    [{ signer: signWebhooks(SECRET) }, 'the option signer is unknown; expected sign, timeout'],
    [undefined, 'the options of createSender must be an object, not undefined'],
  ])('the sender is not created with the options %j', (options, reason) => {
    expect(() => createSender({ bookSold }, options as object)).toThrow(TypeError)
    expect(() => createSender({ bookSold }, options as object)).toThrow(reason)
  })

  it('errors from sign and from a middleware that does not send are passed on', async () => {
    const fails = () => Promise.reject(new Error('no key'))
    const message = [url, { title: 'Emma' }, { headers }] as const
    const fetch = async () => accepted()
    const unsigned = createSender({ bookSold }, { sign: fails, problems, fetch })
    await expect(unsigned.bookSold(...message)).rejects.toThrow('no key')
    const unsent = createSender({ bookSold }, { middleware: fails, problems, fetch })
    await expect(unsent.bookSold(...message)).rejects.toThrow('no key')
  })

  it('the outcome is returned even if a middleware loses the answer', async () => {
    const error = new Error('the log is full')
    const sender = createSender(
      { bookSold },
      {
        problems,
        fetch: async () => accepted(),
        middleware: async (_, next) => {
          await next()
          throw error
        },
      },
    )
    const delivery = await sender.bookSold(url, { title: 'Emma' }, { headers })
    expect(delivery).toMatchObject({ outcome: 'accepted', status: 204, answer: null, error })
  })

  it('the error names a fetch that does not return a response, and a middleware that forgets it', async () => {
    const send = (options: object) =>
      createSender({ bookSold }, { problems, ...options }).bookSold(
        url,
        { title: 'Emma' },
        { headers },
      )
    const fetch = async () => undefined
    const message = 'bookSold: the result of fetch must be a Response, not undefined'
    await expect(send({ fetch })).rejects.toThrow(new TypeError(message))
    const forget = async (_: unknown, next: () => Promise<Response>) => void (await next())
    await expect(send({ fetch, middleware: forget })).rejects.toThrow(message)
    await expect(send({ fetch: accepted, middleware: () => undefined })).rejects.toThrow(
      'bookSold: the result of middleware must be a Response, not undefined',
    )
    expect(await send({ fetch: accepted, middleware: forget })).toMatchObject({
      outcome: 'accepted',
      error: { message: 'bookSold: the result of middleware must be a Response, not undefined' },
    })
  })

  it("a message is signed with the subscriber's secret", async () => {
    const { sent, sender } = sending(accepted)
    await sender.bookSold(url, { title: 'Emma' }, { headers, sign: signWebhooks(OTHER) })
    const [request] = sent
    if (request === undefined) throw new Error('not sent')
    const verified = (secret: string) =>
      bookSold.receive(request.clone(), { verify: verifyWebhooks(secret) })
    expect(isFailure(await verified(OTHER))).toBe(false)
    expect(isFailure(await verified(SECRET))).toBe(true)
  })

  it('the same ID is sent again with a new signature', async () => {
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
        described: z.unknown().meta({ description: 'Any' }),
        object: z.any().meta({ type: 'object', minProperties: 1 }),
        never: z.never(),
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

  it('the document has webhooks and callbacks (OpenAPI 3.1.1 §4.8.1, §4.8.18)', () => {
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
    '{$request.body#/described/a/b}',
    '{$request.body#/object/a/b}',
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
  ])('the document accepts the expression %s (§4.8.20.4)', (expression) => {
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
    ['{$request.body#/never/a}', 'points to a value that the body does not have'],
    ['', 'is empty'],
    [' ', 'is empty'],
    [undefined as unknown as string, 'the expression undefined of the callback is not a string'],
  ])('the document rejects the expression %s', (expression, reason) => {
    expect(build(expression)).toMatchObject({
      error: {
        code: 'invalid-callback-url',
        operationId: 'subscribe',
        message: expect.stringContaining(reason),
      },
    })
  })

  it.each([
    ['any value', z.unknown(), '/a/b'],
    ['keys that match a pattern', type({ '[/^url/]': 'string' }), '/url1'],
    ['a described map', z.record(z.string(), z.url()).meta({ description: 'By name' }), '/a'],
  ])('a pointer into a body with %s is accepted', (_, body, pointer) => {
    const webhook = { url: `{$request.body#${pointer}}`, webhook: bookSold }
    const spec = { summary: 'Add', body, problems: [], callbacks: { onSold: webhook } }
    const builder = createDocument({ info, problems, defaults: {} }).add(
      defineOperation('addHook', 'POST /hooks', spec),
    )
    expect(builder.build()).toMatchObject({ status: 'success' })
  })

  it('a webhook named like an operation is rejected', () => {
    const operation = defineOperation('bookSold', 'GET /sold', { summary: 'Sold' })
    const builder = createDocument({ info, problems }).add(operation).addWebhook(bookSold)
    expect(builder.build()).toMatchObject({
      error: { code: 'duplicate-operation-id', pointer: '/webhooks/bookSold/post' },
    })
  })

  it("a webhook does not require the API's credentials", () => {
    const bearer = { type: 'http', scheme: 'bearer' } as const
    const options = { info, problems, securitySchemes: { bearer }, security: [{ bearer: [] }] }
    const { webhooks } = unwrap(createDocument(options).addWebhook(bookSold).build())
    expect(webhooks?.bookSold?.post?.security).toEqual([])
  })
})

describe('a recorder', () => {
  const builder = createDocument({ info, problems }).addWebhook(bookSold)

  it('the recorder reports webhooks no test has sent', () => {
    const recorder = createConformanceRecorder(builder)
    expect(recorder.uncovered()).toEqual(
      [204, 409, 410].map((status) => ({ operationId: 'bookSold', status })),
    )
  })

  it('the recorder checks webhooks from a sender', async () => {
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
    expect(recorder.uncovered().map(({ status }) => status)).toEqual([409, 410])
  })
})
