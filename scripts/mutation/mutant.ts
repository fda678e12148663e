/** A change of one expression or statement of a source file. */
export interface Mutant {
  /** The path from the top of the repository, with slashes. */
  readonly file: string
  /** `line:column-line:column` as Stryker's option `mutate` expects it: lines from 1, columns from 0. */
  readonly range: string
  /** The source line on which the mutant begins, without the white space around it. */
  readonly line: string
  /** Where the mutant begins in `line`, from 0. */
  readonly column: number
  /** The source text that is replaced; only its first line if it has several. */
  readonly original: string
  readonly mutator: string
  readonly replacement: string
}

/** A mutant that no test can catch, because the mutated program does the same. */
export interface Equivalent {
  readonly file: string
  /** The source line, without the white space around it. */
  readonly line: string
  /** The source text that is replaced, if several texts of the line have this replacement. */
  readonly original?: string
  /** Where the mutant begins in `line`, from 0, if the line has the same text several times. */
  readonly column?: number
  /** How many mutants the entry describes, if the file has the line several times; 1 by default. */
  readonly count?: number
  /** The text that Stryker puts in. */
  readonly replacement: string
  readonly reason: string
}

/** A position as Stryker's instrumenter counts: lines and columns from 0. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A mutant as Stryker's instrumenter describes it. */
export interface StrykerMutant {
  readonly fileName: string
  readonly location: { readonly start: Position; readonly end: Position }
  readonly mutatorName: string
  readonly replacement: string
}

export function rangeOf({ start, end }: StrykerMutant['location']): string {
  return `${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`
}

/** Identifies a mutant of an unchanged source file. */
export function keyOf({
  file,
  range,
  replacement,
}: Pick<Mutant, 'file' | 'range' | 'replacement'>): string {
  return `${file}:${range} ${replacement}`
}
