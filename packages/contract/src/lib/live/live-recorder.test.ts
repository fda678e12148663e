import { setTimeout as wait } from 'node:timers/promises'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { mergeReports } from '../coverage/merge.ts'
import { planMembers } from '../members/plan.ts'
import { ownSource } from '../own/source.ts'
import { countChecked, readExchange, receiveRequest } from '../record/count-response.ts'
import { createCounts, reportOf } from '../record/counts.ts'
import { createContractRecorder } from '../record/recorder.ts'
import type { ContractReport } from '../report.ts'
import { createBudget } from './budget.ts'
import { createLiveRecorder, type LiveRecorderOptions } from './live-recorder.ts'
import { createTally, type LiveExchange } from './tally.ts'

const Book = z.object({
  title: z.string(),
  note: z.string().optional(),
  copies: z.array(z.object({ shelf: z.int() })),
  prices: z.record(z.string(), z.number()),
})
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, defaults: {} }).add(
  defineOperation('readBook', 'GET /books/:bookId', {
    summary: 'Read a book',
    query: z.object({ page: z.int().optional() }),
    responses: { 200: { description: 'The book', body: Book } },
  }),
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    body: Book,
    responses: { 204: { description: 'Added' } },
  }),
)
const source = ownSource(builder)
const book = { title: 'Emma', copies: [{ shelf: 1 }], prices: {} }
const read = (path = '/books/b1') => new Request(`http://localhost${path}`)

/** A recorder that checks everything, and what it reported. */
function recorded(options: Partial<LiveRecorderOptions> = {}) {
  const reports: ContractReport[] = []
  const onReport = (report: ContractReport) => reports.push(report)
  const live = createLiveRecorder(builder, { sample: 1, budget: 1_000, onReport, ...options })
  const send = (request: Request, response: Response) =>
    live.middleware({ request }, async () => response)
  return { live, send, reports, flush: live.flush }
}

/** An exchange with an operation, as it is checked after the answer. */
async function exchange(response: Response, isOver = () => false): Promise<LiveExchange> {
  const request = read()
  const found = source.find({ request }, undefined)
  const received = receiveRequest(source, { request }, found)
  const checked = await source.check(found?.value ?? null, request, response)
  const counted = await readExchange(source, received, checked, response, { isOver })
  return { read: counted, violations: checked.violations, received, response }
}

const itemsOf = ({ operations }: ContractReport) =>
  operations.flatMap(({ items }) => items.filter(({ count }) => count > 0))

