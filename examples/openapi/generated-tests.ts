/** Tests made from the contract of an API: they find a handler that forgets an empty list. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { GeneratedTestError, generateTests } from '@plumbline/openapi/testing'
import { z } from 'zod'

const document = createDocument({ info: { title: 'Books', version: '1.0.0' }, defaults: {} }).add(
  defineOperation('orderBooks', 'POST /orders', {
    summary: 'Order books',
    body: z.object({ prices: z.array(z.int().min(0)) }),
    responses: { 200: { description: 'The order', body: z.object({ highest: z.int() }) } },
  }),
)
const api = implement(document, {
  onError: () => undefined,
  handlers: {
    // The list may be empty.
    orderBooks: ({ body: { prices }, reply }) =>
      reply(200, { highest: prices.reduce((a, b) => Math.max(a, b)) }),
  },
})

const tests = generateTests(api, { seed: 7 })
tests.length //=> 5

// In a test file: for (const { name, run } of tests) it(name, run)
const [valid] = tests
const error = await valid?.run().catch((reason: unknown) => reason)
const [failure] = error instanceof GeneratedTestError ? error.failures : []
failure?.message //=> 'a valid request was answered 500'
failure?.curl //=> `curl -X POST -H 'content-type: application/json' --data-binary '{"prices":[]}' 'http://localhost/orders'`
failure?.pointer //=> '/paths/~1orders/post'
