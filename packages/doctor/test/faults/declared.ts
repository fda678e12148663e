import { answers, defineFaults, receives } from '../fault.ts'
import { ignores } from './patch.ts'

export const DECLARED_FAULTS = defineFaults([
  {
    check: 'declared.replace',
    fault: ignores(({ op, path }) => op === 'replace' && path === 'weight', 'PATCH /Devices/:id'),
  },
  {
    check: 'declared.remove',
    fault: ignores(({ op, path }) => op === 'remove' && path === 'bought', 'PATCH /Devices/:id'),
  },
  {
    check: 'declared.attributes',
    fault: answers('GET /Devices/:id', ({ body }, { query }) => {
      if (query.get('attributes') !== 'slots') return false
      return delete body.slots
    }),
  },
  {
    check: 'declared.filters',
    fault: receives('GET /Users', ({ query }) =>
      query.get('filter')?.startsWith('preferredLanguage eq')
        ? { query: new URLSearchParams({ filter: 'userName eq "unknown"' }) }
        : null,
    ),
  },
])