describe('a live recorder', () => {
  it('a live recorder counts the same exchanges as a test recorder, with times', async () => {
    const { send, reports, flush } = recorded()
    const recorder = createContractRecorder(builder)
    const before = Date.now()
    const add = () => {
      const body = JSON.stringify(book)
      const headers = { 'Content-Type': 'application/json', 'Content-Length': `${body.length}` }
      return new Request('http://localhost/books', { method: 'POST', headers, body })
    }
    for (const [request, response] of [
      [() => read('/books/b1?page=1'), () => Response.json(book)],
      [add, () => new Response(null, { status: 204 })],
    ] as const) {
      await send(request(), response())
      await recorder.middleware({ request: request() }, async () => response())
    }
    await flush()
    const [report] = reports
    const tested = recorder.report()
    expect(report).toMatchObject({ exchanges: 2, members: tested.members, violationCount: 0 })
    const plain = itemsOf(report ?? tested).map(({ seen, ...item }) => {
      expect(seen).toBeGreaterThanOrEqual(before)
      return item
    })
    expect(plain).toEqual(itemsOf(tested))
    expect(plain).toContainEqual({ kind: 'members', name: 'request /note absent', count: 1 })
    expect(report?.period?.from).toBeLessThanOrEqual(report?.period?.to ?? 0)
    expect(mergeReports([tested, ...reports])).toMatchObject({ exchanges: 4, period: {} })
  })

  it('the report groups violations and counts them, and omits every value from the exchange', async () => {
    const { send: sendOnly, reports, flush } = recorded()
    // Checks run at the same time, and violations are listed in the order in which they are found.
    const send = async (request: Request, response: Response) => {
      await sendOnly(request, response)
      await flush()
    }
    const secret = 'emma@example.com'
    for (const title of [7, 8]) {
      const copies = [{ shelf: 1 }, { shelf: secret }]
      const answer = { title, copies, prices: { [secret]: secret } }
      await send(read(`/books/${secret}?page=1&q=${secret}`), Response.json(answer))
    }
    await send(new Request(read(`/unknown/${secret}`), { method: 'EMMA' }), Response.json(secret))
    await send(read(), new Response(secret, { headers: { 'Content-Type': `text/${secret}` } }))
    await send(read(), Response.json({ type: secret }, { status: 418 }))
    expect(JSON.stringify(reports).toLowerCase()).not.toContain('emma')
    const report = mergeReports(reports)
    expect(report.violations).toMatchObject([
      { kind: 'body-mismatch', pointer: '/title', url: '/books/{bookId}', status: 200, count: 2 },
      { kind: 'body-mismatch', pointer: '/copies/*/shelf', count: 2 },
      { kind: 'body-mismatch', pointer: '/prices/*', count: 2 },
      { kind: 'undocumented-operation', method: '', url: '', count: 1 },
      { kind: 'undocumented-media-type', count: 1 },
      { kind: 'undocumented-status', status: 418, count: 1 },
    ])
    expect(report.violationCount).toBe(9)
    const merged = mergeReports([...reports, ...reports])
    expect(merged.violations).toHaveLength(6)
    expect(merged.violations[0]).toMatchObject({ pointer: '/title', count: 4 })
    expect(merged.violationCount).toBe(18)
  })

  it('the response is sent unchanged and immediately, although the check waits for the body', async () => {
    const { send, flush, reports } = recorded()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { 'Content-Type': 'application/json' }
    const response = await send(read(), new Response(readable, { headers }))
    const writer = writable.getWriter()
    void writer.write(new TextEncoder().encode(JSON.stringify(book)))
    void writer.close()
    expect(await response.json()).toEqual(book)
    await flush()
    expect(reports).toMatchObject([{ exchanges: 1, violationCount: 0 }])
  })

  it('an empty body is checked', async () => {
    const { send, flush, reports } = recorded()
    await send(read(), new Response('', { headers: { 'Content-Type': 'application/json' } }))
    await send(read(), new Response(null, { status: 304 }))
    await flush()
    expect(reports[0]?.violations.map(({ kind }) => kind).sort()).toEqual([
      'body-mismatch',
      'undocumented-status',
    ])
  })

  it('a 10 MB body is not read, with or without a Content-Length', async () => {
    for (const hasLength of [true, false]) {
      let pulled = 0
      const piece = new Uint8Array(64 * 1_024).fill(32)
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          pulled += 1
          if (pulled > 160) controller.close()
          else controller.enqueue(piece)
        },
      })
      const headers = new Headers({ 'Content-Type': 'application/json' })
      if (hasLength) headers.set('Content-Length', String(160 * piece.byteLength))
      const { send, flush, reports } = recorded()
      const response = await send(read(), new Response(body, { headers }))
      await flush()
      expect(pulled).toBeLessThan(10)
      expect((await response.arrayBuffer()).byteLength).toBe(160 * piece.byteLength)
      expect(reports).toMatchObject([{ exchanges: 1, violationCount: 0 }])
      const names = itemsOf(reports[0] as ContractReport).map(({ name }) => name)
      expect(names).toEqual(['200', 'query:page absent'])
      expect(reports[0]?.operations[0]?.cut).toBe(1)
    }
  })

  it('a request body without a length and an event stream are not read', async () => {
    const { send, flush, reports } = recorded()
    const endless = new ReadableStream({
      pull: async (controller) => {
        await wait(5)
        controller.enqueue(new Uint8Array(1))
      },
    })
    const events = new Response(endless, { headers: { 'Content-Type': 'text/event-stream' } })
    const response = await send(read(), events)
    await flush()
    expect(reports).toMatchObject([{ exchanges: 1 }])
    await response.body?.cancel()
    const request = new Request('http://localhost/books', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(book),
    })
    await send(request, new Response(null, { status: 204 }))
    await flush()
    expect(request.bodyUsed).toBe(false)
    const names = itemsOf(reports[1] as ContractReport).map(({ name }) => name)
    expect(names).toEqual(['204', 'application/json'])
    expect(reports[1]?.members.cut).toEqual(['addBook'])
  })

  const fails = () => {
    throw new Error('not for the client')
  }
  const rejects = async () => fails()

  it.each([fails, rejects])(
    'the recorder still answers if onReport and onViolation fail: %o',
    async (broken) => {
      const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const { live, flush } = recorded({ onReport: broken, onViolation: broken })
      const used = Response.json(book)
      await used.text()
      const error = new ReadableStream({
        start: (controller) => controller.error(new Error('gone')),
      })
      const headers = { 'Content-Type': 'application/json' }
      for (const response of [Response.json(7), used, new Response(error, { headers }), {}]) {
        const given = response as Response
        expect(await live.middleware({ request: read() }, async () => given)).toBe(given)
      }
      await expect(live.middleware({ request: read() }, fails)).rejects.toThrow(
        'not for the client',
      )
      await flush()
      const lost = new Error('not for the client')
      const printed = [
        ['onViolation failed:', lost],
        ['onReport failed:', lost],
      ]
      await vi.waitFor(() => expect(print.mock.calls).toEqual(printed))
      print.mockRestore()
    },
  )

  it('the recorder skips ignored paths', async () => {
    const { send, flush, reports } = recorded({ ignore: ['/docs'] })
    await send(read('/docs'), new Response('page'))
    await flush()
    expect(reports).toEqual([])
  })

  it.each<[options: object, message: string]>([
    [{ sample: 2 }, 'createLiveRecorder: sample must be a number from 0 to 1, not 2'],
    [{ sample: '0.5' }, 'createLiveRecorder: sample must be a number from 0 to 1, not "0.5"'],
    [{ sample: Number.NaN }, 'createLiveRecorder: sample must be a number from 0 to 1, not NaN'],
    [{ budget: 0 }, 'createLiveRecorder: budget must be a positive number of milliseconds, not 0'],
    [{ budget: '5' }, 'createLiveRecorder: budget must be a positive number'],
    [{ interval: Number.NaN }, 'createLiveRecorder: interval must be milliseconds of at least 0'],
    [{ interval: -1 }, 'createLiveRecorder: interval must be milliseconds of at least 0, not -1'],
    [{ ignore: '/docs' }, 'createLiveRecorder: ignore must be a list of strings, not "/docs"'],
    [{ onReport: null }, 'createLiveRecorder: onReport must be a function, not null'],
    [{ sampel: 0.5 }, 'createLiveRecorder: the option sampel is unknown; expected sample, budget'],
  ])('invalid options are rejected: %j', (options, message) => {
    expect(() => recorded(options)).toThrow(TypeError)
    expect(() => recorded(options)).toThrow(message)
  })
})

