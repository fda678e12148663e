/**
 * Writes a path as a JSON Pointer (RFC 6901 §3). Omits the last steps if the pointer would exceed `longest` characters.
 *
 * @example
 * ```ts
 * import { pointerOf } from '@plumbline/problem/core'
 *
 * pointerOf(['paths', '/books', 0]) //=> '/paths/~1books/0'
 * ```
 */
export function pointerOf(
  path: readonly PropertyKey[],
  longest: number = Number.POSITIVE_INFINITY,
): string {
  let pointer = ''
  for (const step of path) {
    const longer = `${pointer}/${escapeStep(String(step))}`
    if (longer.length > longest) return pointer
    pointer = longer
  }
  return pointer
}

function escapeStep(step: string): string {
  return step.includes('~') || step.includes('/')
    ? step.replaceAll('~', '~0').replaceAll('/', '~1')
    : step
}
