import type { Fault } from '../../fault.ts'

/** The kind of a failure by the SQLSTATE, the network code or the message of an error, or null. */
export function faultOf(error: Error): Fault | null {
  const { code } = error as { readonly code?: unknown }
  const fault = typeof code === 'string' ? FAULTS.get(code) : undefined
  return fault ?? (GONE.test(error.message) ? 'unavailable' : null)
}

/** The name of the constraint that a statement violated, or null. */
export function violatedKey(error: Error): string | null {
  const { constraint } = error as { readonly constraint?: unknown }
  return typeof constraint === 'string' ? constraint : null
}

/** The messages of the driver, without a code, for a lost or failed connection. */
const GONE =
  /connection (?:terminated|ended|timeout)|timeout exceeded|query read timeout|not queryable/i

const FAULTS: ReadonlyMap<string, Fault> = new Map([
  // SQLSTATE; https://www.postgresql.org/docs/current/errcodes-appendix.html
  ['23505', 'unique'],
  // A value with U+0000, such as in a filter.
  ['22021', 'text'],
  // A late cancellation for one client stopped the statement of the next on the same connection.
  ['57014', 'busy'],
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['08000', 'unavailable'],
  ['08001', 'unavailable'],
  ['08003', 'unavailable'],
  ['08004', 'unavailable'],
  ['08006', 'unavailable'],
  ['53100', 'full'],
  ['53300', 'unavailable'],
  ['57P01', 'unavailable'],
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'],
  // A write on a server that has become a read replica.
  ['25006', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'],
  ['EHOSTUNREACH', 'unavailable'],
  ['ENETUNREACH', 'unavailable'],
  ['ETIMEDOUT', 'unavailable'],
])
