/** The reason for skipping checks that would have to write. */
export const READ_ONLY = 'The examination is read-only.'

/** Thrown when a check finds a fault: what was expected, and what was found. */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly expected: string
  readonly found: string

  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`)
    this.expected = expected
    this.found = found
  }
}

/** Thrown when a check does not apply to the server, for a reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** Thrown when a check applies to the server, but cannot run because the server rejected what it needs. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
}

/** Reports a fault. Both parts are noun phrases: "expected …, found …". */
export function fail(expected: string, found: string): never {
  throw new Finding(expected, found)
}

/** Skips a check if it does not apply. The reason is a sentence. */
export function skip(reason: string): never {
  throw new Skipped(reason)
}

/** Ends a check if it cannot run. The reason is a sentence about the server's answer. */
export function block(reason: string): never {
  throw new Blocked(reason)
}