describe('the report interval', () => {
  it('each report has the counts since the last one, and 40 concurrent exchanges lose none', async () => {
    const { live, reports, flush } = recorded({ interval: 0, budget: 1e6 })
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const response = await live.middleware({ request: read() }, async () => Response.json(book))
        await response.text()
      }),
    )
    await flush()
    expect(reports.length).toBeGreaterThan(1)
    const { exchanges, operations } = mergeReports(reports)
    expect({ exchanges, items: operations[0]?.items[0]?.count }).toEqual({
      exchanges: 40,
      items: 40,
    })
  })
})

describe('the check budget', () => {
  it('only a share of the exchanges is checked', () => {
    let at = 0
    const random = () => (at++ % 100) / 100
    const budget = createBudget({ sample: 0.25, budget: 1_000 }, () => 0, random)
    const taken = Array.from({ length: 400 }, () => budget.take()).filter((one) => one !== null)
    expect(taken).toHaveLength(100)
  })

  it('concurrent checks spend the budget, and a second refills it', () => {
    let now = 0
    const budget = createBudget(
      { sample: 1, budget: 5 },
      () => now,
      () => 0,
    )
    const takeAll = () =>
      Array.from({ length: 40 }, () => budget.take()).filter((one) => one !== null)
    expect(takeAll()).toEqual([1, 1, 1, 1, 1])
    for (let check = 0; check < 5; check += 1) budget.settle(1, 2)
    // Five checks of 2 ms took 10 ms, of which the next second gives back 5.
    now += 1_000
    expect(takeAll()).toEqual([])
    now += 1_000
    expect(takeAll()).toEqual([2, 2, 2])
  })

  it('many long checks after a short one do not overspend the budget', () => {
    const budget = createBudget(
      { sample: 1, budget: 5 },
      () => 0,
      () => 0,
    )
    for (let check = 0; check < 100; check += 1) budget.settle(budget.take() ?? 0, 0)
    let taken = 0
    while (budget.take() !== null) taken += 1
    expect(taken).toBeLessThanOrEqual(51)
  })

  it("a check stops after using a second's time", () => {
    let now = 0
    const budget = createBudget(
      { sample: 1, budget: 5 },
      () => now,
      () => 0,
    )
    const reserved = budget.take() ?? 0
    const isOver = budget.begin()
    now = 5
    expect(isOver()).toBe(false)
    now = 6
    expect(isOver()).toBe(true)
    budget.settle(reserved, 6)
    expect(budget.take()).toBe(null)
  })

  it('reports also spend the budget', () => {
    const budget = createBudget(
      { sample: 1, budget: 5 },
      () => 0,
      () => 0,
    )
    budget.spend(6)
    expect(budget.take()).toBe(null)
  })

  it('the budget limits each check, and an exchange over the budget counts as cut', async () => {
    const checked = await exchange(Response.json(book))
    const counts = createCounts()
    const many = { ...book, copies: Array.from({ length: 1_000 }, () => ({ shelf: 1 })) }
    const late = await exchange(Response.json(many), () => true)
    countChecked(counts, late.read, () => true)
    countChecked(counts, checked.read, () => false)
    const report = reportOf(counts, {
      listed: source.operations(),
      membersOf: planMembers(source),
      violations: [],
    })
    const [operation] = report.operations
    expect(operation).toMatchObject({ exchanges: 2, cut: 1 })
    expect(operation?.items).toContainEqual({ kind: 'status', name: '200', count: 2 })
    expect(operation?.items).toContainEqual({
      kind: 'members',
      name: '200 /copies non-empty',
      count: 2,
    })
    expect(report.members.cut).toEqual(['readBook'])
  })

  it('a report is built over several exchanges and includes those counted meanwhile', async () => {
    const reports: ContractReport[] = []
    const tally = createTally(source, { interval: 0, onReport: (one) => reports.push(one) })
    const add = async () => tally.add(await exchange(Response.json(book)), () => false)
    await add()
    tally.report(() => true)
    expect(tally.isReporting()).toBe(true)
    await add()
    tally.report(() => true)
    expect(reports).toEqual([])
    tally.report(() => true)
    expect(reports.map(({ exchanges }) => exchanges)).toEqual([1])
    tally.report(() => false)
    expect(reports.map(({ exchanges }) => exchanges)).toEqual([1, 1])
    expect(tally.isReporting()).toBe(false)
  })

  it('idle operations keep the same object in each report', async () => {
    const { send, reports, flush } = recorded()
    for (let round = 0; round < 2; round += 1) {
      await send(read(), Response.json(book))
      await flush()
    }
    const [first, second] = reports.map(({ operations }) => operations[1])
    expect(first).toMatchObject({ operationId: 'addBook', exchanges: 0 })
    expect(second).toBe(first)
  })

  it('checks leave the processor to requests, where 200 kB checked every time would take far more', async () => {
    const big = { ...book, copies: Array.from({ length: 12_000 }, (_, shelf) => ({ shelf })) }
    const { live, reports, flush } = recorded({ budget: 5 })
    const response = JSON.stringify(big)
    const headers = { 'Content-Type': 'application/json' }
    for (let at = 0; at < 100; at += 1) {
      const answer = async () => new Response(response, { headers })
      await (await live.middleware({ request: read() }, answer)).text()
    }
    await flush()
    expect(mergeReports(reports).exchanges).toBeLessThan(30)
  })
})

