import { isJsonObject, own } from '@plumbline/base'

/**
 * Removes a format from a schema's own keywords if its pattern accepts a string the format rejects: the library
 * interprets the format differently, and the pattern describes it exactly.
 */
export function removeForeignFormat(json: Record<string, unknown>): void {
  const strings = typeof json.format === 'string' ? FOREIGN.get(json.format) : undefined
  if (strings === undefined) return
  const patterns = patternsOf(json).map(compile)
  if (patterns.length === 0 || patterns.includes(null)) return
  const isForeign = strings.some((text) => patterns.every((pattern) => pattern?.test(text)))
  if (isForeign) delete json.format
}

function patternsOf({ pattern, allOf }: Readonly<Record<string, unknown>>): readonly string[] {
  const parts = Array.isArray(allOf) ? allOf.filter(isJsonObject) : []
  const patterns = [pattern, ...parts.map((part) => part.pattern)]
  return patterns.filter((one) => typeof one === 'string')
}

/** Compiles a pattern; null if it is invalid, which fails the build. */
function compile(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

/** Adds a pattern to a schema's own keywords, once. */
export function addPattern(json: Record<string, unknown>, pattern: string): void {
  if (patternsOf(json).includes(pattern)) return
  if (json.pattern === undefined && json.allOf === undefined) json.pattern = pattern
  else json.allOf = [...(Array.isArray(json.allOf) ? json.allOf : []), { pattern }]
}

/** Replaces a pattern among a schema's own keywords. */
export function replacePattern(json: Record<string, unknown>, from: string, to: string): void {
  if (json.pattern === from) json.pattern = to
  if (!Array.isArray(json.allOf)) return
  json.allOf = json.allOf.map((part) => (own(part, 'pattern') === from ? { pattern: to } : part))
}

/** Escapes a string for a pattern. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Makes a pattern case-insensitive without a flag. It may not name groups or code points. */
export function inAnyCase(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\p{L}/gu, (part) => {
    if (part.startsWith('\\')) return part
    if (!part.startsWith('[')) return bothCases(part) === part ? part : `[${bothCases(part)}]`
    return part.replace(/\\.|\p{L}(?:-\p{L})?/gu, (one) =>
      one.startsWith('\\') ? one : bothCases(one),
    )
  })
}

/** Writes a letter or range in both letter cases, for a character class. */
function bothCases(letters: string): string {
  const all = new Set([letters, letters.toLowerCase(), letters.toUpperCase()])
  // A letter's capital may be two letters.
  return [...all].filter((one) => one.length === letters.length).join('')
}

/** Strings rejected by a format in JSON Schema Validation §7.3, but accepted by a library's format with that name. */
const FOREIGN: ReadonlyMap<string, readonly string[]> = new Map([
  // RFC 3339 §5.6: an hour, a minute and a second on an existing day, with an offset.
  [
    'date-time',
    ['2026-01-01T00:00', '2026-01-01T00:00:00', '2026-01-01T00:00:00+0200', '2026-02-30T00:00:00Z'],
  ],
  ['date', ['2026-02-30', '20260101']],
  ['time', ['12:00', '12:00:00']],
  // RFC 3339 Appendix A: integers, without mixing weeks and days.
  ['duration', ['PT0.5S', 'P1W1D', '-P1D']],
  // RFC 5321 §4.1.2: a Mailbox in ASCII, whose dots separate atoms.
  ['email', ['a..b@example.com', '.a@example.com', 'a@-b.example', 'é@example.com']],
  ['hostname', ['example.com.', '-a.example', 'a_b.example']],
  ['ipv4', ['01.2.3.4', '256.1.1.1', '1.2.3']],
  // RFC 4291 §2.2, without a zone.
  ['ipv6', ['fe80::1%eth0', '1::2::3', '12345::']],
  ['uri', ['https://example.com/ä', '/a']],
  ['uuid', ['123e4567e89b12d3a456426614174000', '{123e4567-e89b-12d3-a456-426614174000}']],
])

// IPv6address (RFC 3986 §3.2.2)
const H16 = '[\\da-fA-F]{1,4}'
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const LS32 = `(?:${H16}:${H16}|${OCTET}(?:\\.${OCTET}){3})`
const ADDRESS = [
  `(?:${H16}:){6}${LS32}`,
  `::(?:${H16}:){5}${LS32}`,
  ...[4, 3, 2, 1, 0].map(
    (after, before) => `(?:(?:${H16}:){0,${before}}${H16})?::(?:${H16}:){${after}}${LS32}`,
  ),
  `(?:(?:${H16}:){0,5}${H16})?::${H16}`,
  `(?:(?:${H16}:){0,6}${H16})?::`,
].join('|')

/** The addresses URL parsers accept, including those with an IPv4 address at the end. */
export const IPV6: string = `^(?:${ADDRESS})$`

/** Such an address with a prefix length (RFC 4291 §2.3). */
export const CIDR_V6: string = `^(?:${ADDRESS})/(?:12[0-8]|1[01]\\d|[1-9]?\\d)$`
