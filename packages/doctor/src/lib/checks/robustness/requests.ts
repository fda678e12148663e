import type { Check } from '../../check.ts'
import { RULES } from '../../rules.ts'
import { expectList, expectThat } from '../../toolkit/expect.ts'
import type { Server } from '../../toolkit/server.ts'
import { expectCalm } from './calm.ts'

/** Rules for paths and parameters no client should send. */
export const ROBUSTNESS_REQUEST_CHECKS: readonly Check[] = [
  {
    id: 'robustness.nested-filter',
    ...RULES.statusCodes,
    title: 'A filter with many parentheses is not an internal error',
    needs: ['hostile', 'filter', 'users'],
    advice: 'Limit the depth of filters, and answer 400 invalidFilter above it.',
    run: async (server) => {
      const filter = `${'('.repeat(1_500)}userName pr${')'.repeat(1_500)}`
      const query = { filter, count: 1 }
      await expectCalm(server, await server.get(server.type('User').endpoint, { query }))
    },
  },
  {
    id: 'robustness.long-filter',
    ...RULES.statusCodes,
    title: 'A filter with many comparisons is not an internal error',
    needs: ['hostile', 'filter', 'users'],
    advice: 'Limit the comparisons of a filter, and answer 400 invalidFilter or 414 above it.',
    run: async (server) => {
      const filter = Array.from({ length: 150 }, (_, at) => `userName eq "long-${at}"`).join(' or ')
      await expectCalm(
        server,
        await server.get(server.type('User').endpoint, { query: { filter } }),
      )
    },
  },
  {
    id: 'robustness.backslashes',
    section: 'CWE-1333',
    level: 'practice',
    title: 'The time for a string of backslashes without an end does not grow exponentially',
    needs: ['hostile', 'filter', 'users'],
    advice: 'Read strings character by character, or by a pattern without nested repetition.',
    run: async (server) => {
      // With nested repetitions, a pattern takes up to twice as long for each further backslash, so the next length
      // takes at most four times as long as a fast one.
      for (let count = 10; count <= 32; count += 2) {
        const [open, closed] = await timesOf(server, '\\'.repeat(count))
        expectThat(open < closed + 400, `about ${closed} ms for ${count} backslashes`, `${open} ms`)
      }
    },
  },
  {
    id: 'robustness.prototype-filter',
    section: 'CWE-1321',
    level: 'practice',
    title: 'A filter on a member of every object, such as constructor, selects nothing',
    needs: ['check:filters.unknown-attribute'],
    advice: 'Look up attributes with Object.hasOwn or a Map, and answer 400 invalidFilter.',
    run: async (server) => {
      for (const filter of ['__proto__ pr', 'constructor.name pr', 'toString pr']) {
        const query = { filter, count: 1 }
        const response = await server.get(server.type('User').endpoint, { query })
        expectThat(response.status < 500, `a status below 500 for ${filter}`, response.status)
        const found = response.status === 200 ? expectList(response) : []
        expectThat(found.length === 0, `no user for ${filter}`, found)
      }
      await expectCalm(server)
    },
  },
  {
    id: 'robustness.prototype-path',
    section: 'CWE-1321',
    level: 'practice',
    title: 'A PATCH of a member of every object, such as __proto__, changes no other resource',
    needs: ['patch', 'check:create.user'],
    advice: 'Resolve paths by the schemas, and answer 400 invalidPath.',
    run: async (server) => {
      const { ada } = await server.people()
      const { path } = await server.create('User')
      for (const name of ['__proto__', 'constructor.prototype']) {
        const target = `${name}.plumblinePolluted`
        await expectCalm(
          server,
          await server.modify(path, { op: 'add', path: target, value: 'yes' }),
          await server.modify(path, { op: 'add', value: { [target]: 'yes' } }),
        )
      }
      const { text } = await server.get(ada.path)
      expectThat(!text.includes('plumblinePolluted'), 'an unchanged user', text)
    },
  },
  {
    id: 'robustness.prototype-parameters',
    section: 'CWE-1321',
    level: 'practice',
    title: 'A parameter with a member of every object, such as __proto__, is not an internal error',
    needs: ['users'],
    advice: 'Look up the names of attributes and sortBy with Object.hasOwn or a Map.',
    run: async (server) => {
      const { endpoint } = server.type('User')
      const attributes = { attributes: '__proto__,constructor', count: 1 }
      const sorted = { sortBy: '__proto__', count: 1 }
      await expectCalm(
        server,
        await server.get(endpoint, { query: attributes }),
        await server.get(endpoint, { query: sorted }),
      )
    },
  },
  {
    id: 'robustness.duplicate-parameter',
    ...RULES.statusCodes,
    title: 'A parameter that is sent twice is not an internal error',
    needs: ['users'],
    advice: 'Answer 400, or read one of the values. Many frameworks return a list for it.',
    run: async (server) => {
      const { endpoint } = server.type('User')
      const filters = 'filter=userName%20pr&filter=userName%20pr&count=1'
      await expectCalm(
        server,
        await server.get(`${endpoint}?${filters}`),
        await server.get(`${endpoint}?count=1&count=1&attributes=id&attributes=id`),
      )
    },
  },
  {
    id: 'robustness.odd-path',
    ...RULES.statusCodes,
    title: 'An id with bytes that are not text is not an internal error',
    needs: ['users'],
    advice: 'Answer 404 if an id cannot be decoded, or if the database does not accept it.',
    run: async (server) => {
      const { endpoint } = server.type('User')
      for (const id of ['%00', '%ff', '..%2f..%2fUsers', "'%20or%20''='"]) {
        const { status } = await server.get(`${endpoint}/${id}`)
        expectThat(status >= 400 && status < 500, `a status of 4xx at ${id}`, status)
      }
      await expectCalm(server)
    },
  },
  {
    id: 'robustness.long-path',
    ...RULES.statusCodes,
    title: 'A very long id is not an internal error',
    needs: ['hostile', 'users'],
    advice: 'Answer 404 or 414, also if the id does not fit the column of the database.',
    run: async (server) => {
      const response = await server.get(`${server.type('User').endpoint}/${'a'.repeat(6_000)}`)
      expectThat(response.status >= 400, 'no resource with such an id', response.status)
      await expectCalm(server, response)
    },
  },
]

/**
 * Measures a filter with an unclosed string and the same filter with the string closed, and returns the shortest of
 * three times (ms).
 */
async function timesOf(server: Server, text: string): Promise<readonly [number, number]> {
  const shortest: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 3; round += 1) {
    for (const [at, end] of ['', '"'].entries()) {
      const query = { filter: `userName eq "${text}${end}` }
      const started = performance.now()
      const response = await server.get(server.type('User').endpoint, { query, isUrgent: true })
      const time = Math.ceil(performance.now() - started)
      shortest[at === 0 ? 0 : 1] = Math.min(shortest[at === 0 ? 0 : 1], time)
      await expectCalm(server, response)
    }
  }
  return shortest
}
