import { either, logical, type Predicate } from './predicate.ts'

/**
 * A translated comparison: an exact predicate, or the reason why it is missing, with a predicate that selects a
 * superset of the matching rows, null if no predicate narrows them.
 */
export type Translation =
  | { readonly exact: Predicate }
  | { readonly reason: string; readonly superset: Predicate | null }

/** The conditions a database library can express. */
export interface Capabilities {
  /** Whether `%`, `_` and `\` in a string match only themselves. */
  readonly escapes: boolean
  /** Whether a string match can be negated. */
  readonly negations: boolean
  /** Whether a predicate can select from another table. */
  readonly selections: boolean
  /**
   * Returns whether the table with attribute–key rows has hashed keys for a path. Comparisons with them are not exact.
   * Always true by default.
   */
  readonly hasHashes?: ((hashedPath: string) => boolean) | undefined
}

/** Joins the translations of several comparisons. */
export function joinTranslations(
  operator: 'and' | 'or',
  translations: readonly Translation[],
): Translation {
  const predicates = translations.flatMap((one) =>
    'exact' in one ? one.exact : (one.superset ?? []),
  )
  const joined = operator === 'and' ? logical('and', predicates) : either(predicates)
  const [reason] = translations.flatMap((one) => ('exact' in one ? [] : one.reason))
  if (reason === undefined) return { exact: joined }
  // Without a predicate, a part does not narrow a conjunction, and makes a disjunction match every row.
  const narrows =
    operator === 'and' ? predicates.length > 0 : predicates.length === translations.length
  return { reason, superset: narrows ? joined : null }
}
