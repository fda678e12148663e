import { own } from '../json.ts'
import { fold } from './fold.ts'

/**
 * The own member of an object, with its name in any letter case (RFC 7643 §2.1). The spelling of the
 * definition, `name`, is tried first. The other keys are searched only if that spelling is missing.
 */
export function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  const member = own(value, name)
  return member === undefined ? memberInOtherCase(value, name) : member
}

/** The own member whose name differs from `name` only in letter case, or undefined. */
export function memberInOtherCase(value: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Array.isArray(value)) return undefined
  for (const key in value) {
    // Folding keeps the length of an ASCII name, so most keys are excluded without folding them.
    if (key.length !== name.length || key === name || fold(key) !== fold(name)) continue
    if (Object.hasOwn(value, key)) return value[key]
  }
  return undefined
}
