import { excerptOf } from './excerpt.ts'

/**
 * Why a text is not an OpenAPI 3.1 document. Where there is a place to point at, the message ends with its
 * line, of which at most 80 characters are shown, and a line with a caret below it.
 */
export class OpenAPIParseError extends Error {
  override readonly name: string = 'OpenAPIParseError'
  /** What it is about, as a JSON Pointer into the document; empty for the whole of it. */
  readonly pointer: string
  /** From 1; null when there is no place to point at. */
  readonly line: number | null
  /** From 1; null when there is no place to point at. */
  readonly column: number | null

  constructor(message: string, pointer = '', place: Position | null = null, text = '') {
    const at = place ? ` (line ${place.line}, column ${place.column})` : ''
    const excerpt = place && text !== '' ? `\n${excerptOf(text, place)}` : ''
    super(`${pointer ? `${pointer}: ` : ''}${message}${at}${excerpt}`)
    this.pointer = pointer
    this.line = place?.line ?? null
    this.column = place?.column ?? null
  }
}

/** A place in a text, counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Why a document cannot be written. */
export class OpenAPIStringifyError extends Error {
  override readonly name: string = 'OpenAPIStringifyError'
  /** The value that cannot be written, as a JSON Pointer into the document. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(pointer ? `${pointer}: ${message}` : message)
    this.pointer = pointer
  }
}
