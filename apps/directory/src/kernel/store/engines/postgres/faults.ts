import type { Fault } from '../../driver-errors.ts'

/** Classifies an error by SQLSTATE, network code or message; null if unknown. */
export function faultOf(error: Error): Fault | null {
  const { code } = error as { readonly code?: unknown }
  if (typeof code === 'string') {
    const fault = FAULTS.get(code) ?? (SQLSTATE.test(code) ? CLASSES.get(code.slice(0, 2)) : null)
    if (fault) return fault
  }
  return GONE.test(error.message) ? 'unavailable' : null
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

/** Five letters or digits; network codes such as `EPIPE` do not start with a class below. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** The codes whose fault is not that of their class. */
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
  // The role or the database has a `lock_timeout`.
  ['55P03', 'busy'],
  ['53100', 'full'],
  // A write on a server that has become a read replica.
  ['25006', 'unavailable'],
  // The server has ended a session that was idle in a transaction, or a long transaction.
  ['25P03', 'unavailable'],
  ['25P04', 'unavailable'],
  // The database was dropped or renamed.
  ['3D000', 'unavailable'],
  // It is not known whether the commit succeeded.
  ['40003', 'unavailable'],
  ['ECONNABORTED', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'],
  ['EHOSTDOWN', 'unavailable'],
  ['EHOSTUNREACH', 'unavailable'],
  ['ENETDOWN', 'unavailable'],
  ['ENETUNREACH', 'unavailable'],
  ['ETIMEDOUT', 'unavailable'],
])

/** The classes of SQLSTATE for a server that cannot work now, whatever the statement. */
const CLASSES: ReadonlyMap<string, Fault> = new Map([
  // Connection exceptions; PgBouncer also reports a server that is down as 08P01.
  ['08', 'unavailable'],
  // Invalid authorization: an administrator has revoked the login or changed the password.
  ['28', 'unavailable'],
  // Insufficient resources.
  ['53', 'unavailable'],
  // Not in the required state: the database accepts no connections.
  ['55', 'unavailable'],
  // Operator intervention, such as a shutdown.
  ['57', 'unavailable'],
  // System errors, such as a failing disk.
  ['58', 'unavailable'],
])
