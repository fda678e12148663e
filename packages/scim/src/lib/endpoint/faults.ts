/** The error for a store that violates `ResourceStore`. It names the store and the fault. */
export function storeFault(
  { name }: { readonly name: string },
  method: string,
  what: string,
): TypeError {
  return new TypeError(`the store of ${name} returned ${what} (${method})`)
}

/** Returns a store's verdict: true or false. Throws a TypeError for any other value. */
export function requireVerdict(
  type: { readonly name: string },
  method: string,
  value: unknown,
): boolean {
  if (typeof value === 'boolean') return value
  throw storeFault(type, method, `${kindOf(value)} instead of true or false`)
}

/** The error for an invalid option. It names the option. */
export function optionFault(name: string, wanted: string, found: unknown): TypeError {
  return new TypeError(`${name} must be ${wanted}, not ${shown(found, CODE.test(wanted))}`)
}

/** A number or a string, for messages about options. */
function shown(found: unknown, mayBeSecret: boolean): string {
  if (typeof found === 'number') return `${found}`
  return typeof found === 'string' && !mayBeSecret
    ? JSON.stringify(found.slice(0, 200))
    : kindOf(found)
}

/** Where a function or an object is wanted, a program may write the secret itself: `bearerTokens(token)`. */
const CODE = /^an? (?:function|object)/

/** The kind of a value, for messages. The value itself may be secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Error) return 'an Error'
  if (value instanceof Response) return 'a Response'
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
