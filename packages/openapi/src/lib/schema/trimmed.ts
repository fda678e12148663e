import { addPattern } from './formats.ts'

/**
 * Describes a length or a pattern checked after the string was trimmed. The document accepts no string the check
 * rejects: it describes trimmed strings, except for a minimum length, which a pattern describes exactly.
 */
export function addTrimmed(json: Record<string, unknown>, minLength: number | null): void {
  if (minLength === null) addPattern(json, TRIMMED)
  else if (minLength === 1) addPattern(json, '\\S')
  else if (minLength > 1) addPattern(json, `\\S[\\s\\S]{${minLength - 2},}\\S`)
}

const TRIMMED = '^(?:\\S(?:[\\s\\S]*\\S)?)?$'
