import { type Answer, answers, defineFaults, receives } from '../fault.ts'
import { requeries } from './query.ts'

/** Changes the pages by cursor that have some parameters: the first ones, or those that follow. */
const pages = (
  position: 'first' | 'following',
  sent: { readonly count: string },
  change: (body: Answer['body'], cursor: string) => void,
) =>
  answers('GET /Users', ({ body, status }, { query }) => {
    const cursor = query.get('cursor')
    if (status !== 200 || cursor === null || query.get('count') !== sent.count) return
    if (query.has('sortBy') || (cursor === '') !== (position === 'first')) return
    change(body, cursor)
  })

export const CURSORS_FAULTS = defineFaults([
  {
    check: 'cursors.first-page',
    fault: pages('first', { count: '1' }, (body) => delete body.nextCursor),
  },
  {
    check: 'cursors.characters',
    fault: pages('first', { count: '1' }, (body) => {
      body.nextCursor += '=='
    }),
  },
  {
    check: 'cursors.walk',
    fault: pages('following', { count: '1' }, (body) => {
      body.Resources = []
    }),
  },
  {
    check: 'cursors.last-page',
    fault: pages('following', { count: '2' }, (body, cursor) => {
      body.nextCursor ??= cursor
    }),
  },
  {
    check: 'cursors.count',
    also: { 'cursors.previous': 'the page before has more users than the first one' },
    fault: receives('GET /Users', ({ query }) => {
      if (!query.get('cursor') || query.get('count') !== '1') return null
      const changed = new URLSearchParams(query)
      changed.set('count', '2')
      return { query: changed }
    }),
  },
  {
    check: 'cursors.order',
    fault: receives('GET /Users', ({ query }) => {
      if (!query.has('cursor') || !query.has('sortBy')) return null
      const changed = new URLSearchParams(query)
      changed.delete('sortBy')
      return { query: changed }
    }),
  },
  {
    check: 'cursors.previous',
    fault: pages('following', { count: '1' }, (body, cursor) => {
      body.previousCursor = cursor
    }),
  },
  {
    check: 'cursors.invalid',
    fault: requeries({ cursor: 'plumbline-unknown' }, { cursor: '' }),
  },
  {
    check: 'cursors.invalid-count',
    fault: requeries({ cursor: '', count: '-1' }, { count: '5' }),
  },
  {
    check: 'cursors.total',
    fault: pages('first', { count: '3' }, (body) => {
      body.totalResults = null
    }),
  },
  {
    check: 'cursors.search',
    fault: receives('POST /Users/.search', ({ body }) =>
      body.cursor === undefined ? null : { body: { ...body, cursor: undefined } },
    ),
  },
])
