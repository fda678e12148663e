/** A text that a profile follows, with its version, because drafts change. */
export interface ProfileText {
  /** The name and the version of the text. */
  readonly title: string
  /** The date of this version, such as `2026-04-15`. */
  readonly date: string
  readonly requirements: readonly Requirement[]
}

/** A requirement of the text, and the checks that examine it or the reason why no check can. */
export type Requirement = RequirementFacts &
  ({ readonly checks: readonly string[] } | { readonly notExamined: string })

interface RequirementFacts {
  /** A number of our own, by which tests and notes refer to the requirement. */
  readonly number: string
  readonly section: string
  /** The word of the text, such as MUST; empty without one. */
  readonly word: string
  readonly rule: string
}

/** A text that a profile follows, and the requirements in it that no request can examine. */
export interface ExaminedText {
  /** The name and the version of the text. */
  readonly title: string
  /** The date of the version, such as `2026-04-15`. */
  readonly date: string
  readonly notExamined: readonly {
    readonly section: string
    readonly rule: string
    readonly reason: string
  }[]
}

/** Reads a table of requirements. The last column lists ids of checks, or is a sentence with the reason without them. */
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
