/** A mutant that no test can catch, because the mutated program does the same. */
export interface Equivalent {
  readonly file: string
  /** The line as it stands in the source, without the white space around it. */
  readonly line: string
  /** The text that Stryker puts in. */
  readonly replacement: string
  readonly reason: string
}

export const EQUIVALENT: readonly Equivalent[] = []
