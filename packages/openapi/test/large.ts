import { type AnyOperation, createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'
import { Category } from './schemas.ts'

const few = defineProblems('https://things.test/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  lost: { slug: 'lost', status: 404, title: 'The book is lost' },
  forbidden: { slug: 'forbidden', status: 403, title: 'Not for you' },
})

/** Problems: each is the only one of some operation, and two share a status. */
const answers = [['notFound', 'lost'], ['notFound', 'forbidden'], ['lost']] as const

/** A document of many operations. Each has a schema of its own, and they share other schemas. */
export function largeDocument(count: number) {
  const operations = Array.from({ length: count }, (_, at): AnyOperation<keyof typeof few> => {
    const items = z.array(z.object({ [`key${at}`]: z.int() }))
    const own = z
      .object({ at: z.literal(at), category: Category, items })
      .meta({ id: `Thing${at}` })
    const route = { method: at % 2 ? 'PUT' : 'GET', pattern: `/kinds/kind-${at}/:thingId` }
    return defineOperation(`useThing${at}`, route, {
      summary: `Use thing ${at}`,
      query: z.object({ page: z.int().optional() }),
      ...(at % 2 ? { body: own } : {}),
      responses: { 200: { description: 'The thing', body: own } },
      problems: answers[at % answers.length] ?? [],
    })
  })
  return createDocument({
    info: { title: 'Things', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://things.test' }],
    securitySchemes: { token: bearer() },
    security: [{ token: [] }],
    problems: few,
  }).add(...operations)
}
