import { createDocument, defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { buildRequest, resolve } from 'swagger-client'
import { expect, it } from 'vitest'
import { z } from 'zod'

const Meta = z.object({ a: z.string() }).meta({ id: 'Meta' })
const form = z.object({
  text: z.string(),
  number: z.int(),
  flag: z.boolean(),
  texts: z.array(z.string()),
  numbers: z.array(z.int()),
  object: z.object({ n: z.int() }),
  named: Meta,
  nullable: Meta.nullable(),
  absent: Meta.optional(),
  record: z.record(z.string(), z.int()),
  either: z.union([Meta, z.object({ b: z.int() })]),
  list: z.array(Meta),
  none: z.array(Meta),
})
const values = {
  text: '{"a":1}',
  number: 5,
  flag: true,
  texts: ['a, b&c=%', 'd'],
  numbers: [1, 2],
  object: { n: 1 },
  named: { a: 'ä&"+ ' },
  nullable: null,
  record: { x: 1 },
  either: { b: 1 },
  list: [{ a: 'x' }, { a: 'y' }],
  none: [],
}

// The request of Swagger UI, which uses the `encoding` of the document, or its own defaults without one.
it.each(['multipart/form-data', 'application/x-www-form-urlencoded'])(
  'a form that a client builds from the document is parsed: %s',
  async (type) => {
    const operation = defineOperation(
      'send',
      { method: 'POST', pattern: '/x' },
      { summary: 'Send', body: { [type]: form }, responses: { 204: { description: 'Done' } } },
    )
    const servers = [{ url: 'http://h' }]
    const builder = createDocument({ info: { title: 'Forms', version: '1' }, servers })
    const document = unwrap(builder.add(operation).build())
    const { spec } = await resolve({ spec: JSON.parse(JSON.stringify(document)) })
    const { url, method, body } = buildRequest({
      spec,
      operationId: 'send',
      requestBody: values,
      requestContentType: type,
    })
    const headers = typeof body === 'string' ? { 'Content-Type': type } : {}
    const request = new Request(url, { method, headers, body })
    expect(unwrap(await operation.parse(request)).body).toEqual(values)
  },
)
