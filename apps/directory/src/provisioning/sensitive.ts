import { fold } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { memoize } from '../memoize.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'

/** Recognizes sensitive values of a tenant's clients. Letter case and compatibility characters do not matter. */
export interface Sensitivity {
  /** Whether the names are those of the tenant. Without a valid token, any attribute may be sensitive. */
  readonly isComplete: boolean
  /**
   * Whether a text contains a token or a sensitive attribute's name: one a definition never returns, or one
   * that is a password or a secret by its name.
   */
  isSensitive(text: string): boolean
  /** Whether a text contains a token, or a value for a sensitive name, as in `pin=…` and `pin eq "…"`. */
  isSecret(text: string): boolean
}

/**
 * The sensitivity of the attributes of resource types. An extension's names are those of its tenant. Null for a
 * request without a valid token, whose tenant is not known.
 */
export function sensitivityOf(types: readonly ResourceType[] | null): Sensitivity {
  return types === null
    ? { ...sensitivities.get(RESOURCE_TYPES), isComplete: false }
    : sensitivities.get(types)
}

const sensitivities = memoize((types: readonly ResourceType[]): Sensitivity => {
  const definitions = types.flatMap((type) => Object.values(type.definitions))
  const never = definitions.flatMap(({ attributes }) => [...neverReturned(attributes)])
  const names = new Set(never.filter((name) => name.search(ANYWHERE) === -1))
  const findIn = (text: string, test: (named: string, end: number) => boolean): boolean => {
    const named = text.length < LONGEST_NAME ? text.normalize('NFKC') : text
    // Nearly every text of a tenant without such names ends here.
    if (names.size === 0 && !MAY_MATCH.test(named)) return false
    return TOKEN.test(named) || findName(named, names, (end) => test(named, end))
  }
  return {
    isComplete: true,
    isSensitive: (text) => findIn(text, () => true),
    isSecret: (text) => findIn(text, isAssigned),
  }
})

/** The folded names of the attributes, and of their sub-attributes, that are never returned. */
function* neverReturned(attributes: readonly Discovery.Attribute[]): Generator<string> {
  for (const { name, returned, mutability, subAttributes = [] } of attributes) {
    if (returned === 'never' || mutability === 'writeOnly') yield fold(name)
    yield* neverReturned(subAttributes)
  }
}

/**
 * Whether a text has a sensitive name for whose end a test returns true. The time is linear in the text, and does not
 * depend on the number of names.
 */
function findName(
  text: string,
  names: ReadonlySet<string>,
  test: (end: number) => boolean,
): boolean {
  for (const match of text.matchAll(ANYWHERE)) {
    if (test(match.index + match[0].length)) return true
  }
  for (const match of text.matchAll(WORD)) {
    const [word] = match
    if (!names.has(fold(word)) && !hasSensitivePart(word)) continue
    if (test(match.index + word.length)) return true
  }
  return false
}

/** Whether one of the words a name consists of is sensitive, as in `userPin` and `OTP_CODE`. */
function hasSensitivePart(name: string): boolean {
  if (!MAY_HAVE_PART.test(name)) return false
  return name.match(PART)?.some((part) => PARTS.has(part.toLowerCase())) === true
}

function isAssigned(text: string, end: number): boolean {
  ASSIGNMENT.lastIndex = end
  return ASSIGNMENT.test(text)
}

/** Replaces the tokens in a text. */
export function maskTokens(text: string): string {
  return TOKEN.test(text) ? text.replaceAll(new RegExp(TOKEN, 'gi'), MASK) : text
}

/** The text in place of a sensitive value. */
export const MASK = '***'
/** The names that are sensitive also as a part of a word. `private` is also a type, as in `[type eq "private"]`. */
const ANYWHERE =
  /passw(?:or)?d|passphrase|pwd|secret|token|credential|authorization|(?:api|private)[-_ ]?key|(?<![\w$"'-])private(?![\w$"'-])|"private"(?=\s{0,9}:)/gi
/** A part of each sensitive text, except of one with a name of a tenant. */
const MAY_MATCH = /pass|pwd|secret|token|credential|authorization|key|private|pin|otp|\.[\w-]{10}/i
/** The names that are sensitive only as a whole word: they are parts of many others, such as `opinion`. */
const PARTS = new Set(['pin', 'pins', 'pass', 'passcode', 'passkey', 'otp', 'otps', 'totp'])
const MAY_HAVE_PART = /pin|pass|otp/i
/** A name of an attribute (RFC 7643 §2.1), and the words in it. */
const WORD = /[\w$-]+/g
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** The text after the name of an assigned or compared value, and after that in the first line of a PEM file. */
const ASSIGNMENT =
  /-----|[\w"'\s]{0,20}[=:]|[\w"'\s.()[\]]{0,20}\s(?:eq|ne|co|sw|ew|gt|ge|lt|le)\s{1,9}["'\d-]/iy
/** A token of this server, an access token of it, or a JSON Web Token. */
const TOKEN =
  /(?<![\w-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|oauth\.[\w-]+)\.[\w-]{43}|(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/i
/** A longer text is not normalized, because that needs memory. */
const LONGEST_NAME = 4_096
