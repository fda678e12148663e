import { requireOptions, STRING } from '@plumbline/base'
import { failure, type Result, success } from '@plumbline/result'
import type { DocumentOperations } from '../document/builder.ts'
import type { CheckOptions } from './check.ts'
import { checkFirstParts } from './check-parts.ts'
import { checksOf } from './own-checks.ts'
import type { Checks, RecordedContext } from './record.ts'
import { ConformanceError, type Violation } from './violation.ts'

/**
 * Checks one exchange against a document's operations: status, media type, required headers, and the body with the
 * declared schema.
 *
 * The body is read from a clone, so the response can still be sent. JSON, forms, `text/*` and every other text whose
 * schema accepts a string are validated. A declared stream is checked part by part for two seconds and up to one MiB;
 * a recorder checks all parts. Other event streams and binary bodies are not read. It never rejects: a throwing
 * schema is a violation, and so is a body that fails or does not end within two seconds.
 *
 * @example
 * ```ts
 * import { createDocument, defineOperation } from '@plumbline/openapi'
 * import { checkResponse } from '@plumbline/openapi/testing'
 * import { isFailure } from '@plumbline/result'
 * import { z } from 'zod'
 *
 * const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
 *   defineOperation('readBook', 'GET /books/:bookId', {
 *     summary: 'Read a book',
 *     responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
 *   }),
 * )
 * const request = new Request('http://localhost/books/b1')
 * const checked = await checkResponse(builder, request, Response.json({ title: 7 }))
 * isFailure(checked) && checked.error.violations[0]?.pointer //=> '/title'
 * ```
 */
export async function checkResponse(
  document: DocumentOperations,
  request: Request,
  response: Response,
  options: CheckOptions = {},
): Promise<Result<undefined, ConformanceError>> {
  requireOptions<CheckOptions>('checkResponse', options, { basePath: STRING })
  const violations = await findViolations(checksOf(document), { request }, response, options)
  return violations.length === 0 ? success() : failure(new ConformanceError(violations))
}

/** Finds an exchange's violations, including those in a stream's first parts. */
export async function findViolations<Operation>(
  checks: Checks<Operation>,
  context: RecordedContext,
  response: Response,
  { basePath }: CheckOptions,
): Promise<readonly Violation[]> {
  const { request } = context
  const operation = checks.find(context, basePath)?.value ?? null
  const { violations } = await checks.check(operation, request, response)
  const stream = operation && checks.streamOf(operation, request, response)
  return stream === null
    ? violations
    : [...violations, ...(await checkFirstParts(stream, response))]
}
