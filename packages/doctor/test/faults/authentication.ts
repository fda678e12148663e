import { swapCase } from '../../src/lib/toolkit/swap-case.ts'
import { answers, defineFaults, receives, replies } from '../fault.ts'
import { TOKEN } from '../reference.ts'

/** Lets requests pass whose Authorization header has the value; null for none. */
const admits = (route: string, value: string | null) =>
  receives(route, ({ headers }) => {
    if (headers.get('Authorization') !== value) return null
    const admitted = new Headers(headers)
    admitted.set('Authorization', `Bearer ${TOKEN}`)
    return { headers: admitted }
  })

export const AUTHENTICATION_FAULTS = defineFaults([
  { check: 'authentication.required', fault: admits('GET /Users', null) },
  { check: 'authentication.wrong-token', fault: admits('GET /Users', 'Bearer') },
  { check: 'authentication.letter-case', fault: admits('GET /Users', `Bearer ${swapCase(TOKEN)}`) },
  {
    check: 'authentication.challenge',
    fault: answers('GET /Users', ({ headers }) => headers.delete('WWW-Authenticate')),
  },
  {
    check: 'authentication.document',
    fault: answers('GET /Users', (answer) => {
      if (answer.status === 401) answer.body = { error: 'invalid_token' }
    }),
  },
  { check: 'authentication.writes', fault: admits('PUT /Users/:id', null) },
  { check: 'authentication.search', fault: admits('POST /Users/.search', null) },
  { check: 'authentication.bulk', fault: admits('POST /Bulk', null) },
  {
    check: 'authentication.no-leak',
    fault: replies('GET /Users/:id', ({ headers, path }) =>
      headers.get('Authorization') === null && path.includes('plumbline')
        ? { status: 404, body: { schemas: [], status: '404' } }
        : null,
    ),
  },
])
