/** A text behind a profile, with its version, because drafts change. */
export interface ProfileText {
  /** The text's name and version. */
  readonly title: string
  /** This version's date, such as `2026-04-15`. */
  readonly date: string
  readonly requirements: readonly Requirement[]
}

/** A requirement of the text, and the checks that examine it, or the reason why none can. */
export type Requirement = RequirementFacts &
  ({ readonly checks: readonly string[] } | { readonly notExamined: string })

interface RequirementFacts {
  /** The requirement's number in this package, which tests and notes cite. */
  readonly number: string
  readonly section: string
  /** The word in the text, such as MUST; empty without one. */
  readonly word: string
  readonly rule: string
}

/** A text behind a profile, and the requirements no request can examine. */
export interface ExaminedText {
  /** The text's name and version. */
  readonly title: string
  /** The version's date, such as `2026-04-15`. */
  readonly date: string
  readonly notExamined: readonly {
    readonly section: string
    readonly rule: string
    readonly reason: string
  }[]
}

/** Reads a table of requirements. The last column lists check ids, or is a sentence with the reason for having none. */
export function requirements(
  rows: readonly (readonly [string, string, string, string, string | readonly string[]])[],
): readonly Requirement[] {
  return rows.map(([number, section, word, rule, examined]) => {
    const facts = { number, section, word, rule }
    return typeof examined === 'string'
      ? { ...facts, notExamined: examined }
      : { ...facts, checks: examined }
  })
}
