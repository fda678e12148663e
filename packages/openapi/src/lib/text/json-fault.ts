/** The offset where a text stops being valid JSON, and what was expected there. */
export interface JsonFault {
  readonly offset: number
  readonly expected: string
}

/**
 * Finds the first offset where a text is not valid JSON; null if the text is valid. `JSON.parse` messages differ
 * between engines: some quote the text and omit the position.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = []
  let state: JsonState = 'value'
  let at = 0
  for (;;) {
    at = matchEnd(SPACE, text, at) ?? at
    const { kind, end } = tokenAt(text, at)
    if (kind === 'brokenString') return { offset: end, expected: 'the rest of a string' }
    const { accepts, expected } = STATES[state]
    if (!accepts.includes(kind)) return { offset: at, expected }
    if (kind === 'nothing') return null
    if (kind === '{' || kind === '[') open.push(kind)
    if (kind === '}' || kind === ']') open.pop()
    state = nextState(kind, state, open.at(-1))
    at = end
  }
}

type TokenKind =
  | '{'
  | '['
  | '}'
  | ']'
  | ':'
  | ','
  | 'string'
  | 'brokenString'
  | 'scalar'
  | 'nothing'
type JsonState = keyof typeof STATES

function tokenAt(text: string, at: number): { kind: TokenKind | null; end: number } {
  const char = text[at]
  switch (char) {
    case undefined:
      return { kind: 'nothing', end: at }
    case '{':
    case '[':
    case '}':
    case ']':
    case ':':
    case ',':
      return { kind: char, end: at + 1 }
    case '"': {
      const end = endOfString(text, at + 1)
      return text[end] === '"' ? { kind: 'string', end: end + 1 } : { kind: 'brokenString', end }
    }
    default: {
      const end = matchEnd(SCALAR, text, at)
      return end === null ? { kind: null, end: at } : { kind: 'scalar', end }
    }
  }
}

/** Returns the offset where a string's closing quote or its first invalid character is. */
function endOfString(text: string, start: number): number {
  let at = start
  // RFC 8259 §7: control characters are escaped.
  while (at < text.length && text[at] !== '"' && text.charCodeAt(at) >= 0x20) {
    const next = text[at] === '\\' ? matchEnd(ESCAPE, text, at) : at + 1
    if (next === null) return at
    at = next
  }
  return at
}

function nextState(
  kind: TokenKind | null,
  state: JsonState,
  inside: '{' | '[' | undefined,
): JsonState {
  if (kind === '{') return 'firstMember'
  if (kind === '[') return 'firstItem'
  if (kind === ':') return 'value'
  if (kind === ',') return inside === '{' ? 'member' : 'value'
  if (state === 'member' || (state === 'firstMember' && kind === 'string')) return 'colon'
  if (inside === undefined) return 'end'
  return inside === '{' ? 'moreMembers' : 'moreItems'
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

const VALUES: readonly (TokenKind | null)[] = ['{', '[', 'string', 'scalar']

function accepts(expected: string, ...kinds: readonly (TokenKind | null)[]) {
  return { accepts: kinds, expected }
}

const STATES = {
  value: accepts('a value', ...VALUES),
  firstMember: accepts('a name in quotes or }', 'string', '}'),
  member: accepts('a name in quotes', 'string'),
  colon: accepts(':', ':'),
  moreMembers: accepts(', or }', ',', '}'),
  firstItem: accepts('a value or ]', ...VALUES, ']'),
  moreItems: accepts(', or ]', ',', ']'),
  end: accepts('the end of the text', 'nothing'),
}

// RFC 8259 §2, §6 and §7
const SPACE = /[ \t\n\r]*/y
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y
