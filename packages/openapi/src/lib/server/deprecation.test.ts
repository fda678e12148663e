import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { implement } from './implement.ts'

const since = new Date('2023-06-30T23:59:59Z')
const sunset = new Date('2024-06-30T23:59:59Z')
const operation = (deprecated: boolean | { since: Date; sunset?: Date; link?: string }) =>
  defineOperation('read', 'GET /read', {
    summary: 'Read',
    deprecated,
    externalDocs: { url: 'https://example.com/docs' },
    responses: { 200: { description: 'A' } },
  })
const info = { title: 'A', version: '1' }
const answer = async (...given: Parameters<typeof operation>) => {
  const builder = createDocument({ info, defaults: {} }).add(operation(...given))
  const api = implement(builder, {
    handlers: { read: ({ reply }) => reply(200, null, { headers: { Link: '</a>; rel="next"' } }) },
  })
  const described = unwrap(builder.build()).paths?.['/read']?.get
  const { headers } = await api.fetch(new Request('http://h/read'))
  const sent = ['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name))
  return [described?.deprecated, ...sent]
}

it('a deprecated operation sends the deprecation lifetime (RFC 9745 §2.1, RFC 8594 §3)', async () => {
  const link = 'https://example.com/deprecation'
  expect(await answer({ since, sunset, link })).toEqual([
    true,
    '@1688169599',
    'Sun, 30 Jun 2024 23:59:59 GMT',
    '</a>; rel="next", <https://example.com/deprecation>; rel="deprecation"',
  ])
  const next = '</a>; rel="next"'
  expect(await answer({ since })).toEqual([true, '@1688169599', null, next])
  expect(await answer(true)).toEqual([true, null, null, next])
  expect(await answer(false)).toEqual([false, null, null, next])
})

it('a deprecated operation sends the lifetime with errors and with answers from `fetch`', async () => {
  const builder = createDocument({ info, defaults: {} }).add(operation({ since, sunset }))
  const immutable = () => {
    const response = Response.error()
    const answer = new Response('text', { status: 200 })
    return Object.defineProperty(answer, 'headers', { value: response.headers })
  }
  const used = () => {
    const answer = immutable()
    answer.body?.getReader()
    return answer
  }
  const answers: readonly (readonly [() => Response, number, string | null])[] = [
    [immutable, 200, '@1688169599'],
    [used, 200, null],
    [
      () => {
        throw new Error('failed')
      },
      500,
      '@1688169599',
    ],
  ]
  for (const [read, status, sent] of answers) {
    const api = implement(builder, { handlers: { read: read as never }, onError: () => undefined })
    const response = await api.fetch(new Request('http://h/read'))
    expect([response.status, response.headers.get('Deprecation')]).toEqual([status, sent])
  }
})

it('an operation links to the documentation', () => {
  const builder = createDocument({ info }).add(operation(false))
  expect(unwrap(builder.build()).paths?.['/read']?.get?.externalDocs).toEqual({
    url: 'https://example.com/docs',
  })
})
