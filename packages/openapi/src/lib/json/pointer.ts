/** The JSON Pointer of a path (RFC 6901 §3). */
export function pointerOf(path: readonly (string | number)[]): string {
  let pointer = ''
  for (const step of path) pointer += `/${escaped(String(step))}`
  return pointer
}

/** The last name of a reference such as `#/$defs/Book`: percent-decoding, then ~1 and ~0. */
export function nameInReference(reference: string, prefix: string): string | null {
  if (!reference.startsWith(prefix)) return null
  return decoded(reference.slice(prefix.length)).replaceAll('~1', '/').replaceAll('~0', '~')
}

function escaped(step: string): string {
  return step.includes('~') || step.includes('/')
    ? step.replaceAll('~', '~0').replaceAll('/', '~1')
    : step
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
