/** Content that cannot be read: it is not what its media type says, or its charset is not supported. */
export class ContentError extends Error {
  readonly code: 'malformed' | 'unsupported-media-type'
  /** The name of the field that cannot be read; empty for the whole content. */
  readonly path: readonly string[]

  constructor(
    message: string,
    code: ContentError['code'] = 'malformed',
    path: ContentError['path'] = [],
  ) {
    super(message)
    this.code = code
    this.path = path
  }
}

/** The error of reading a field, with its name if it is a ContentError. */
export function withField(error: unknown, name: string): unknown {
  return error instanceof ContentError ? new ContentError(error.message, error.code, [name]) : error
}

/** The error of a form with more fields than it may have. */
export function tooManyFields(most: number): ContentError {
  return new ContentError(`the form has more than ${most} fields`)
}
