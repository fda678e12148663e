import { answers, defineFaults, receives } from '../fault.ts'

export const CREATE_FAULTS = defineFaults([
  {
    check: 'create.user',
    fault: answers('POST /Users', (answer) => {
      if (answer.status === 201) answer.status = 200
    }),
  },
  {
    check: 'create.required',
    fault: receives('POST /Users', ({ body }) =>
      body.userName === undefined ? { body: { ...body, userName: crypto.randomUUID() } } : null,
    ),
  },
])
