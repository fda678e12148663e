import { optionFault } from '@plumbline/base'
import { isJsonObject } from '../../json.ts'

/** The requirement for an option. */
export interface Form {
  /** The message's noun. */
  readonly wanted: string
  readonly isValid: (value: unknown) => boolean
  readonly isRequired?: boolean
}

/** The form of each option a function accepts. */
export type Forms<Options> = Readonly<Record<keyof Options, Form>>

/**
 * Throws a TypeError naming the first option that is unknown, missing or of another form. A JavaScript program, and an
 * object spread in TypeScript, may set any name to any value.
 *
 * @param owner the function that accepts the options, such as `sqlStore`
 * @param prefix what precedes the option's name in a message
 */
export function requireOptions<Options>(
  owner: string,
  options: unknown,
  forms: Forms<Options>,
  prefix: string = `${owner}: `,
): void {
  requireMembers(`the options of ${owner}`, options, forms, prefix)
}

/** Checks an option that is an object, such as `me`, as `requireOptions` does. */
export function requireMembers<Options>(
  place: string,
  value: unknown,
  forms: Forms<Options>,
  prefix: string = `${place}.`,
): void {
  if (!isJsonObject(value)) throw optionFault(place, 'an object', value)
  const known = Object.keys(forms)
  const unknown = Object.keys(value).find(
    (name) => value[name] !== undefined && !known.includes(name),
  )
  if (unknown !== undefined) throw unknownOption(`${prefix}${unknown}`, unknown, known)
  for (const [name, { wanted, isValid, isRequired = false }] of Object.entries<Form>(forms)) {
    const member = value[name]
    if (member === undefined ? !isRequired : isValid(member)) continue
    throw optionFault(`${prefix}${name}`, wanted, member)
  }
}

/** The error for an unknown name. It suggests a known name, or lists all. */
export function unknownOption(place: string, name: string, known: readonly string[]): TypeError {
  const near = known.find((one) => isNear(one.toLowerCase(), name.slice(0, 100).toLowerCase()))
  const hint = near === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${near}?`
  return new TypeError(`${place} is unknown: ${hint}`)
}

/** Whether at most this many insertions, deletions and changes of a letter turn one name into the other. */
function isNear(a: string, b: string, edits = Math.min(2, a.length - 2)): boolean {
  if (a[0] === b[0]) return a === '' || isNear(a.slice(1), b.slice(1), edits)
  const steps = [
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const
  return edits > 0 && steps.some(([i, j]) => isNear(a.slice(i), b.slice(j), edits - 1))
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isString = (value: unknown): boolean => typeof value === 'string' && value !== ''

export const FUNCTION: Form = { wanted: 'a function', isValid: isFunction }
export const OBJECT: Form = { wanted: 'an object', isValid: isJsonObject }
export const BOOLEAN: Form = { wanted: 'a boolean', isValid: (value) => typeof value === 'boolean' }
export const STRING: Form = { wanted: 'a string that is not empty', isValid: isString }
export const STRINGS: Form = {
  wanted: 'a list of strings',
  isValid: (value) => Array.isArray(value) && value.every(isString),
}
/** An option that is checked elsewhere. */
export const ANY: Form = { wanted: '', isValid: () => true }

/** The form of an option that must be given. */
export function required(form: Form): Form {
  return { ...form, isRequired: true }
}

/** The form of a string with few values. */
export function oneOf(values: readonly string[]): Form {
  const wanted = `one of ${values.join(', ')}`
  return { wanted, isValid: (value) => values.some((one) => one === value) }
}
