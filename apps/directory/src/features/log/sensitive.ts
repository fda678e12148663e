import { fold } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { hasToken } from '../../kernel/mask-tokens.ts'
import { memoize } from '../../kernel/memoize.ts'
import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'

/** Recognizes sensitive values from a tenant's clients. Letter case and compatibility characters do not matter. */
export interface Sensitivity {
  /** Whether the tenant's own names are known. Without a valid token, any attribute may be sensitive. */
  readonly isComplete: boolean
  /**
   * Whether a text contains a token or a sensitive attribute's name: one a definition never returns, or one that looks
   * like a password or a secret.
   */
  isSensitive(text: string): boolean
  /**
   * Whether a text contains the name of a complex attribute with a sensitive sub-attribute. A client may send the
   * sub-attribute's value in place of the complex value.
   */
  isComplex(text: string): boolean
  /** Whether a text contains a token, or a sensitive name with a value, as in `pin=…` and `pin eq "…"`. */
  isSecret(text: string): boolean
}

/**
 * Returns the sensitivity for resource types, including their tenant's extensions. Pass null for a request without a
 * valid token, whose tenant isn't known.
 */
export function sensitivityOf(types: readonly ResourceType[] | null): Sensitivity {
  return types === null
    ? { ...sensitivities.get(RESOURCE_TYPES), isComplete: false }
    : sensitivities.get(types)
}

const sensitivities = memoize((types: readonly ResourceType[]): Sensitivity => {
  const definitions = types.flatMap((type) => Object.values(type.definitions))
  const never = definitions.flatMap(({ attributes }) => [...neverReturned(attributes)])
  const complex = new Set(definitions.flatMap(({ attributes }) => complexNames(attributes)))
  const names = new Set(never.filter((name) => name.search(ANYWHERE) === -1))
  const findIn = (text: string, test: (named: string, end: number) => boolean): boolean => {
    const named = text.length < MAX_NAME_LENGTH ? text.normalize('NFKC') : text
    // For tenants without such names, nearly every text ends here.
    if (names.size === 0 && !MAY_MATCH.test(named)) return false
    return hasToken(named) || findName(named, names, (end) => test(named, end))
  }
  return {
    isComplete: true,
    isSensitive: (text) => findIn(text, () => true),
    isComplex: (text) =>
      complex.size > 0 && (text.match(WORD) ?? []).some((word) => complex.has(fold(word))),
    isSecret: (text) => findIn(text, isAssigned),
  }
})

/** Yields the folded names of attributes and sub-attributes that are never returned. */
function* neverReturned(attributes: readonly Discovery.Attribute[]): Generator<string> {
  for (const { name, returned, mutability, subAttributes = [] } of attributes) {
    if (returned === 'never' || mutability === 'writeOnly') yield fold(name)
    yield* neverReturned(subAttributes)
  }
}

/** The folded names of complex attributes with a sub-attribute that is never returned. */
function complexNames(attributes: readonly Discovery.Attribute[]): readonly string[] {
  return attributes
    .filter(({ subAttributes = [] }) => !neverReturned(subAttributes).next().done)
    .map(({ name }) => fold(name))
}

/**
 * Whether a text has a sensitive name whose end satisfies `test`. Runs in linear time, whatever the number of names.
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

/** Whether a word within a name is sensitive, as in `userPin` and `OTP_CODE`. */
function hasSensitivePart(name: string): boolean {
  if (!MAY_HAVE_PART.test(name)) return false
  return name.match(PART)?.some((part) => PARTS.has(fold(part))) === true
}

function isAssigned(text: string, end: number): boolean {
  ASSIGNMENT.lastIndex = end
  return ASSIGNMENT.test(text)
}

/** Names that are sensitive even within a word. `private` is also a type, as in `[type eq "private"]`. */
const ANYWHERE =
  /passw(?:or)?d|passphrase|pwd|secret|token|credential|authorization|(?:api|private)[-_ ]?key|(?<![\w$"'-])private(?![\w$"'-])|"private"(?=\s{0,9}:)/gi
/** Every sensitive text contains one of these, unless its name is a tenant's own. */
const MAY_MATCH = /pass|pwd|secret|token|credential|authorization|key|private|pin|otp|\.[\w-]{10}/i
/** Names that are sensitive only as a whole word: they are parts of many others, such as `opinion`. */
const PARTS = new Set(['pin', 'pins', 'pass', 'passcode', 'passkey', 'otp', 'otps', 'totp'])
const MAY_HAVE_PART = /pin|pass|otp/i
/** An attribute name (RFC 7643 §2.1), and the words in it. */
const WORD = /[\w$-]+/g
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** The text after an assigned or compared value's name, or after the name in a PEM file's first line. */
const ASSIGNMENT =
  /-----|[\w"'\s]{0,20}[=:]|[\w"'\s.()[\]]{0,20}\s(?:eq|ne|co|sw|ew|gt|ge|lt|le)\s{1,9}["'\d-]/iy
/** A longer text is not normalized, because that needs memory. */
const MAX_NAME_LENGTH = 4_096
