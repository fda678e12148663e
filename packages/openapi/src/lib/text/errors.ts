import { addressOfCode } from '../address.ts'
import { type Coded, fillIn } from '../sentence.ts'
import { drawExcerpt, type Position } from './excerpt.ts'

/** The sentence for each code. */
export const TEXT_FAULTS = {
  'invalid-json': 'the text is not valid JSON: expected {expected}',
  'invalid-yaml': 'the text is not valid YAML: {reason}',
  'invalid-key': 'a key must be a scalar, not a list or a map',
  'too-many-aliases': 'the aliases expand to more than {limit} values',
  'missing-field': '{field} is missing',
  'unsupported-version': 'the document is {found}, not OpenAPI {versions}; {remedy}',
  'invalid-type': '{subject} must be {expected}',
  'invalid-path': 'a path must start with /',
  'unsupported-value': 'JSON cannot represent {value}',
  'circular-value': 'the value contains itself',
  'nesting-too-deep': 'the value is nested deeper than {limit} levels',
  'invalid-format': 'format must be json or yaml',
  'invalid-indent': 'indent must be {least} to 10, not {indent}',
} as const

type OptionCode = 'invalid-format' | 'invalid-indent'
type ValueCode = 'unsupported-value' | 'circular-value' | 'nesting-too-deep'
type FaultWithCode<Code> = Extract<Coded<typeof TEXT_FAULTS>, { readonly code: Code }>

/** Why a text cannot be parsed. Codes are stable; messages may change. */
export type ParseErrorCode = Exclude<keyof typeof TEXT_FAULTS, OptionCode>

/** Why a document cannot be written. Codes are stable; messages may change. */
export type StringifyErrorCode = OptionCode | ValueCode

/** A fault's code, with the facts the sentence quotes. */
export type ParseFault = FaultWithCode<ParseErrorCode>
/** A fault's code, with the facts the sentence quotes. */
export type StringifyFault = FaultWithCode<StringifyErrorCode>
/** A value JSON cannot represent. */
export type ValueFault = FaultWithCode<ValueCode>

/**
 * Why a text is not an OpenAPI 3.1 document. If the error has a position, the message shows at most 80 characters from
 * that line, with a caret below the position. The last line is the URL explaining the code.
 */
export class OpenAPIParseError extends Error {
  override readonly name: string = 'OpenAPIParseError'
  /** The kind of fault. */
  readonly code: ParseErrorCode
  /** The value at fault, as a JSON Pointer into the document; empty for the whole document. */
  readonly pointer: string
  /** Counted from 1; null without a position. */
  readonly line: number | null
  /** Counted from 1; null without a position. */
  readonly column: number | null

  constructor(fault: ParseFault, pointer = '', position: Position | null = null, text = '') {
    const { code, ...facts } = fault
    const at = position ? ` (line ${position.line}, column ${position.column})` : ''
    const excerpt = position && text !== '' ? `\n${drawExcerpt(text, position)}` : ''
    const sentence = fillIn(TEXT_FAULTS[code], facts)
    super(`${pointer ? `${pointer}: ` : ''}${sentence}${at}${excerpt}\n${addressOfText(code)}`)
    this.code = code
    this.pointer = pointer
    this.line = position?.line ?? null
    this.column = position?.column ?? null
  }
}

/** Why a document cannot be written. The message's last line is the URL explaining the code. */
export class OpenAPIStringifyError extends Error {
  override readonly name: string = 'OpenAPIStringifyError'
  /** The kind of fault. */
  readonly code: StringifyErrorCode
  /** The value at fault, as a JSON Pointer into the document; empty for an option. */
  readonly pointer: string

  constructor({ code, ...facts }: StringifyFault, pointer = '') {
    const sentence = fillIn(TEXT_FAULTS[code], facts)
    super(`${pointer ? `${pointer}: ` : ''}${sentence}\n${addressOfText(code)}`)
    this.code = code
    this.pointer = pointer
  }
}

function addressOfText(code: keyof typeof TEXT_FAULTS): string {
  return addressOfCode('openapi-text', code)
}
