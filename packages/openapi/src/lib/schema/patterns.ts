import { isObject, type JsonObject } from '../json/object.ts'

/** Why the flags of a regular expression change its meaning for a validator; null if they do not. */
export function flagFault(source: string, flags: string): string | null {
  // JSON Schema Core §6.4: a pattern is a source without flags. `g`, `d`, `u` and `v` match the same strings.
  return /[imsy]/.test(flags)
    ? `the flags of /${source}/${flags} cannot be represented in JSON Schema; write the pattern without flags, such as [Aa] for a letter of either case`
    : null
}

/**
 * Why a validator cannot compile the patterns of a schema's own keywords; null if it can.
 *
 * @see JSON Schema Core §6.4: patterns are compiled with the flag `u`.
 */
export function patternFault({ pattern, patternProperties }: JsonObject): string | null {
  const keys = isObject(patternProperties) ? Object.keys(patternProperties) : []
  for (const source of typeof pattern === 'string' ? [pattern, ...keys] : keys) {
    try {
      new RegExp(source, 'u')
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
      return `the pattern ${source} does not compile with the flag u (${why}); remove the escapes that are not needed, and escape brackets and braces`
    }
  }
  return null
}
