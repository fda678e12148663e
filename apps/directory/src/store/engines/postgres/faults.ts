import type { Fault } from '../../fault.ts'

/** Classifies an error by its SQLSTATE, network code or message; null if unknown. */
export function faultOf(error: Error): Fault | null {
  const { code } = error as { readonly code?: unknown }
  const fault = typeof code === 'string' ? FAULTS.get(code) : undefined
  return fault ?? (GONE.test(error.message) ? 'unavailable' : null)
}

/**
 * The name of the constraint a statement violated, or null. Citus forwards only a worker's error code and
 * message, and the name in the message ends in a shard number.
 */
export function violatedKey(error: Error): string | null {
  const { constraint, code } = error as { readonly constraint?: unknown; readonly code?: unknown }
  if (typeof constraint === 'string') return constraint
  return code === UNIQUE_VIOLATION ? (QUOTED_KEY.exec(error.message)?.[1] ?? null) : null
}

/** Whether the server does not know a prepared statement's name, or knows it from another connection; else null. */
export function isLostName(error: Error): true | null {
  const { code } = error as { readonly code?: unknown }
  return code === UNKNOWN_NAME || code === TAKEN_NAME ? true : null
}

const UNIQUE_VIOLATION = '23505'
const UNKNOWN_NAME = '26000'
const TAKEN_NAME = '42P05'
/** The first name in quotes: the server may write messages in any language. */
const QUOTED_KEY = /["»«]\s?(\w+?)(?:_\d+)?\s?["«»]/

/** Messages from the driver and Citus, without a code, about a lost or failed connection. */
const GONE =
  /connection (?:terminated|ended|timeout|marked as essential)|timeout exceeded|query read timeout|not queryable|could not commit transaction for shard/i

const FAULTS: ReadonlyMap<string, Fault> = new Map([
  // SQLSTATE; https://www.postgresql.org/docs/current/errcodes-appendix.html
  [UNIQUE_VIOLATION, 'unique'],
  // A value with U+0000, such as in a filter.
  ['22021', 'text'],
  // A late cancellation for one client stopped the statement of the next on the same connection.
  ['57014', 'busy'],
  ['40001', 'busy'],
  // A retry runs the statement without a name.
  [UNKNOWN_NAME, 'busy'],
  [TAKEN_NAME, 'busy'],
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
