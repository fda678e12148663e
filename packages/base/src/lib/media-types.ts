/** A media type or range from a header or a spec. */
export interface MediaRange {
  /** `type/subtype` in lower case, without parameters. */
  readonly range: string
  /** The weight in an Accept header, 0 to 1; defaults to 1 (RFC 9110 §12.4.2). */
  readonly weight: number
}

/** Parses one media type or range. Never fails: invalid text becomes a name without matches. */
export function parseMediaRange(text: string): MediaRange {
  const weight = Number(parameterOf(text, 'q') ?? 1)
  return { range: mediaTypeOf(text), weight: weight > 0 && weight <= 1 ? weight : 0 }
}

/** Returns a media type's parameter without quotes; null if it is absent. The name is in lower case. */
export function parameterOf(text: string, name: string): string | null {
  const [, ...parameters] = text.split(';')
  for (const parameter of parameters) {
    const [key = '', ...value] = parameter.split('=')
    if (key.trim().toLowerCase() === name) return value.join('=').trim().replace(QUOTES, '$1')
  }
  return null
}

/** A media type or range without parameters, in lower case. */
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

/** Returns a record's entries by media type in matching order: types, then ranges, then all types. */
export function byMediaRange<Value>(
  record: Readonly<Record<string, Value>>,
): (readonly [range: string, value: Value])[] {
  return Object.entries(record)
    .map(([type, value]) => [mediaTypeOf(type), value] as const)
    .sort(([a], [b]) => a.split('*').length - b.split('*').length)
}

/** Whether a media type, in lower case, is JSON: by name or suffix (RFC 6839 §3.1). */
export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

/** Whether a media type's bytes, in lower case, are not one text. */
export function isBinaryType(type: string): boolean {
  return BINARY.test(type) && !TEXT_SUFFIX.test(type)
}

const QUOTES = /^"([^"]*)"$/
const BINARY =
  /^(?:image|audio|video|font|model|multipart)\/|^application\/(?:octet-stream|pdf|wasm)$|[/+-](?:zip|gzip|zlib|zstd|cbor)$/
const TEXT_SUFFIX = /\+(?:xml|json|yaml)$/

/** The range for all types with the JSON suffix (RFC 6839 §3.1). */
const JSON_SUFFIX = '*+json'

/** The media types a body accepts if it has one schema rather than a record by media type. */
export const JSON_RANGES: readonly string[] = ['application/json', JSON_SUFFIX]

/** The range for all media types. */
export const ANY_TYPE = '*/*'

/** The two form media types. */
export const FORM = 'application/x-www-form-urlencoded'
export const MULTIPART = 'multipart/form-data'

/** The valid header names (RFC 9110 §5.6.2). */
export const TOKEN: RegExp = /^[\w!#$%&'*+.^`|~-]+$/
