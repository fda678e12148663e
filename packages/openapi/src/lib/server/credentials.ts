import { type Incoming, queryOf } from '@plumbline/base'
import { parseUrlencoded } from '../http/urlencoded.ts'
import type { ApiKeySecurityScheme, SecurityScheme } from '../openapi.ts'

/** The credentials of a scheme, with the names the verifier knows. */
export interface SentCredentials {
  token?: string
  username?: string
  password?: string
  key?: string
  credentials?: string
}

/** Whether credentials were sent, in only one way and well-formed. */
export type Sent = 'absent' | 'malformed' | 'sent'

/** Reads a security scheme's credentials from a request into an object. */
export function readCredentials(
  scheme: SecurityScheme,
  request: Incoming,
  into: SentCredentials,
): Sent {
  if (scheme.type === 'mutualTLS') return 'sent'
  if (scheme.type === 'apiKey') return readApiKey(scheme, request, into)
  const name = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
  const header = request.headers.get('Authorization') ?? ''
  const space = header.indexOf(' ')
  const end = space < 0 ? header.length : space
  if (header.slice(0, end).toLowerCase() !== name) return 'absent'
  const text = header.slice(end).trim()
  if (name === 'bearer') return readBearer(text, request, into)
  if (name === 'basic') return readBasic(text, into)
  if (text === '') return 'malformed'
  into.credentials = text
  return 'sent'
}

// RFC 6750 §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
function readBearer(text: string, request: Incoming, into: SentCredentials): Sent {
  // Two headers arrive as one, with a comma a token cannot contain.
  if (!/^[\w.~+/-]+=*$/.test(text)) return 'malformed'
  // RFC 6750 §2: a client must not send the token in more than one way.
  if (queryValues(request, 'access_token').length > 0) return 'malformed'
  into.token = text
  return 'sent'
}

// RFC 7617 §2: user-id and password, without control characters, separated by the first colon.
function readBasic(text: string, into: SentCredentials): Sent {
  const pair = decodeBase64(text)
  const colon = pair?.indexOf(':') ?? -1
  if (pair === null || colon < 0 || CONTROL.test(pair)) return 'malformed'
  into.username = pair.slice(0, colon)
  into.password = pair.slice(colon + 1)
  return 'sent'
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

function readApiKey(
  { in: place, name }: ApiKeySecurityScheme,
  request: Incoming,
  into: SentCredentials,
): Sent {
  const [key, ...others] = valuesOf[place](request, name)
  if (key === undefined || key === '') return others.length > 0 ? 'malformed' : 'absent'
  // A repeated header arrives as one value with a comma.
  if (others.length > 0 || (place === 'header' && key.includes(','))) return 'malformed'
  into.key = key
  return 'sent'
}

const valuesOf: Readonly<
  Record<ApiKeySecurityScheme['in'], (request: Incoming, name: string) => readonly string[]>
> = {
  header: ({ headers }, name) => {
    const value = headers.get(name)
    return value === null ? [] : [value]
  },
  query: queryValues,
  cookie: cookieValues,
}

function queryValues(request: Incoming, wanted: string): readonly string[] {
  const query = queryOf(request)
  if (query === null) return []
  // Bytes that aren't UTF-8 never match a key: they are replaced under every name.
  const decode = (part: string) => new URLSearchParams(`=${part}`).get('') ?? ''
  return [parseUrlencoded(query, [], decode).get(wanted) ?? []].flat()
}

// RFC 6265 §4.2.1: cookie-pair *( ";" SP cookie-pair )
function cookieValues({ headers }: Incoming, wanted: string): readonly string[] {
  return (headers.get('Cookie') ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== wanted) return []
    const value = pair.slice(equals + 1).trim()
    return [value.replace(/^"([^"]*)"$/, '$1')]
  })
}

// CTL = %x00-1F / %x7F
const CONTROL = /[^ -~\u0080-\uFFFF]/
