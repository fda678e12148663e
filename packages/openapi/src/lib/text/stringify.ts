import { failure, type Result, success } from '@plumbline/result'
import { dump } from 'js-yaml'
import type { Document } from '../openapi.ts'
import { OpenAPIStringifyError } from './errors.ts'
import { findValueFault, stringifyJson } from './stringify-json.ts'

/** How a document is written. */
export interface StringifyOptions {
  /** The text's format; defaults to `json`. */
  readonly format?: 'json' | 'yaml'
  /** Spaces for each level, at most 10; defaults to 2. With 0, JSON is written on one line. */
  readonly indent?: number
}

/**
 * Writes a document as JSON or YAML, with a final line break.
 *
 * YAML is written without folded lines and anchors, and quotes every string YAML 1.1 would read as another type.
 * `parse` returns an equal document. Fails for values JSON cannot represent, such as a circle, NaN or a function, and
 * for options out of range.
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
  if (format === 'json') return stringifyJson(document, indent)
  const fault = findValueFault(document)
  if (fault) return failure(fault)
  // The only invalid values left are undefined members, which JSON omits too.
  const options = { indent, lineWidth: -1, noRefs: true, skipInvalid: true }
  return success(dump(document, options))
}
