import { kindOf } from '@plumbline/base'
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
