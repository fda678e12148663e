import type { Fault } from '../../driver-errors.ts'

/** Classifies an error by `errcode` (https://sqlite.org/rescode.html); null if unknown. */
export function faultOf(error: Error): Fault | null {
  const { errcode } = error as { readonly errcode?: unknown }
  if (typeof errcode !== 'number') return null
  // An extended code's lowest byte is its primary code.
  return FAULTS.get(errcode) ?? FAULTS.get(errcode & 0xff) ?? null
}

/** The columns of the unique key a statement violated, or null. */
export function violatedKey({ message }: Error): string | null {
  return /UNIQUE constraint failed: ([\w., ]+)$/.exec(message)?.[1] ?? null
}

const FAULTS: ReadonlyMap<number, Fault> = new Map([
  // SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY.
  [2067, 'unique'],
  [1555, 'unique'],
  // SQLITE_BUSY, _LOCKED, _NOMEM, _READONLY, _IOERR, _FULL, _CANTOPEN and _PROTOCOL (a lock of the log), with
  // their extended codes.
  [5, 'busy'],
  [6, 'busy'],
  [7, 'unavailable'],
  [8, 'unavailable'],
  [10, 'unavailable'],
  [13, 'full'],
  [14, 'unavailable'],
  [15, 'busy'],
])
