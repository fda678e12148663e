import { answers, defineFaults, receives, replies } from '../fault.ts'

export const ME_FAULTS = defineFaults([
  { check: 'me.supported', fault: replies('GET /Me', () => ({ status: 500, body: {} })) },
  {
    check: 'me.location',
    fault: answers('GET /Me', ({ headers }) => headers.set('Location', 'https://scim.example/Me')),
  },
  {
    check: 'me.same',
    fault: answers('GET /Me', ({ body }) => {
      if (body.meta !== undefined) body.id = 'me'
    }),
  },
  {
    check: 'me.projection',
    fault: receives('GET /Me', () => ({ query: new URLSearchParams() })),
  },
])
