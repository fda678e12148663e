/** The replacement for a sensitive value. */
export const MASK = '***'

/** Replaces the tokens in a text. */
export function maskTokens(text: string): string {
  return hasToken(text) ? text.replaceAll(new RegExp(TOKEN, 'gi'), MASK) : text
}

/** Whether a text contains a token or an access token from this server, or a JSON Web Token. */
export function hasToken(text: string): boolean {
  return TOKEN.test(text)
}

const TOKEN =
  /(?<![\w-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|oauth\.[\w-]+)\.[\w-]{43}|(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/i
