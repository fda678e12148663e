/** A step from a value to one of its parts: the name of a member or an element's index. */
export type Step = string | number

/** The last name of a reference such as `#/$defs/Book`: percent-decoding, then ~1 and ~0. */
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
