import type { CompileError } from './compile-errors.cases.ts'

export const SCHEMA_PROGRAM = `import { defineOperation } from '@plumbline/openapi'
import { toStandardJsonSchema as json } from '@plumbline/problem/zod-mini'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import * as z from 'zod/mini'

const Query = v.object({ a: v.string() })
const Book = z.object({ id: z.string() })
export const sendBook = defineOperation('sendBook', 'POST /books/:id', {
  summary: 'Send a book',
  query: toStandardJsonSchema(Query),
  body: json(Book),
  responses: { 200: { description: 'Done', body: { 'application/json': toStandardJsonSchema(Query) } } },
})
`

const REMEDY =
  'call toStandardJsonSchema: of @valibot/to-json-schema for Valibot, of @plumbline/problem/zod-mini for zod Mini'

/** Mistakes with routes and with schemas that do not convert themselves. */
export const SCHEMA_ERRORS: readonly CompileError[] = [
  {
    mistake: 'a variable in braces',
    from: '/books/:id',
    to: '/books/{id}',
    message: 'required in type \'{ readonly params: "write :id in the route, not in braces"; }\'.',
  },
  {
    mistake: 'a route without a method',
    from: 'POST /books/:id',
    to: '/books/:id',
    message: `Argument of type '"/books/:id"' is not assignable to parameter of type 'Route | \`\${string} \${string}\`'.`,
  },
  { mistake: 'a body of zod Mini', from: 'json(Book)', to: 'Book', message: REMEDY },
  { mistake: 'a body of Valibot', from: 'json(Book)', to: 'Query', message: REMEDY },
  {
    mistake: 'a query of Valibot',
    from: 'query: toStandardJsonSchema(Query)',
    to: 'query: Query',
    message: `Property 'jsonSchema' is missing in type`,
  },
]
