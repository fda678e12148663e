/**
 * Tests for the formats from JSON Schema Validation §7.3 that schema libraries validate. They accept a little more than
 * the standards: a format without a pattern is only an annotation in a document.
 */
export const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['time', /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['hostname', /^[A-Za-z\d](?:[A-Za-z\d.-]*[A-Za-z\d])?$/],
  ['ipv4', /^\d{1,3}(?:\.\d{1,3}){3}$/],
  ['ipv6', /^[\da-fA-F:]+(?:[\d.]+)?$/],
  ['uri', /^[A-Za-z][A-Za-z\d+.-]*:[^\s]+$/],
  ['uuid', /^[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$/],
])
