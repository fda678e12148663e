import type { Predicate } from '@remix-run/data-table'

/**
 * The translation of one comparison: an exact predicate, or the reason why none exists, and a
 * predicate that selects a superset of the matching rows, null if no predicate narrows them.
 */
export type Translation =
  | { readonly exact: Predicate }
  | { readonly reason: string; readonly superset: Predicate | null }
