import { isJsonObject, type JsonObject } from '@plumbline/base'
import type { Inexact } from './inexact.ts'

/** Finds flags that change a regular expression's meaning: JSON Schema cannot represent them. Null without any. */
export function flagFault(source: string, flags: string): Pick<Inexact, 'part' | 'remedy'> | null {
  // JSON Schema Core §6.4: a pattern is a source without flags. `g`, `d`, `u` and `v` match the same strings.
  return /[imsy]/.test(flags)
    ? { part: `the flags of /${source}/${flags}`, remedy: WITHOUT_FLAGS }
    : null
}

const WITHOUT_FLAGS = 'write the pattern without flags, such as [Aa] for a letter of either case'

/** A pattern validators cannot compile. */
export interface PatternFault {
  readonly pattern: string
  readonly reason: string
}

/**
 * Finds the first pattern in a schema's own keywords that validators cannot compile; null if all compile.
 *
 * @see JSON Schema Core §6.4: patterns are compiled with the flag `u`.
 */
export function patternFault({ pattern, patternProperties }: JsonObject): PatternFault | null {
  const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  for (const source of typeof pattern === 'string' ? [pattern, ...keys] : keys) {
    try {
      new RegExp(source, 'u')
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
      return { pattern: source, reason }
    }
  }
  return null
}
