/** Bases that the URL parser may change. */
export const BASES = [
  'https://Example.com/',
  'https://example.com:443/',
  'https://user@example.com/',
  'https://example.com/a/../b/',
  'https://example.com/ü/',
  'https://example.com/?q',
  'https://127.1/',
  'HTTPS://example.com/',
  'ftp://example.com/',
] as const

/** Slugs that are not appended to the base unchanged. */
export const SLUGS = [
  '/a',
  '//other.example/a',
  '../a',
  './a',
  'urn:a',
  'a b',
  'ä',
  '?q',
  '#f',
  '',
] as const
