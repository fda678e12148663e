import { MASK, maskTokens } from './mask-tokens.ts'

/**
 * Replaces secrets in the answer of another server. Some receivers return the request that they got, and many
 * administrators may read their answers. An answer may be cut within a secret, and may encode it for JSON, a URL or HTML.
 */
export function hideSecrets(answer: string, secrets: readonly (string | null)[]): string {
  let text = maskTokens(answer).replaceAll(WELL_KNOWN, MASK)
  for (const secret of secrets) {
    if (secret === null || secret.length < MIN_LENGTH) continue
    text = text.replaceAll(patternOf(secret.replace(PREFIX, '')), MASK)
  }
  return text
}

/** Matches a secret, and its first characters at the end of a text. */
function patternOf(secret: string): RegExp {
  const characters = [...secret].map(formsOf)
  const start = characters.slice(0, MIN_LENGTH).join('')
  const rest = characters.slice(MIN_LENGTH).reduceRight((inner, one) => `(?:${one}${inner})?`, '')
  return new RegExp(`${characters.join('')}|${start}${rest}$`, 'g')
}

/** Returns the pattern of a character and of its encodings. Letters and digits are not encoded. */
function formsOf(character: string): string {
  if (/\w/.test(character)) return character
  const code = character.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const forms = [`\\\\?\\${character}`, `%${hex}`, `\\\\u00${hex}`, `&#0*${code};`, `&#x0*${hex};`]
  // Hexadecimal digits are written in both letter cases.
  const anyCase = forms.map((form) =>
    form.replaceAll(/[a-f](?=[0-9a-f]?(?:;|$))/g, (one) => `[${one}${one.toUpperCase()}]`),
  )
  return `(?:${anyCase.join('|')})`
}

/**
 * The secret of a webhook, its signature, the start of a JSON Web Token, and the credentials of an Authorization header:
 * a gateway may add its own. A signature's comma and the character before a token may be encoded, too.
 */
const WELL_KNOWN =
  /whsec_[\w+/=%\\&#;-]+|(?:\b|(?<=%(?:25)*[\da-f]{2}))(?:v1a?(?:,|%(?:25)*2c|\\u002c|&#(?:44|x2c);)[\w+/=%\\&#;-]{16,}|eyJ[\w-]{8,}(?:\.[\w-]*){0,2})|(?<=\b(?:bearer|basic)(?:\s|%20|\+){1,3})[\w.~+/=%\\-]{8,}/gi
const PREFIX = /^whsec_/
/** A shorter secret, or the shorter start of one, is part of ordinary texts. */
const MIN_LENGTH = 8
