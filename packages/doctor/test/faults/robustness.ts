import {
  answers,
  type Body,
  defineFaults,
  replies,
  repliesToText,
  type SentRequest,
} from '../fault.ts'
import { rewrites } from './query.ts'

/** Some requests end in an internal error. */
const breaks = (route: string, isAffected: (sent: SentRequest) => boolean) =>
  replies(route, (sent) =>
    isAffected(sent) ? { status: 500, body: { status: '500', detail: 'TypeError' } } : null,
  )

/** Creating a user ends in an internal error for some bodies. */
const breaksCreation = (isAffected: (body: Body) => boolean) =>
  breaks('POST /Users', ({ body }) => isAffected(body))

/** Creating a user ends in an internal error for a body that is not a JSON object. */
const breaksText = (body: string) =>
  repliesToText('POST /Users', (text) => (text === body ? { status: 500 } : null))

/** The next user that is read has the members that a request wrote to the prototype of all objects. */
const pollutes = (isPolluting: (sent: SentRequest) => boolean) => {
  let isPolluted = false
  return answers('* /Users*', ({ body, status }, sent) => {
    if (isPolluting(sent)) isPolluted = true
    if (!isPolluted || sent.method !== 'GET' || status !== 200) return false
    isPolluted = false
    return Object.assign(body, { plumblinePolluted: true })
  })
}

export const ROBUSTNESS_FAULTS = defineFaults([
  { check: 'robustness.non-object', fault: breaksText('7') },
  { check: 'robustness.wrong-types', fault: breaksCreation((body) => body?.emails === 'text') },
  {
    check: 'robustness.nested-json',
    fault: breaksCreation((body) => Array.isArray(body?.name?.[0]?.[0])),
  },
  {
    check: 'robustness.long-value',
    fault: breaksCreation((body) => body?.title?.length === 100_000),
  },
  {
    check: 'robustness.nul',
    fault: breaksCreation((body) => body?.title === 'a\u0000b'),
  },
  {
    check: 'robustness.surrogates',
    fault: breaksCreation((body) => body?.title === 'a\ud800'),
  },
  {
    check: 'robustness.user-name',
    // The value becomes part of an SQL statement.
    fault: breaks('GET /Users', ({ query }) => /^userName eq ".*'/.test(query.get('filter') ?? '')),
  },
  {
    check: 'robustness.prototype-body',
    fault: pollutes(({ body, method }) => {
      return method === 'POST' && Object.hasOwn(Object(body), '__proto__')
    }),
  },
  {
    check: 'robustness.nested-filter',
    fault: breaks('GET /Users', ({ query }) => /^\({999}/.test(query.get('filter') ?? '')),
  },
  {
    check: 'robustness.long-filter',
    fault: breaks('GET /Users', ({ query }) => /"long-149"/.test(query.get('filter') ?? '')),
  },
  {
    check: 'robustness.backslashes',
    // The pattern of the lexer has a repetition in a repetition.
    fault: (correct) => async (request) => {
      const count = /(?:%5C)+$/.exec(request.url)?.[0].length ?? 0
      const time = count > 0 ? 2 ** (count / 3 - 18) : 0
      if (time > 1) await new Promise((resolve) => setTimeout(resolve, time))
      return correct(request)
    },
  },
  {
    check: 'robustness.prototype-filter',
    fault: rewrites(/^toString pr$/, 'userName pr'),
  },
  {
    check: 'robustness.prototype-path',
    fault: pollutes(({ body, method }) => {
      return method === 'PATCH' && JSON.stringify(body).includes('__proto__.')
    }),
  },
  {
    check: 'robustness.prototype-parameters',
    fault: breaks('GET /Users', ({ query }) => query.get('sortBy') === '__proto__'),
  },
  {
    check: 'robustness.duplicate-parameter',
    fault: breaks('GET /Users', ({ query }) => query.getAll('filter').length > 1),
  },
  {
    check: 'robustness.odd-path',
    fault: breaks('GET /Users/:id', ({ path }) => path.includes('\u0000')),
  },
  {
    check: 'robustness.long-path',
    fault: breaks('GET /Users/:id', ({ path }) => path.length > 4_000),
  },
])
