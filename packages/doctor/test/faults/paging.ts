import { answers, defineFaults } from '../fault.ts'
import { failsFor, hasParameters, requeries } from './query.ts'

/** Every second page without an order is reversed. */
const unstable = () => {
  let count = 0
  return answers('GET /Users', ({ body }, { query }) => {
    if (!hasParameters(query, { count: '3', startIndex: null, sortBy: null })) return false
    count += 1
    return count % 2 === 0 && body.Resources.reverse()
  })
}

export const PAGING_FAULTS = defineFaults([
  {
    check: 'paging.count',
    fault: requeries({ count: '2', filter: null, cursor: null }, { count: null }),
  },
  {
    check: 'paging.no-parameters',
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (query.size > 0) return false
      body.Resources = []
      return true
    }),
  },
  {
    check: 'paging.above-page',
    also: {
      'declared.pages': 'a page of its users starts at 4 as well',
    },
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (query.get('startIndex') !== '4' || query.has('filter')) return false
      body.Resources = []
      return true
    }),
  },
  {
    check: 'paging.total',
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (hasParameters(query, { count: '1', startIndex: null })) {
        body.totalResults = body.Resources?.length
      }
    }),
  },
  {
    check: 'paging.partial',
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (hasParameters(query, { count: '1', startIndex: '2' })) delete body.itemsPerPage
    }),
  },
  {
    check: 'paging.integers',
    fault: answers('GET /Users', ({ body }) => {
      if (body.itemsPerPage !== undefined) body.itemsPerPage = String(body.itemsPerPage)
    }),
  },
  { check: 'paging.walk', fault: requeries({ startIndex: '3' }, { startIndex: '4' }) },
  { check: 'paging.stable', fault: unstable() },
  { check: 'paging.count-zero', fault: requeries({ count: '0' }, { count: null }) },
  { check: 'paging.count-negative', fault: failsFor({ count: '-1', cursor: null }, 400) },
  { check: 'paging.count-large', fault: failsFor({ count: '1000000' }, 400) },
  { check: 'paging.start-zero', fault: failsFor({ startIndex: '0' }, 400) },
  { check: 'paging.start-negative', fault: failsFor({ startIndex: '-5' }, 400) },
  {
    check: 'paging.beyond',
    also: {
      'declared.pages': 'a page of its users starts at 4 as well',
    },
    fault: failsFor({ startIndex: '4', count: '3' }, 404),
  },
  { check: 'paging.malformed', fault: failsFor({ count: 'many' }, 500) },
  {
    check: 'paging.many',
    // A query of at most 50 users, which are then counted.
    fault: answers('GET /Users', ({ body }, { query }) => {
      if (!(body.totalResults > 50) || query.has('filter')) return false
      const start = Math.max(Number(query.get('startIndex') ?? 1), 1)
      body.totalResults = 50
      body.Resources = body.Resources?.slice(0, Math.max(50 - start + 1, 0))
      return true
    }),
  },
])
