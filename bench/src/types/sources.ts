/** One TypeScript file for each way to write the same operations. */
export const sources: Readonly<Record<string, (count: number) => string>> = {
  plumbline: (count) =>
    file(
      [
        "import { createDocument, defineOperation } from '@plumbline/openapi'",
        "import { defineProblems } from '@plumbline/problem'",
        "import { isFailure } from '@plumbline/result'",
        "import { z } from 'zod'",
        PROBLEMS,
      ],
      count,
      (at) => schemas(at) + operation(at),
      `const info = { title: 'Books', version: '1.0.0' }
export const builder = createDocument({ info, problems }).add(${names('operation', count)})
`,
    ),
  zod: (count) => file(["import { z } from 'zod'"], count, schemas),
  hono: (count) =>
    file(
      [
        "import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'",
        'const app = new OpenAPIHono()',
      ],
      count,
      (at) => schemas(at) + honoRoute(at),
      'export default app\n',
    ),
}

function file(
  head: readonly string[],
  count: number,
  part: (at: number) => string,
  foot = '',
): string {
  const parts = Array.from({ length: count }, (_, at) => part(at))
  return [...head, ...parts, foot].join('\n')
}

function names(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(', ')
}

const PROBLEMS = `
const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  invalid: { slug: 'invalid', status: 422, title: 'The request is not valid' },
})
`

const schemas = (at: number): string => `
export const params${at} = z.object({ shelf: z.string(), book${at}: z.string() })
export const query${at} = z.object({ page: z.coerce.number().int().optional(), tag: z.string().optional() })
export const body${at} = z.object({
  title: z.string().min(1),
  pages: z.int().min(1),
  state: z.enum(['new', 'used']),
  tags: z.array(z.string()),
  author: z.object({ name: z.string(), born: z.iso.date().optional() }),
})
export const Book${at} = body${at}.extend({ id: z.string() }).meta({ id: 'Book${at}' })
`

const operation = (at: number): string => `
export const operation${at} = defineOperation(
  'operation${at}',
  { method: 'POST', pattern: '/shelves/:shelf/books${at}/:book${at}' } as const,
  {
    summary: 'Change a book',
    params: params${at},
    query: query${at},
    body: body${at},
    responses: {
      200: { description: 'The book', body: Book${at} },
      204: { description: 'Nothing to change' },
    },
    problems: ['notFound', 'invalid'],
  },
)
export async function handle${at}(request: Request): Promise<Response> {
  const parsed = await operation${at}.parse(request, { shelf: 's', book${at}: 'b' })
  if (isFailure(parsed)) return problems.invalid({ detail: parsed.error.message })
  const { params, query, body } = parsed.data
  if (query.page === 0) return problems.notFound({ detail: params.shelf })
  return Response.json({ id: params.book${at}, ...body })
}
`

const honoRoute = (at: number): string => `
app.openapi(
  createRoute({
    method: 'post',
    path: '/shelves/{shelf}/books${at}/{book${at}}',
    operationId: 'operation${at}',
    summary: 'Change a book',
    request: {
      params: params${at},
      query: query${at},
      body: { required: true, content: { 'application/json': { schema: body${at} } } },
    },
    responses: {
      200: { description: 'The book', content: { 'application/json': { schema: Book${at} } } },
      204: { description: 'Nothing to change' },
      404: { description: 'Not found' },
    },
  }),
  (context) => {
    const params = context.req.valid('param')
    const query = context.req.valid('query')
    const body = context.req.valid('json')
    if (query.page === 0) return context.body(null, 404)
    return context.json({ id: params.book${at}, ...body }, 200)
  },
)
`
