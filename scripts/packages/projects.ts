/** The versions of TypeScript that are tested. */
export const COMPILERS: readonly string[] = ['5.7.3', '5.9.3', '6.0.3', '7.0.2']

/** The first version of Node 20 that requires ES modules without a flag. */
export const MIN_NODE = '20.19.0'

/** The version of Node that the directory is installed with. */
export const SERVER_NODE = '24.21.0'

/** Uses the types of several entries; one line must not compile. */
export const TYPED_PROGRAM = `import { createDocument, defineOperation, unwrap } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { defineProblems, ISSUES_SCHEMA } from '@plumbline/problem'
import { ISSUES_SCHEMA as NESTED } from '@plumbline/problem/zod'
import { parseFilter } from '@plumbline/scim/filter'
import { z } from 'zod'
const problems = defineProblems('https://example.com/', {
  invalid: { slug: 'a', status: 422, title: 'A', extensions: { errors: ISSUES_SCHEMA } },
  nested: { slug: 'b', status: 422, title: 'B', extensions: z.object({ errors: NESTED }) },
})
problems.invalid({ extensions: { errors: [] } })
// @ts-expect-error errors are required
problems.invalid()
const read = defineOperation('read', 'GET /books/:id', {
  summary: 'Read a book',
  responses: { 200: { description: 'A book', body: z.object({ title: z.string() }) } },
})
const builder = createDocument({ info: { title: 'Books', version: '1' }, problems, defaults: {} })
implement(builder.add(read), { handlers: { read: ({ reply }) => reply(200, { title: 'Emma' }) } })
export const version: string = unwrap(builder.build()).openapi
export const filter: string = unwrap(parseFilter('userName eq "a"')).type
`

/** An API whose schemas are those of ArkType. */
export const ARKTYPE_PROGRAM = `import { createDocument, defineOperation, unwrap } from '@plumbline/openapi'
import { defineProblems, ISSUES_SCHEMA } from '@plumbline/problem'
import { type } from 'arktype'
const problems = defineProblems('https://example.com/', {
  invalid: { slug: 'a', status: 422, title: 'A', extensions: { errors: ISSUES_SCHEMA } },
})
const add = defineOperation('add', 'POST /books', {
  summary: 'Add a book',
  body: type({ title: 'string' }),
  problems: ['invalid'],
})
const builder = createDocument({ info: { title: 'Books', version: '1' }, problems }).add(add)
const { components } = unwrap(builder.build())
if (!components.schemas.InvalidProblem) throw new Error('the problem is not described')
const headers = { 'Content-Type': 'application/json' }
const init = { method: 'POST', headers, body: '{"title":"Emma"}' }
unwrap(await add.parse(new Request('http://localhost/books', init)))
`

/** Requires every package. */
export const COMMONJS_PROGRAM = `const { parse, unwrap } = require('@plumbline/openapi')
const { defineProblems } = require('@plumbline/problem')
const { parseFilter } = require('@plumbline/scim/filter')
const { success } = require('@plumbline/result')
unwrap(parse('openapi: 3.1.1\\ninfo: { title: Books, version: "1" }'))
unwrap(parseFilter('userName eq "a"'))
unwrap(success(defineProblems('https://example.com/', {})))
`
