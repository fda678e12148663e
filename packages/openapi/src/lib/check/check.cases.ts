import { defineProblems } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { checkResponse } from './check-response.ts'
import type { Violation } from './violation.ts'

export const info = { title: 'Books', version: '1.0.0' }
export const route = { method: 'GET', pattern: '/books/:bookId' } as const
export const request: Request = new Request('http://localhost/books/b1')

export const Book = z.object({
  title: z.string(),
  authors: z.array(z.object({ name: z.string(), 'born/died ~': z.string().optional() })),
})
export const book = { title: 'A', authors: [{ name: 'B' }] }

export const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'No such book' },
  gone: { slug: 'gone', status: 404, title: 'The book is gone' },
  outOfCredit: {
    slug: 'out-of-credit',
    status: 403,
    title: 'Not enough credit',
    extensions: z.object({ balance: z.number(), accounts: z.array(z.string()).optional() }),
  },
})

/** The responses that one operation, `GET /books/:bookId`, may answer. */
export type Answers = Pick<OperationSpec, 'responses'> & {
  readonly problems?: readonly (keyof typeof problems)[]
}

/** The violations of a response of that operation. */
export async function violationsOf(
  answers: Answers,
  response: Response,
  sent: Request = request,
): Promise<readonly Violation[]> {
  const builder = createDocument({ info, problems }).add(
    defineOperation('readBook', route, { summary: 'Read a book', ...answers }),
  )
  const checked = await checkResponse(builder, sent, response)
  return isFailure(checked) ? checked.error.violations : []
}
