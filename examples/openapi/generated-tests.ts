/** Tests made from the contract of an API: they find a handler that forgets an empty list. */

import { GeneratedTestError, generateTests } from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { z } from 'zod'

const document = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  defaults: {},
  securitySchemes: { token: bearer() },
  security: [{ token: [] }],
}).add(
  defineOperation('orderBooks', 'POST /orders', {
    summary: 'Order books',
    body: z.object({ prices: z.array(z.int().min(0)) }),
    responses: { 200: { description: 'The order', body: z.object({ highest: z.int() }) } },
  }),
)
const api = implement(document, {
  onError: () => undefined,
  security: { token: ({ token }) => (token === 'secret' ? { name: 'Ann' } : null) },
  handlers: {
    // The list may be empty.
    orderBooks: ({ body: { prices }, reply }) =>
      reply(200, { highest: prices.reduce((a, b) => Math.max(a, b)) }),
  },
})

// A token or key for each security scheme by its name; for `basic`, { username, password }.
const credentials = { token: 'secret' }
const tests = generateTests(api, { seed: 7, credentials })
tests.length //=> 6

// In a test file: for (const { name, run } of tests) it(name, run)
const [valid] = tests
const error = await valid?.run().catch((reason: unknown) => reason)
const [failure] = error instanceof GeneratedTestError ? error.failures : []
failure?.message //=> 'a valid request was answered 500'
failure?.curl //=> `curl -X POST -H 'authorization: Bearer <token>' -H 'content-type: application/json' --data-binary '{"prices":[]}' 'http://localhost/orders'`
failure?.pointer //=> '/paths/~1orders/post'
