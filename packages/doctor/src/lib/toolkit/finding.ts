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

/** Reports a fault. Both parts are noun phrases: "expected …, found …". */
export function fail(expected: string, found: string): never {
  throw new Finding(expected, found)
}

/** Skips the check for a reason, which is a sentence. */
export function skip(reason: string): never {
  throw new Skipped(reason)
}
