import { expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import type { Answer } from './answer.ts'
import { implement } from './implement.ts'

/** A response such as that of @hono/node-server, which only has its status and headers until another part is read. */
class LazyResponse extends Response {
  override get type(): never {
    throw new Error('the whole response was created')
  }

  override get body(): never {
    throw new Error('the whole response was created')
  }
}

it('an answer is passed on without reading the parts a server creates lazily', async () => {
  const read = defineOperation('read', 'GET /a', {
    summary: 'Read',
    responses: { 200: { description: 'It', body: z.object({}) } },
  })
  const builder = createDocument({ info: { title: 'A', version: '1' }, defaults: {} }).add(read)
  const lazy = new LazyResponse('{}') as LazyResponse & Answer<'read'>
  const errors: unknown[] = []
  const api = implement(builder, {
    handlers: { read: () => lazy },
    onError: (error) => void errors.push(error),
  })
  expect(await api.fetch(new Request('http://localhost/a'))).toBe(lazy)
  expect(errors).toEqual([])
})
