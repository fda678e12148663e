import { answers, type Body, type Change, defineFaults, type SentRequest } from '../fault.ts'

const HASH = '$2b$10$abcdefghijklmnopqrstuv'

/** Shows a password in the responses to a route. */
const shows = (route: string, isAsked: (sent: SentRequest) => boolean = () => true): Change =>
  answers(route, ({ status, body }, sent) => {
    if (status >= 300 || body === undefined || !isAsked(sent)) return false
    for (const one of body.Resources ?? [body]) one.password = HASH
    return true
  })

export const ANSWERS_FAULTS = defineFaults([
  {
    check: 'answers.never-returned',
    name: 'PUT answers the password',
    fault: shows('PUT /Users/:id'),
  },
  {
    check: 'answers.never-returned',
    name: 'PATCH answers the password',
    fault: shows('PATCH /Users/:id'),
  },
  {
    check: 'answers.never-returned',
    name: 'a search by POST answers the password',
    fault: shows('POST /Users/.search'),
  },
  {
    check: 'answers.never-returned',
    name: 'PATCH answers the password as another member',
    fault: answers('PATCH /Users/:id', ({ body }, sent) => {
      const [operation]: readonly Body[] = sent.body?.Operations ?? []
      if (operation?.path !== 'password' || body === undefined) return false
      body.secret = operation.value
      return true
    }),
  },
])
