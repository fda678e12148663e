/** Unreadable content: it doesn't match the media type, or the charset is not supported. */
export class ContentError extends Error {
  readonly code: 'malformed' | 'unsupported-media-type'
  /** The unreadable field's name; empty for the whole content. */
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

/** The error for a form with too many fields. */
export function tooManyFields(most: number): ContentError {
  return new ContentError(`the form has more than ${most} fields`)
}