describe('a live recorder as the middleware of `implement`', () => {
  it('handler answers are checked, also below another router', async () => {
    const reports: ContractReport[] = []
    const violations: unknown[] = []
    const { middleware } = createLiveRecorder(builder, {
      basePath: '/api',
      sample: 1,
      budget: 1_000,
      interval: 0,
      onReport: (report) => reports.push(report),
      onViolation: (found, { operationId }) => violations.push([operationId, found[0]?.message]),
    })
    const api = implement(builder, {
      basePath: '/api',
      middleware,
      handlers: {
        readBook: () => Response.json({ title: 7 }) as never,
        addBook: ({ reply }) => reply(204),
      },
    })
    const response = await api.fetch(new Request('http://localhost/api/books/b1'))
    expect(await response.json()).toEqual({ title: 7 })
    await api.handlers.readBook(new Request('http://localhost/elsewhere'), { bookId: 'b1' })
    while (reports.length < 2) await wait(5)
    const merged = mergeReports(reports)
    expect(merged.exchanges).toBe(2)
    expect(merged.violations).toMatchObject([
      { operationId: 'readBook', pointer: '/title', count: 2 },
      { pointer: '/copies' },
      { pointer: '/prices' },
    ])
    expect(violations).toHaveLength(2)
    expect(violations[0]).toEqual(['readBook', expect.stringContaining('expected string')])
  })

  it('an impossible budget is rejected', () => {
    const options = { sample: 7, onReport: () => undefined }
    expect(() => createLiveRecorder(builder, options)).toThrow(
      'createLiveRecorder: sample must be a number from 0 to 1, not 7',
    )
  })
})
