/** The reason of checks that would have to write. */
export const READ_ONLY = 'The examination is read-only.'

/** Thrown by a check that found a fault: what was expected, and what was found. */
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

/** Thrown by a check that does not apply to the server, for a reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** Thrown by a check that applies to the server, and cannot run because the server rejected what it needs. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
}

/** Reports a fault. Both parts are noun phrases: "expected …, found …". */
export function fail(expected: string, found: string): never {
  throw new Finding(expected, found)
}

/** Skips a check that does not apply, for a reason, which is a sentence. */
export function skip(reason: string): never {
  throw new Skipped(reason)
}

/** Ends a check that cannot run, for a reason, which is a sentence about the server's answer. */
export function block(reason: string): never {
  throw new Blocked(reason)
}
