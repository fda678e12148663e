import { ownSource } from '../own/source.ts'
import { createAim } from './aim.ts'
import { listShortfalls } from './authorize.ts'
import { listBreaks } from './list-breaks.ts'
import {
  type GeneratedApi,
  type GeneratedTest,
  type GenerateOptions,
  requireGenerateOptions,
  requireKnownCredentials,
} from './options.ts'
import { type OperationPlan, planOperations } from './plan.ts'
import { type Run, startRun, type TestBody } from './run.ts'
import {
  hasMalformedBody,
  testBreaks,
  testCredentials,
  testMalformed,
  testMediaTypes,
  testMethods,
  testScopes,
  testValid,
} from './tests.ts'

/**
 * Generates tests from a document, which call the API in this process. A valid request must get an answer the operation
 * declares, and the answer must conform. A request that breaks one constraint, in a parameter or a body, must get a
 * declared 4xx. So must a request without valid credentials, with too few scopes, with another media type or method, or
 * with a malformed body.
 *
 * Needs the package `fast-check`, which makes the requests and finds a small failing one. The ids in paths come from
 * answers to earlier requests: `POST /books` runs before `GET /books/{bookId}`. Throws an OpenAPIBuildError if the
 * document cannot be built, and a TypeError for an option that is unknown or not valid. Only values that arrive as they
 * were made are sent. A test fails with a TypeError that names the pointer if no value is found for a schema, or the
 * schemes if `credentials` lacks them. Formats without a pattern are checked roughly. Constraints on strings beyond 100,000
 * characters, and on lists beyond 1,000 elements, are not broken.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { implement } from '@plumbline/openapi/server'
 * import { generateTests } from '@plumbline/contract'
 * import { z } from 'zod'
 *
 * const addBook = defineOperation('addBook', 'POST /books', {
 *   summary: 'Add a book',
 *   body: z.object({ title: z.string().max(100) }),
 *   responses: { 201: { description: 'Added' } },
 * })
 * const info = { title: 'Books', version: '1.0.0' }
 * const api = implement(createDocument({ info, defaults: {} }).add(addBook), {
 *   handlers: { addBook: ({ reply }) => reply(201) },
 * })
 * const tests = generateTests(api, { seed: 7 })
 * for (const { run } of tests) await run()
 * tests[0]?.name //=> 'addBook: valid requests get a declared answer'
 * ```
 */
export function generateTests(
  api: GeneratedApi,
  options: GenerateOptions = {},
): readonly GeneratedTest[] {
  requireGenerateOptions(options)
  const source = ownSource(api.document)
  const { plans, components, schemes } = planOperations(source)
  requireKnownCredentials(options, schemes)
  const { exclude = [], cover, credentials = {} } = options
  const known = typeof credentials === 'function' ? {} : credentials
  const aim = createAim(cover)
  const callable = plans.filter(({ operation }) => !exclude.includes(operation.operationId))
  const chosen = callable.filter(({ operation }) => aim.isWanted(operation.operationId))
  let started: Promise<Run> | undefined
  const start = () => {
    started ??= startRun(api, { ...options, source, plans: callable, components, schemes, aim })
    return started
  }
  const test = (name: string, body: TestBody): GeneratedTest[] =>
    exclude.includes(name) ? [] : [{ name, run: async () => await body(await start()) }]
  return [
    ...chosen.flatMap((plan) => {
      const { operationId } = plan.operation
      const breaks = listBreaks(plan, components)
      const shortfalls = listShortfalls(plan.security, schemes, known)
      const hasBody = plan.bodies.length > 0
      const isTyped = hasBody && !plan.bodies.some(({ type }) => type === '*/*')
      const tests: [isUsed: boolean, sentence: string, body: TestBody][] = [
        [true, 'valid requests get a declared answer', testValid(plan)],
        [
          breaks.length > 0,
          'requests that break one constraint are rejected',
          testBreaks(plan, breaks),
        ],
        [isSecured(plan), 'requests without valid credentials are rejected', testCredentials(plan)],
        [
          shortfalls.length > 0,
          'requests with too few scopes are rejected',
          testScopes(plan, shortfalls),
        ],
        [isTyped, 'bodies of another media type are rejected', testMediaTypes(plan)],
        [hasMalformedBody(plan), 'malformed bodies are rejected', testMalformed(plan)],
      ]
      return tests.flatMap(([isUsed, sentence, body]) =>
        isUsed ? test(`${operationId}: ${sentence}`, body) : [],
      )
    }),
    ...[...new Set(chosen.map(({ path }) => path))].flatMap((path) =>
      test(`${path}: other methods are rejected`, testMethods(path, callable)),
    ),
  ]
}

/** Whether a request without credentials is rejected (OpenAPI 3.1.1 §4.8.30: `{}` allows it). */
function isSecured({ security }: OperationPlan): boolean {
  return security.length > 0 && security.every((schemes) => Object.keys(schemes).length > 0)
}
