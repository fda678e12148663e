import type { Members } from '../own.ts'

/** Whether a schema is that of a file, as it is before the document says so. */
export function isBinary({ contentEncoding, format }: Members): boolean {
  return contentEncoding === 'binary' && format === 'binary'
}

/** OpenAPI 3.1.1 §4.8.14.5: a file is a schema with a media type and no type. */
export function binaryOf(schema: Members): Members {
  if (!isBinary(schema)) return schema
  const {
    type: _t,
    format: _f,
    contentEncoding: _e,
    minLength: _a,
    maxLength: _b,
    ...rest
  } = schema
  // Beside several media types, each in a branch, there is none of its own.
  return 'anyOf' in rest ? rest : { contentMediaType: 'application/octet-stream', ...rest }
}
