import { parseUrlencoded } from '../http/urlencoded.ts'
import type { ApiKeySecurityScheme, SecurityScheme } from '../openapi.ts'

/** The credentials in a request: absent, ambiguous or malformed, or as they were sent. */
export type SentCredentials =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'sent'; readonly credentials: Readonly<Record<string, string>> }

/** Reads a security scheme's credentials from a request. They must be sent in only one way. */
export function readCredentials(scheme: SecurityScheme, request: Request): SentCredentials {
  if (scheme.type === 'mutualTLS') return { kind: 'sent', credentials: {} }
  if (scheme.type === 'apiKey') return readApiKey(scheme, request)
  const name = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
  const header = request.headers.get('Authorization') ?? ''
  const [sent = ''] = header.split(' ', 1)
  if (sent.toLowerCase() !== name) return ABSENT
  const text = header.slice(sent.length).trim()
  if (name === 'bearer') return readBearer(text, request)
  if (name === 'basic') return readBasic(text)
  return text === '' ? MALFORMED : { kind: 'sent', credentials: { credentials: text } }
}

// RFC 6750 §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
function readBearer(text: string, request: Request): SentCredentials {
  // Two headers arrive as one, with a comma a token cannot contain.
  if (!/^[\w.~+/-]+=*$/.test(text)) return MALFORMED
  // RFC 6750 §2: a client must not send the token in more than one way.
  const isRepeated = queryValues(request, 'access_token').length > 0
  return isRepeated ? MALFORMED : { kind: 'sent', credentials: { token: text } }
}

// RFC 7617 §2: user-id and password, without control characters, separated by the first colon.
function readBasic(text: string): SentCredentials {
  const pair = decodeBase64(text)
  const colon = pair?.indexOf(':') ?? -1
  if (pair === null || colon < 0 || CONTROL.test(pair)) return MALFORMED
  return {
    kind: 'sent',
    credentials: { username: pair.slice(0, colon), password: pair.slice(colon + 1) },
  }
}

function decodeBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function readApiKey({ in: place, name }: ApiKeySecurityScheme, request: Request): SentCredentials {
  const [key, ...others] = valuesOf[place](request, name)
  if (key === undefined || key === '') return others.length > 0 ? MALFORMED : ABSENT
  // A repeated header arrives as one value with a comma.
  const isRepeated = others.length > 0 || (place === 'header' && key.includes(','))
  return isRepeated ? MALFORMED : { kind: 'sent', credentials: { key } }
}

const valuesOf: Readonly<
  Record<ApiKeySecurityScheme['in'], (request: Request, name: string) => readonly string[]>
> = {
  header: ({ headers }, name) => {
    const value = headers.get(name)
    return value === null ? [] : [value]
  },
  query: queryValues,
  cookie: cookieValues,
}

function queryValues({ url }: Request, wanted: string): readonly string[] {
  const [target = ''] = url.split('#', 1)
  const from = target.indexOf('?')
  if (from < 0) return []
  // Bytes that aren't UTF-8 never match a key: they are replaced under every name.
  const decode = (part: string) => new URLSearchParams(`=${part}`).get('') ?? ''
  return [parseUrlencoded(target.slice(from + 1), [], decode).get(wanted) ?? []].flat()
}

// RFC 6265 §4.2.1: cookie-pair *( ";" SP cookie-pair )
function cookieValues({ headers }: Request, wanted: string): readonly string[] {
  return (headers.get('Cookie') ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== wanted) return []
    const value = pair.slice(equals + 1).trim()
    return [value.replace(/^"([^"]*)"$/, '$1')]
  })
}

// CTL = %x00-1F / %x7F
const CONTROL = /[^ -~\u0080-\uFFFF]/

const ABSENT: SentCredentials = { kind: 'absent' }
const MALFORMED: SentCredentials = { kind: 'malformed' }
