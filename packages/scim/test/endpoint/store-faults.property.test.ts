import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ERROR_SCHEMA } from '../../src/lib/constants.ts'
import type { ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import { BASE, type Client, patchOf, serve } from './serve.ts'

it('whatever a store returns or throws, the response is a SCIM document or an internal error', async () => {
  const values = fc.oneof(
    fc.anything(),
    fc.record(
      {
        id: fc.oneof(fc.constant('1'), fc.anything()),
        userName: fc.anything(),
        meta: fc.oneof(
          fc.record({ version: fc.anything(), location: fc.anything() }),
          fc.anything(),
        ),
        schemas: fc.anything(),
        groups: fc.anything(),
      },
      { requiredKeys: ['id'] },
    ),
    fc.record({
      resources: fc.array(fc.oneof(fc.constant({ id: '1', userName: 'a' }), fc.anything())),
      applied: fc.oneof(
        fc.constant(undefined),
        fc.subarray(['filter', 'sort', 'page']),
        fc.anything(),
      ),
      totalResults: fc.oneof(fc.nat(), fc.anything()),
    }),
  )
  await fc.assert(
    fc.asyncProperty(values, fc.boolean(), fc.nat(), async (value, isThrown, at) => {
      const give = async () => {
        if (isThrown) throw value
        return value
      }
      // The types of a store do not exist at run time: a store in JavaScript may return anything.
      const users = { read: give, list: give, create: give, replace: give, delete: give }
      const errors: unknown[] = []
      const { fetch } = serve({
        users: users as unknown as ResourceStore<Client>,
        onError: (error) => void errors.push(error),
      })
      const [method, path, body] = REQUESTS[at % REQUESTS.length] ?? ['GET', '/Users']
      const headers = { Authorization: 'Bearer t' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(new Request(`${BASE}${path}`, { method, headers, ...sent }))
      const text = await response.text()
      expect(errors).toHaveLength(response.status === 500 ? 1 : 0)
      if (text === '') return
      expect(response.headers.get('Content-Type')).toBe('application/scim+json')
      const document = JSON.parse(text)
      if (!response.ok) expect(document.schemas).toEqual([ERROR_SCHEMA])
    }),
    { numRuns: 1_000 },
  )
})

const REQUESTS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/Users'],
  ['GET', '/Users?filter=userName pr and groups.value pr&sortBy=meta.created'],
  ['GET', '/Users/1'],
  ['GET', '/Users/1?excludedAttributes=groups'],
  ['POST', '/Users', { userName: 'a' }],
  ['PUT', '/Users/1', { userName: 'a' }],
  ['PATCH', '/Users/1', patchOf({ op: 'add', path: 'title', value: 'x' })],
  ['DELETE', '/Users/1'],
]
