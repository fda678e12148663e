import { isJsonObject } from './json/object.ts'

/** The requirement for an option: a noun phrase for messages, a test, and whether it must be given. */
export type Form = readonly [
  wanted: string,
  isValid: (value: unknown) => boolean,
  isRequired?: boolean,
]

/** The form of each option a function accepts. */
export type Forms<Options> = Readonly<Record<keyof Options, Form>>

/**
 * Throws a TypeError naming the first option that is unknown, missing or of another form. A JavaScript program, and an
 * object spread in TypeScript, may set any name to any value.
 *
 * @param owner the function that accepts the options, such as `createSender`
 */
export function requireOptions<Options>(
  owner: string,
  options: unknown,
  forms: Forms<Options>,
): void {
  if (!isJsonObject(options)) throw optionFault(`the options of ${owner}`, 'an object', options)
  for (const name of Object.keys(options)) {
    if (options[name] === undefined || Object.hasOwn(forms, name)) continue
    const known = Object.keys(forms).join(', ')
    throw new TypeError(`${owner}: the option ${name} is unknown; expected ${known}`)
  }
  for (const [name, [wanted, isValid, isRequired]] of Object.entries<Form>(forms)) {
    const value = options[name]
    if (value === undefined ? !isRequired : isValid(value)) continue
    throw optionFault(`${owner}: ${name}`, wanted, value)
  }
}

/** The error for an invalid option. It shows numbers and strings, unless the string may be a secret. */
export function optionFault(place: string, wanted: string, found: unknown): TypeError {
  return new TypeError(`${place} must be ${wanted}, not ${shown(found, CODE.test(wanted))}`)
}

function shown(found: unknown, mayBeSecret: boolean): string {
  if (typeof found === 'number') return `${found}`
  return typeof found === 'string' && !mayBeSecret
    ? JSON.stringify(found.slice(0, MAX_SHOWN_LENGTH))
    : kindOf(found)
}

/** How much of a string (in code units) a message shows. */
const MAX_SHOWN_LENGTH = 200

/** Where a function or an object is wanted, a program may write the secret itself, as in `bearerTokens(token)`. */
const CODE = /^an? (?:function|object)/

/** The kind of a value, which may be secret itself. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Error) return 'an Error'
  if (value instanceof Response) return 'a Response'
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const isString = (value: unknown): boolean => typeof value === 'string'

export const FUNCTION: Form = ['a function', (value) => typeof value === 'function']
export const OBJECT: Form = ['an object', isJsonObject]
export const BOOLEAN: Form = ['a boolean', (value) => typeof value === 'boolean']
export const STRING: Form = ['a string', isString]
export const LIST: Form = ['a list', Array.isArray]
export const STRINGS: Form = [
  'a list of strings',
  (value) => Array.isArray(value) && value.every(isString),
]

/** The form of a required option. */
export function required([wanted, isValid]: Form): Form {
  return [wanted, isValid, true]
}

/** The form of a string with few values. */
export function oneOf(...values: readonly string[]): Form {
  return [`one of ${values.join(', ')}`, (value) => values.some((one) => one === value)]
}

/** The form of a whole number. */
export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): Form {
  const isWithin = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
  const end = most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`
  return [`a whole number of at least ${least}${end}`, isWithin]
}
