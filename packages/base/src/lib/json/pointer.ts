/** A step from a value to one part: a member name or an element's index. */
export type Step = string | number

/** Returns the last name in a reference such as `#/$defs/Book`, decoding percent signs, then ~1 and ~0. */
export function nameInReference(reference: string, prefix: string): string | null {
  if (!reference.startsWith(prefix)) return null
  return decodePercent(reference.slice(prefix.length)).replaceAll('~1', '/').replaceAll('~0', '~')
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where a JSON Schema has its definitions (JSON Schema 2020-12 Core §8.2.4). */
export const DEFINITIONS: string = '#/$defs/'
