import { type Answer, answers, type Body, type Change, defineFaults } from '../fault.ts'
import type { Fetch } from '../reference.ts'

/** Changes the error for a user that does not exist. */
const unknown = (change: (answer: Answer) => unknown) =>
  answers('GET /Users/:id', (answer, { path, query }) => {
    const isError = answer.status === 404 && path.includes('plumbline') && query.size === 0
    return isError ? change(answer) : false
  })

/** Changes the response to a text that is not JSON, which `answers` does not see. */
const broken = (sent: RegExp, change: (answer: Body, status: number) => Response): Change =>
  Object.assign(
    (correct: Fetch): Fetch =>
      async (request) => {
        const text = await request.clone().text()
        const response = await correct(request)
        if (!sent.test(text)) return response
        return change(await response.json(), response.status)
      },
    { route: 'POST /Users' },
  )

export const ERRORS_FAULTS = defineFaults([
  { check: 'errors.document', fault: unknown(({ body }) => delete body.schemas) },
  {
    check: 'errors.status',
    fault: unknown(({ body }) => {
      body.status = 404
    }),
  },
  { check: 'errors.detail', fault: unknown(({ body }) => delete body.detail) },
  {
    check: 'errors.media-type',
    fault: unknown(({ headers }) => headers.set('Content-Type', 'application/problem+json')),
  },
  {
    check: 'errors.invalid-json',
    fault: broken(/^\{"userName": $/, (body) => Response.json(body, { status: 500 })),
  },
  {
    check: 'errors.scim-type',
    fault: answers('POST /Users', ({ body, status }) => {
      if (status === 400 && body.detail === 'userName is required') body.scimType = 'required'
    }),
  },
  {
    check: 'errors.endpoint',
    fault: answers('GET /:path', (answer, { path }) => {
      if (path.includes('plumbline')) answer.status = 200
    }),
  },
  {
    check: 'errors.method',
    fault: answers('POST /Users/:id', (answer) => {
      if (answer.status === 405) answer.status = 400
    }),
  },
  {
    check: 'errors.allow',
    fault: answers('POST /Users/:id', ({ headers }) => headers.delete('Allow')),
  },
  {
    check: 'errors.content-type',
    fault: broken(/^userName\n/, (body) => Response.json(body, { status: 500 })),
  },
  {
    check: 'errors.no-internals',
    fault: broken(/"active": \}$/, (body, status) => {
      const detail = 'SyntaxError: Unexpected token }\n    at parse (/srv/app/server.js:12:3)'
      return Response.json({ ...body, detail }, { status })
    }),
  },
])
