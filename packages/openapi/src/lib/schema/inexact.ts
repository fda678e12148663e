/** A schema part without an exact representation in JSON Schema. */
export interface Inexact {
  /** The part in words, such as `a required symbol key`. */
  readonly part: string
  /** The replacement, as an instruction. */
  readonly remedy: string
  readonly path: readonly (string | number)[]
}

/** Records an inexact part. */
export type ReportInexact = (inexact: Inexact) => void
