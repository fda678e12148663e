/** A media type or range of a header or a spec. */
export interface MediaRange {
  /** `type/subtype` in lower case, without parameters. */
  readonly range: string
  /** The weight in an Accept header, 0 to 1; 1 by default (RFC 9110 §12.4.2). */
  readonly weight: number
}

/** Parses one media type or range. Never fails: invalid text becomes a name that does not match. */
export function parseMediaRange(text: string): MediaRange {
  const weight = Number(parameterOf(text, 'q') ?? 1)
  return { range: mediaTypeOf(text), weight: weight > 0 && weight <= 1 ? weight : 0 }
}

/** The value of a parameter of a media type, without its quotes; null if it is absent. The name is in lower case. */
export function parameterOf(text: string, name: string): string | null {
  const [, ...parameters] = text.split(';')
  for (const parameter of parameters) {
    const [key = '', ...value] = parameter.split('=')
    if (key.trim().toLowerCase() === name) return value.join('=').trim().replace(QUOTES, '$1')
  }
  return null
}

/** A media type or range without its parameters, in lower case. */
export function mediaTypeOf(text: string): string {
  const end = text.indexOf(';')
  return (end < 0 ? text : text.slice(0, end)).trim().toLowerCase()
}

/** Whether a media range matches a media type, both in lower case. */
export function matchesRange(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true
  if (range === JSON_SUFFIX) return type.endsWith('+json')
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

/** The entries of a record by media type in the order of matching: types, then ranges, then all types. */
export function byMediaRange<Value>(
  record: Readonly<Record<string, Value>>,
): (readonly [range: string, value: Value])[] {
  return Object.entries(record)
    .map(([type, value]) => [mediaTypeOf(type), value] as const)
    .sort(([a], [b]) => a.split('*').length - b.split('*').length)
}

/** Whether a media type, in lower case, is JSON: by name or by the suffix of RFC 6839 §3.1. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

/** Whether the bytes of a media type, in lower case, are not one text. */
export function isBinaryType(type: string): boolean {
  return BINARY.test(type) && !TEXT_SUFFIX.test(type)
}

const QUOTES = /^"([^"]*)"$/
const BINARY =
  /^(?:image|audio|video|font|model|multipart)\/|^application\/(?:octet-stream|pdf|wasm)$|[/+-](?:zip|gzip|zlib|zstd|cbor)$/
const TEXT_SUFFIX = /\+(?:xml|json|yaml)$/

/** The range of all types with the suffix of RFC 6839 §3.1. */
const JSON_SUFFIX = '*+json'

/** The media types of a body with one schema instead of a record by media type. */
export const JSON_RANGES: readonly string[] = ['application/json', JSON_SUFFIX]

/** The range of all media types. */
export const ANY_TYPE = '*/*'

/** The two media types of forms. */
export const FORM = 'application/x-www-form-urlencoded'
export const MULTIPART = 'multipart/form-data'

/** The valid header names (RFC 9110 §5.6.2). */
export const TOKEN: RegExp = /^[\w!#$%&'*+.^`|~-]+$/
