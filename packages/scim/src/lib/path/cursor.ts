import { type ErrorType, ScimError } from '../error.ts'

/** The maximum nesting depth for parentheses, `not` and value paths. */
export const DEPTH_LIMIT = 64

/** Unwinds a parse. Only the public parse functions catch it. */
export class SyntaxFault extends Error {
  readonly position: number
  readonly expected: string

  constructor(position: number, expected: string) {
    super(expected)
    this.position = position
    this.expected = expected
  }
}

/** A forward-only position in a string, with the current depth of nested rules. */
export class Cursor {
  readonly text: string
  position = 0
  /** Whether the current rule is inside a value path's brackets. */
  insideBrackets = false
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  /** Returns the UTF-16 code unit at the cursor, NaN at the end. */
  peek(): number {
    return this.text.charCodeAt(this.position)
  }

  /** Steps over one character if it has this code unit, and returns whether it does. */
  take(code: number): boolean {
    if (this.peek() !== code) return false
    this.position += 1
    return true
  }

  /**
   * Steps over spaces and returns whether there was at least one.
   *
   * Deviation: the grammar has one space, and no space next to parentheses. Clients send more, because they break
   * filters over lines, as the figures in RFC 7644 do.
   */
  takeSpaces(): boolean {
    const start = this.position
    while (this.peek() === SPACE) this.position += 1
    return this.position > start
  }

  /** Steps over characters marked in the table, and returns them. */
  takeWhile(table: Uint8Array): string {
    const { text, position } = this
    let end = position
    // Without the length check, the last look-up has the key NaN, which is slow.
    while (end < text.length && table[text.charCodeAt(end)] === 1) end += 1
    this.position = end
    return text.slice(position, end)
  }

  /**
   * Returns the characters before the last `code`, among those marked in the table, and steps over both. Returns null,
   * without a step, if `code` does not occur.
   */
  takeUntilLast(code: number, table: Uint8Array): string | null {
    const { text, position } = this
    let last = -1
    for (let end = position; end < text.length; end += 1) {
      const unit = text.charCodeAt(end)
      if (table[unit] !== 1) break
      if (unit === code) last = end
    }
    if (last < 0) return null
    this.position = last + 1
    return text.slice(position, last)
  }

  /** Matches the sticky `pattern`, steps over the match and returns it. */
  takeMatch(pattern: RegExp): string | null {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.text)
    if (match === null) return null
    this.position = pattern.lastIndex
    return match[0]
  }

  fail(expected: string, position: number = this.position): never {
    throw new SyntaxFault(position, expected)
  }

  /** Runs a rule one level deeper. */
  nested<Node>(rule: (cursor: Cursor) => Node): Node {
    if (this.depth === DEPTH_LIMIT) this.fail(`at most ${DEPTH_LIMIT} levels of nesting`)
    this.depth += 1
    const node = rule(this)
    this.depth -= 1
    return node
  }
}

/** Creates the client's error: what was expected, what was found, where, and a caret under the position. */
export function syntaxError(cursor: Cursor, fault: SyntaxFault, scimType: ErrorType): ScimError {
  const { text } = cursor
  const { position, expected } = fault
  const found = position >= text.length ? 'the end' : JSON.stringify(characterAt(text, position))
  const from = Math.max(0, position - CONTEXT)
  const to = Math.min(text.length, position + CONTEXT)
  const before = from > 0 ? '…' : ''
  const excerpt = `${before}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  const caret = `${' '.repeat(position - from + before.length)}^`
  return new ScimError(
    400,
    `expected ${expected} at position ${position}, found ${found}\n${printable(excerpt)}\n${caret}`,
    { scimType },
  )
}

function characterAt(text: string, position: number): string {
  return printable(String.fromCodePoint(text.codePointAt(position) ?? 0))
}

/** Replaces line ends and other controls, which would move the caret, and lone surrogates, which cannot be sent. */
function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cs}/gu, '·')
}

const CONTEXT = 40
const SPACE = 0x20
