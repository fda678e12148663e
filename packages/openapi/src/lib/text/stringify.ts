import { failure, type Result, success } from '@plumbline/result'
import { dump } from 'js-yaml'
import { pointerOf } from '../json/pointer.ts'
import type { Document } from '../openapi.ts'
import { OpenAPIStringifyError } from './errors.ts'
import { findUnserializable } from './serializable.ts'

export interface StringifyOptions {
  /** JSON by default. */
  readonly format?: 'json' | 'yaml'
  /** Spaces for each level, 2 by default, at most 10; 0 writes JSON on one line. */
  readonly indent?: number
}

/**
 * Writes a document as JSON or YAML, with a line end behind it.
 *
 * YAML is written for people: nothing is folded, nothing has an anchor, and strings that a reader of
 * YAML 1.1 would take for something else are quoted. `parse` reads the same document back. Fails on
 * what JSON cannot hold, such as a circle, NaN or a function, and on options out of range.
 *
 * @example
 * ```ts
 * import { stringify } from '@plumbline/openapi'
 * import { unwrap } from '@plumbline/result'
 *
 * const document = { openapi: '3.1.1', info: { title: 'Books', version: '1.0' } }
 * const lines = unwrap(stringify(document, { format: 'yaml' })).split('\n')
 * lines.at(-2) //=> "  version: '1.0'"
 * ```
 */
export function stringify(
  document: Document,
  { format = 'json', indent = 2 }: StringifyOptions = {},
): Result<string, OpenAPIStringifyError> {
  if (format !== 'json' && format !== 'yaml') {
    return failure(new OpenAPIStringifyError({ code: 'invalid-format' }))
  }
  const least = format === 'yaml' ? 1 : 0
  if (!Number.isInteger(indent) || indent < least || indent > 10) {
    const range = { least: String(least), indent: String(indent) }
    return failure(new OpenAPIStringifyError({ code: 'invalid-indent', ...range }))
  }
  const found = findUnserializable(document)
  if (found) return failure(new OpenAPIStringifyError(found.fault, pointerOf(found.path)))
  if (format === 'json') return success(`${JSON.stringify(document, null, indent)}\n`)
  // Invalid is what is left to be: members that are undefined, which JSON leaves out as well.
  const options = { indent, lineWidth: -1, noRefs: true, skipInvalid: true }
  return success(dump(document, options))
}
