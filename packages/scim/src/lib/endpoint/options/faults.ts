import { ScimError } from '../../error.ts'

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

// Application functions decide who gets in, and which resource a client is. In JavaScript they may return any value. A
// falsy value is a no, a value with the documented type is a yes, and any other value is an internal error.

/** Returns the client that `authenticate` found. Throws `401` for a falsy value. */
export function requireClient<Context>(returned: Context | null | undefined): Context {
  if (!returned) throw new ScimError(401, 'authentication is required')
  if (isContext(returned)) return returned
  throw new TypeError(
    `authenticate must return an object that describes the client, or null, not ${kindOf(returned)}`,
  )
}

/** Returns the id that `me.id` found. Throws `404` for a falsy value. */
export function requireOwnId(returned: unknown): string {
  if (!returned) throw new ScimError(404, 'the client does not belong to a user')
  if (typeof returned === 'string') return returned
  throw new TypeError(`me.id must return a string or null, not ${kindOf(returned)}`)
}

/**
 * Whether a value can be a client's context. Query rows, a returned error and a response are objects, too, but do not
 * describe a client.
 */
export function isContext(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return !(Array.isArray(value) || value instanceof Error || value instanceof Response)
}
