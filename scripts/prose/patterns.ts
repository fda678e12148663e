/** Ways to say something that readers of English as a second language read twice. */
export interface Pattern {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly instead: string
}

export const PATTERNS: readonly Pattern[] = [
  {
    pattern: /\b(is|are|has|have|was|were) (no(?! (longer|more|later|less)\b)|none)\b/i,
    instead: 'a negated verb: "is not a valid URI reference", "does not have a schema"',
  },
  {
    pattern: /\b(whoever|whichever|nobody|somebody|everybody|anybody)\b/i,
    instead: 'the name of the person or part, or "no client"',
  },
  {
    pattern: /\b(mend(s|ed|ing)?|anew|besides?)\b/i,
    instead: 'fix, again, next to, in addition to',
  },
  { pattern: /\btells? (whether|what|which|who)\b/i, instead: 'returns whether, says what' },
  {
    pattern: /\b(is|are|was|were) (not )?there\b(?! (is|are|was|were)\b)/i,
    instead: 'exists, is missing, is duplicated',
  },
  {
    pattern: /\b(gives? way|stands? (at|in|for|alone|behind|there|here))\b/i,
    instead: 'is retried, is at, represents',
  },
  { pattern: /\brefus(es?|ed|ing|als?)\b/i, instead: 'reject, rejection' },
  { pattern: /\b(for nothing|at once)\b/i, instead: 'in vain, immediately, at the same time' },
  { pattern: /\b(come|comes|came) and (go|goes|went)\b/i, instead: 'are inserted and deleted' },
  { pattern: /\bmade a mistake\b/i, instead: 'an internal error occurred' },
  { pattern: /\bunder way\b/i, instead: 'active' },
  { pattern: /\ball the same\b/i, instead: 'still' },
  { pattern: /\b(is|are|was|were) told of\b/i, instead: 'is known, is documented' },
  { pattern: /\bjudges?\b/i, instead: 'validates, checks' },
  { pattern: /\btakes (no|note|nothing|what|who)\b/i, instead: 'accepts, rejects, records' },
  { pattern: /\bgives (no|nothing|what|who)\b/i, instead: 'returns, adds' },
  { pattern: /\b(has|have) to hold\b/i, instead: 'must be true, is checked' },
  { pattern: /\b(is|are|was|were) begun\b/i, instead: 'is started' },
  { pattern: /\b(come|comes|came) of (it|them|each)\b/i, instead: 'the result, the outcome' },
  { pattern: /\blets? go\b/i, instead: 'releases' },
  { pattern: /\bthe very\b/i, instead: 'exactly the' },
  {
    pattern: /^(What|Who)\b(?!.*\?)/,
    instead: 'a noun at the start of the sentence: "The columns that are read"',
  },
]

/** A sentence that keeps a pattern, such as a quotation. */
export interface Exception {
  readonly file: string
  /** A part of the line. */
  readonly text: string
  readonly reason: string
}

/** At most a handful: most findings read better in other words. */
export const EXCEPTIONS: readonly Exception[] = []
